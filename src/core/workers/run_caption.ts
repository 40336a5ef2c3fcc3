import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import { type Caption, captionPicture } from '@atelier/imaging/vision/caption/caption_picture.ts';
import { type CaptionTokenizer, readCaptionTokenizer } from '@atelier/imaging/vision/caption/tokenizer.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { bytesOf, openTogether, type StoredFile } from './open_models.ts';

/** The four graphs of Florence-2 and its vocabulary. */
export interface CaptionerFiles {
  readonly vision: StoredFile;
  readonly words: StoredFile;
  readonly encoder: StoredFile;
  readonly decoder: StoredFile;
  readonly tokenizer: Pick<StoredFile, 'name' | 'path' | 'sha256'>;
}

/** Cache of the last vocabulary: there is only one. */
let known: { sha256: string; tokenizer: CaptionTokenizer } | undefined;

/**
 * Describes an image in English. Models stay open in this process.
 * @throws AtelierError model_unavailable; EngineError of the image
 */
export async function runCaption({
  bytes,
  captioner,
}: {
  bytes: Uint8Array;
  captioner: CaptionerFiles;
}): Promise<Caption> {
  const { sha256 } = captioner.tokenizer;
  if (known?.sha256 !== sha256)
    known = { sha256, tokenizer: readCaptionTokenizer(bytesOf(captioner.tokenizer)) };
  const { vision, words, encoder, decoder } = captioner;
  const [sees, embeds, encodes, decodes] = await openTogether([vision, words, encoder, decoder]);
  const graphs = { vision: sees!, words: embeds!, encoder: encodes!, decoder: decodes! };
  try {
    return await captionPicture(bytes, { ...graphs, tokenizer: known.tokenizer });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new AtelierError(
      'model_unavailable',
      'The installed files of Florence-2 are from different exports. The operator has to install the four files of one export: atelier models add <file> --accept.',
      { cause: error },
    );
  }
}
