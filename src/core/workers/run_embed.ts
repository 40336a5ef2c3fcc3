import { embedPicture, embedText } from '@atelier/imaging/vision/clip/embed.ts';
import { CLIP_OUTPUTS } from '@atelier/imaging/vision/clip/outputs.ts';
import { readTokenizer, type Tokenizer } from '@atelier/imaging/vision/clip/tokenizer.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { bytesOf, openPart, type StoredFile } from './open_models.ts';

/** A pair of encoders with its vocabulary. */
export interface EmbedderFile extends StoredFile {
  readonly tokenizer: Pick<StoredFile, 'name' | 'path' | 'sha256'>;
}

/** The vocabulary read last: there is one. */
let known: { sha256: string; tokenizer: Tokenizer } | undefined;

/** The vector of a picture, by an encoder that stays open in this process. @throws AtelierError model_unavailable; EngineError of the picture */
export async function runEmbedPicture({
  bytes,
  network,
}: {
  bytes: Uint8Array;
  network: EmbedderFile;
}): Promise<Float32Array> {
  return checked(network, await embedPicture(await openPart(network, CLIP_OUTPUTS.picture), bytes));
}

/** The vector of a text, to be compared with those of pictures. @throws AtelierError model_unavailable */
export async function runEmbedText({
  text,
  network,
}: {
  text: string;
  network: EmbedderFile;
}): Promise<Float32Array> {
  const [vector] = await runEmbedTexts({ texts: [text], network });
  return vector!;
}

/** The vectors of several texts, in their order. @throws AtelierError model_unavailable */
export async function runEmbedTexts({
  texts,
  network,
}: {
  texts: readonly string[];
  network: EmbedderFile;
}): Promise<Float32Array[]> {
  const { sha256 } = network.tokenizer;
  if (known?.sha256 !== sha256) known = { sha256, tokenizer: readTokenizer(bytesOf(network.tokenizer)) };
  const { tokenizer } = known;
  const encoder = await openPart(network, CLIP_OUTPUTS.text);
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(checked(network, await embedText(encoder, tokenizer, text)));
  return vectors;
}

/** An unofficial file may answer anything. */
function checked({ name }: EmbedderFile, vector: Float32Array): Float32Array {
  if (vector.length > 0 && vector.length <= DIMENSIONS_MAX && vector.every(Number.isFinite)) return vector;
  throw new AtelierError(
    'model_unavailable',
    `The embedding model ${name} returned an invalid vector. Ask the operator to reinstall it.`,
  );
}

/** Of any CLIP; that of the manifest has 512. */
const DIMENSIONS_MAX = 2048;
