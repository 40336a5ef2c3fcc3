import { openPicture } from '../../codecs/open_picture.ts';
import { decodeRaster } from '../../codecs/read_raster.ts';
import type { Session } from '../../onnx/session.ts';
import type { Size } from '../../pixels/plane.ts';
import { smallCopy } from '../small_copy.ts';
import { decodeCharacters, type ReadLine } from './decode_characters.ts';
import { findTextLines } from './find_text_lines.ts';
import {
  READING_MIN,
  READING_SIDE_PX_MAX,
  READING_WIDTH_PX_MAX,
  SCRIPT_CONFIDENCE_MIN,
  SCRIPT_UNSURE_MAX,
  SINGLE_CHARACTER_MIN,
} from './limits.ts';
import { cornersOf, type Rectangle } from './min_area_rectangle.ts';
import { STRIP_HEIGHT_PX, type Strip, straighten } from './straighten.ts';
import type { TextLine, UnknownLine } from './text_line.ts';

/** PP-OCR's detector session, and a function that reads one line. */
export interface TextReader {
  readonly detection: Pick<Session, 'run'>;
  readLine(strip: Strip): Promise<ReadLine>;
}

/** Reads lines with PP-OCR's recogniser. @param characters those it knows, in the order of its outputs */
export const recogniseLines =
  (recognition: Pick<Session, 'run'>, characters: readonly string[]): TextReader['readLine'] =>
  async ({ data, width }) => {
    const [answer] = (await recognition.run(data, [1, 3, STRIP_HEIGHT_PX, width])).values();
    return decodeCharacters(answer!.data, answer!.sides.at(-1)!, characters);
  };

/** Below this confidence a line is also read upside down. */
const SURE = 0.85;

/** `sure`: only confident lines. `all`: everything that may be text, so that redaction misses none. */
export type Care = 'sure' | 'all';

export interface ReadText {
  /** Unordered. */
  readonly lines: readonly TextLine[];
  /** Lines in an unknown script, or too unclear. Empty with `all`, which includes them in `lines`. */
  readonly unknown: readonly UnknownLine[];
  /** Number of detected lines beyond the reading limit. */
  readonly unread: number;
}

/**
 * Reads the text in an image, up to a total line width of `READING_WIDTH_PX_MAX`.
 * @param care `sure` drops lines with a confidence below `READING_MIN`
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function readText(
  bytes: Uint8Array,
  reader: TextReader,
  care: Care = 'sure',
): Promise<ReadText> {
  const copy = await smallCopy(bytes, READING_SIDE_PX_MAX);
  const picture = await decodeRaster(openPicture(copy).toColourspace('srgb').removeAlpha());
  const lines: TextLine[] = [];
  const doubtful: TextLine[] = [];
  let [width, unread] = [0, 0];
  const readStrip = async (line: Rectangle): Promise<ReadLine> => {
    const strip = straighten(picture, line);
    width += strip.width;
    return reader.readLine(strip);
  };
  for (const found of await findTextLines(copy, picture, reader.detection)) {
    const isLeft = width < READING_WIDTH_PX_MAX;
    const read = isLeft ? await readLine(found, readStrip) : NOT_READ;
    if (!isLeft) unread++;
    const box = boxOf(found, picture);
    const { text, confidence } = read;
    if (care === 'sure' && !isSure(text, confidence)) continue;
    const isKnown = care === 'all' || isKnownScript(read);
    (isKnown ? lines : doubtful).push({ text, confidence, ...box });
  }
  return { ...withKnown(lines, doubtful), unread };
}

/** If most lines are in a known script, the doubtful ones are assumed to be in it too, except implausible spellings. */
function withKnown(
  lines: readonly TextLine[],
  doubtful: readonly TextLine[],
): Pick<ReadText, 'lines' | 'unknown'> {
  const isMostlyKnown = lines.length > doubtful.length;
  const isKept = ({ text }: TextLine) => isMostlyKnown && !isOddlySpelt(text);
  return {
    lines: [...lines, ...doubtful.filter(isKept)],
    unknown: doubtful.filter((line) => !isKept(line)).map(({ text: _, ...line }) => line),
  };
}

const NOT_READ: ReadLine = { text: '', confidence: 0, unsure: 0 };

const isSure = (text: string, confidence: number): boolean =>
  text !== '' && confidence >= ([...text].length === 1 ? SINGLE_CHARACTER_MIN : READING_MIN);

/** Reads a line as it is and, if uncertain, rotated by 180°. */
async function readLine(
  line: Rectangle,
  readStrip: (line: Rectangle) => Promise<ReadLine>,
): Promise<ReadLine> {
  const first = await readStrip(line);
  if (first.confidence >= SURE) return first;
  const turned = await readStrip({ ...line, angle: line.angle + Math.PI });
  return turned.confidence > first.confidence ? turned : first;
}

/** The axis-aligned box around a line, in fractions of the image. */
function boxOf(line: Rectangle, { width, height }: Size): Pick<TextLine, 'x' | 'y' | 'width' | 'height'> {
  const corners = cornersOf(line);
  const within = (value: number) => Math.min(1, Math.max(0, value));
  const [left, right] = [Math.min, Math.max].map((pick) =>
    within(pick(...corners.map(({ x }) => x)) / width),
  );
  const [top, bottom] = [Math.min, Math.max].map((pick) =>
    within(pick(...corners.map(({ y }) => y)) / height),
  );
  return { x: left!, y: top!, width: right! - left!, height: bottom! - top! };
}

/**
 * Whether a line is in a script that PP-OCR's recogniser knows. It reads other scripts as the most similar Latin letters, digits and Chinese
 * characters: many of them with low confidence, or in implausible spellings.
 */
export const isKnownScript = ({ text, confidence, unsure }: ReadLine): boolean =>
  unsure < SCRIPT_UNSURE_MAX || (confidence >= SCRIPT_CONFIDENCE_MIN && !isOddlySpelt(text));

/** A capital or digit after a small letter within a word, or Latin letters mixed with others: "MocKBy", "D71D7", "Kα入c". */
const ODD_WORD =
  /\p{Ll}\p{Lu}|\p{L}\p{N}+\p{L}|\p{Script=Latin}[^\p{Script=Latin}\P{L}]|[^\p{Script=Latin}\P{L}]\p{Script=Latin}/u;

/** Whether at least half of the words have implausible spellings. */
function isOddlySpelt(text: string): boolean {
  const words = text.split(/\s+/u).filter(Boolean);
  return words.filter((word) => ODD_WORD.test(word)).length >= words.length / 2;
}
