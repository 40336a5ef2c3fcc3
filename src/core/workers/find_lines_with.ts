import { findWriting } from '@atelier/imaging/vision/find_writing.ts';
import type { WrittenLine } from '@atelier/imaging/vision/seen.ts';
import type { Care } from '@atelier/imaging/vision/text/read_text.ts';
import { openGraph, type StoredFile } from './open_models.ts';
import { readLinesWith, type TextReaderFiles } from './run_read_text.ts';

/** Models that detect lines of text. */
export interface LineFinders {
  readonly writing?: StoredFile;
  /** Detects lines by recognising text, instead of `writing`. */
  readonly reader?: TextReaderFiles;
}

/**
 * Detects lines of text in any script with the installed models; undefined if there is none.
 * @throws AtelierError model_unavailable; EngineError of the image
 */
export async function findLinesWith(
  bytes: Uint8Array,
  { reader, writing }: LineFinders,
  care?: Care,
): Promise<readonly WrittenLine[] | undefined> {
  if (!reader) return writing && findWriting(bytes, await openGraph(writing));
  const { lines, unknown } = await readLinesWith(bytes, reader, care);
  return [...lines, ...unknown].map(({ x, y, width, height, confidence }) => ({
    x,
    y,
    width,
    height,
    score: confidence,
  }));
}
