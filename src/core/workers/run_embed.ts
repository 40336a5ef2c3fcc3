import { embedPicture, embedText } from '@atelier/imaging/vision/clip/embed.ts';
import { CLIP_OUTPUTS } from '@atelier/imaging/vision/clip/outputs.ts';
import { readTokenizer, type Tokenizer } from '@atelier/imaging/vision/clip/tokenizer.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { bytesOf, openPart, type StoredFile } from './open_models.ts';

/** A pair of encoders with its vocabulary. */
export interface EmbedderFile extends StoredFile {
  readonly tokenizer: Pick<StoredFile, 'name' | 'path' | 'sha256'>;
}

/** Cache of the last vocabulary: there is only one. */
let known: { sha256: string; tokenizer: Tokenizer } | undefined;

/**
 * Computes the embedding of an image, with an encoder that stays open in this process. @throws AtelierError model_unavailable; EngineError
 * of the image
 */
export async function runEmbedPicture({
  bytes,
  network,
}: {
  bytes: Uint8Array;
  network: EmbedderFile;
}): Promise<Float32Array> {
  return checked(network, await embedPicture(await openPart(network, CLIP_OUTPUTS.picture), bytes));
}

/** Computes the embedding of a text, for comparison with those of images. @throws AtelierError model_unavailable */
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

/** Computes the embeddings of several texts, in their order. @throws AtelierError model_unavailable */
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

/** Validates the output, because an unofficial file may return anything. */
function checked({ name }: EmbedderFile, vector: Float32Array): Float32Array {
  if (vector.length > 0 && vector.length <= DIMENSIONS_MAX && vector.every(Number.isFinite)) return vector;
  throw new AtelierError(
    'model_unavailable',
    `The embedding model ${name} returned an invalid vector. Ask the operator to reinstall it.`,
  );
}

/** Limit for any CLIP model; the one in the manifest has 512. */
const DIMENSIONS_MAX = 2048;
