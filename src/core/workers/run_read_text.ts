import { shownSize } from '@atelier/imaging/codecs/shown_size.ts';
import type { Size } from '@atelier/imaging/pixels/plane.ts';
import { readCharacters } from '@atelier/imaging/vision/text/decode_characters.ts';
import { layoutText, type Paragraph } from '@atelier/imaging/vision/text/layout_text.ts';
import {
  type Care,
  type ReadText,
  readText,
  recogniseLines,
} from '@atelier/imaging/vision/text/read_text.ts';
import type { TextLine, UnknownLine } from '@atelier/imaging/vision/text/text_line.ts';
import {
  hocrText,
  markdownText,
  plainText,
  type TextFormat,
} from '@atelier/imaging/vision/text/write_text.ts';
import { bytesOf, openGraph, type StoredFile } from './open_models.ts';
import { openTesseract, type TesseractLanguage } from './open_tesseract.ts';

/** PP-OCR models and the list of their characters. */
export interface TextReaderFiles {
  readonly detection: StoredFile;
  readonly recognition: StoredFile;
  readonly characters: StoredFile;
  /** Recognises the lines instead of PP-OCR's recogniser. */
  readonly language?: TesseractLanguage;
}

export interface ReadTextRequest {
  readonly bytes: Uint8Array;
  readonly reader: TextReaderFiles;
  /** Absent: no document is created. */
  readonly format?: Exclude<TextFormat, 'lines'>;
}

export interface ReadTextResult {
  /** In reading order. */
  readonly lines: readonly TextLine[];
  /** Lines in a script that the reader does not support, in no particular order. */
  readonly unknown: readonly UnknownLine[];
  /** Number of detected lines beyond the reading limit. */
  readonly unread: number;
  /** The document, if a format was requested. */
  readonly document?: string;
}

/**
 * Recognises the text in an image. Models stay open in this process.
 * @throws AtelierError model_unavailable; EngineError of the image
 */
export async function runReadText({ bytes, reader, format }: ReadTextRequest): Promise<ReadTextResult> {
  const size = await shownSize(bytes);
  const { lines: found, unknown, unread } = await readLinesWith(bytes, reader);
  const paragraphs = layoutText(found, size);
  const lines = paragraphs.flatMap(({ rows }) => rows.flat());
  return { lines, unknown, unread, ...(format && { document: WRITERS[format](paragraphs, size) }) };
}

const WRITERS: Record<
  Exclude<TextFormat, 'lines'>,
  (paragraphs: readonly Paragraph[], size: Size) => string
> = {
  text: plainText,
  markdown: markdownText,
  hocr: hocrText,
};

/** The lines of an image, in detection order. @throws AtelierError model_unavailable; EngineError of the image */
export async function readLinesWith(
  bytes: Uint8Array,
  reader: TextReaderFiles,
  care?: Care,
): Promise<ReadText> {
  const { detection, recognition, characters, language } = reader;
  const readLine = language
    ? await openTesseract(language)
    : recogniseLines(await openGraph(recognition), readCharacters(bytesOf(characters)));
  return readText(bytes, { detection: await openGraph(detection), readLine }, care);
}
