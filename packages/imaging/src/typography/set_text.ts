import { EngineError } from '../errors/engine_error.ts';
import type { Font } from './font.ts';
import {
  MISSING_GLYPHS_NAMED_MAX,
  TEXT_CHARACTERS_MAX,
  TEXT_SIZE_PX_MAX,
  TEXT_SIZE_PX_MIN,
} from './limits.ts';
import { chooseFonts, type FontWish, type ReadFont } from './open_fonts.ts';
import {
  breakLines,
  type Direction,
  type FontNotes,
  type LinePart,
  openParagraph,
  type Paragraph,
  type PlacedGlyph,
  placeGlyphs,
} from './paragraph.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const ALIGNMENTS = ['start', 'left', 'center', 'right', 'end'] as const;
export const VERTICAL_ALIGNMENTS = ['top', 'middle', 'bottom'] as const;

/** Layout of text. Lengths in px. */
export interface SettingWish extends Omit<FontWish, 'weight'> {
  readonly text: string;
  /** Lines are wrapped and aligned within its width. */
  readonly box: Box;
  /** 100 to 900. Default: 400. */
  readonly weight?: number | undefined;
  /** Height of the em. Default, and with `fit`: the largest at which all lines fit into the box. */
  readonly size?: number | undefined;
  /** Fits even if a size is given, which is then the maximum. */
  readonly fit?: boolean | undefined;
  /** With `fit`: a slightly too long line is reduced instead of wrapped. */
  readonly isCaption?: boolean | undefined;
  readonly align?: (typeof ALIGNMENTS)[number] | undefined;
  readonly valign?: (typeof VERTICAL_ALIGNMENTS)[number] | undefined;
  /** Distance of baselines, in em. Default: 1.2, or what the fonts of the text need. */
  readonly leading?: number | undefined;
  /** Added between letters, in em; ignored for scripts with joined letters. */
  readonly tracking?: number | undefined;
  readonly direction?: Direction | undefined;
}

/** A line in px of the canvas. */
export interface SetLine {
  readonly text: string;
  readonly left: number;
  readonly baseline: number;
  readonly width: number;
  readonly isRtl: boolean;
  /** In em from `left` and `baseline`; y upwards. */
  readonly glyphs: readonly PlacedGlyph[];
}

export interface SetText {
  readonly size: number;
  readonly lines: readonly SetLine[];
  /** Around all lines, from ascent to descent. */
  readonly bounds: Box;
  /** The text does not fit into its box. */
  readonly overflows: boolean;
  /** Graphemes without a glyph in any font; drawn as empty boxes. */
  readonly missingGlyphs: readonly string[];
  /** Families in use, the chosen one first. */
  readonly families: readonly string[];
  /** The requested name, if another family replaced it. */
  readonly replacedFont?: string;
}

const LEADING = 1.2;
/** Bisection steps for a fitted size. */
const FIT_STEPS = 24;
/** Minimum scale of a caption before its line is wrapped. */
const CAPTION_SHRINK_MIN = 0.8;

/**
 * Sets text in a box: fonts per grapheme, shaping by HarfBuzz, bidirectional order (UAX 9), line breaks (UAX 14).
 * @throws EngineError invalid_input: empty or too long text, an unknown family
 */
export function setText(wish: SettingWish, readFont: ReadFont): SetText {
  const text = requireText(wish.text);
  const { weight = 400, tracking = 0, direction = 'auto', language } = wish;
  const fonts = chooseFonts({ font: wish.font, weight, language }, text, readFont);
  const notes: FontNotes = { missing: new Set(), families: new Set([fonts.family]) };
  const options = { fonts, direction, language, tracking };
  const paragraphs = text.split('\n').map((line) => openParagraph(line, options, notes));
  const measure: Measure = { paragraphs, tracking, leading: wish.leading, primary: fonts.primary };
  const size = sizeFor(wish, measure);
  const block = breakAll(measure, wish.box.width / size);
  return {
    ...place(block, { wish, size, options }),
    missingGlyphs: [...notes.missing].slice(0, MISSING_GLYPHS_NAMED_MAX),
    families: [...notes.families],
    ...(fonts.replaced !== undefined && { replacedFont: fonts.replaced }),
  };
}

function requireText(sent: string): string {
  if (sent.length > TEXT_CHARACTERS_MAX)
    throw new EngineError(
      'invalid_input',
      `text has ${sent.length} characters. The limit is ${TEXT_CHARACTERS_MAX}: send a shorter text, or several.`,
    );
  const text = sent
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', '    ');
  if (text.trim() === '') throw new EngineError('invalid_input', 'text is empty. Send the words to set.');
  return text;
}

interface Measure {
  readonly paragraphs: readonly Paragraph[];
  readonly tracking: number;
  readonly leading: number | undefined;
  readonly primary: Font;
}

interface BlockLine extends LinePart {
  readonly paragraph: Paragraph;
  /** In em. */
  readonly ascent: number;
  readonly descent: number;
}

/** A block of lines, in em. */
interface Block {
  readonly lines: readonly BlockLine[];
  /** Baselines from the top. */
  readonly baselines: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly isTorn: boolean;
}

function breakAll({ paragraphs, tracking, leading, primary }: Measure, width: number): Block {
  const lines = paragraphs.flatMap((paragraph) =>
    breakLines(paragraph, width, tracking).map((part) => ({
      ...part,
      paragraph,
      ...extentOf(paragraph, part, primary),
    })),
  );
  const baselines: number[] = [];
  for (const [at, { ascent }] of lines.entries()) {
    const above = lines[at - 1];
    const needed = above ? above.descent + ascent : ascent;
    baselines.push(above ? baselines[at - 1]! + (leading ?? Math.max(LEADING, needed)) : ascent);
  }
  return {
    lines,
    baselines,
    width: Math.max(...lines.map((line) => line.width)),
    height: baselines.at(-1)! + lines.at(-1)!.descent,
    isTorn: lines.some((line) => line.isTorn),
  };
}

function extentOf({ runs }: Paragraph, { start, end }: LinePart, primary: Font) {
  const fonts = new Set([
    primary,
    ...runs.filter((run) => run.start < end && run.end > start).map(({ font }) => font),
  ]);
  return {
    ascent: Math.max(...[...fonts].map((font) => font.ascent)),
    descent: Math.max(...[...fonts].map((font) => font.descent)),
  };
}

/** The requested size, or the largest that fits, by bisection. */
function sizeFor({ box, size, fit, isCaption }: SettingWish, measure: Measure): number {
  if (size !== undefined && !fit) return Math.min(TEXT_SIZE_PX_MAX, Math.max(TEXT_SIZE_PX_MIN, size));
  const fits = (px: number): boolean => {
    const { width, height, isTorn } = breakAll(measure, box.width / px);
    return !isTorn && width * px <= box.width + 0.01 && height * px <= box.height + 0.01;
  };
  let least = TEXT_SIZE_PX_MIN;
  let most = Math.min(size ?? TEXT_SIZE_PX_MAX, TEXT_SIZE_PX_MAX, Math.max(least, 2 * box.height));
  if (isCaption) {
    const whole = breakAll(measure, Number.POSITIVE_INFINITY).width * most;
    if (whole > box.width && CAPTION_SHRINK_MIN * whole <= box.width) most *= box.width / whole;
  }
  if (fits(most)) return most;
  for (let step = 0; step < FIT_STEPS && most - least > 0.01; step += 1) {
    const middle = (least + most) / 2;
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return Math.floor(least * 100) / 100;
}

interface Placing {
  readonly wish: SettingWish;
  readonly size: number;
  readonly options: { readonly language?: string | undefined; readonly tracking: number };
}

function place(
  { lines, baselines, height, isTorn }: Block,
  { wish: { box, align = 'start', valign = 'top' }, size, options }: Placing,
): Pick<SetText, 'size' | 'lines' | 'bounds' | 'overflows'> {
  const down = { top: 0, middle: 0.5, bottom: 1 }[valign];
  const top = box.y + (box.height - height * size) * down;
  const set = lines.map((line, at): SetLine => {
    const { paragraph, start, end } = line;
    const { glyphs, width } = placeGlyphs(paragraph, line, options);
    const across = shareOf(align, paragraph.isRtl);
    const left = box.x + (box.width - width * size) * across;
    const text = paragraph.text.slice(start, end);
    return {
      text,
      left,
      baseline: top + baselines[at]! * size,
      width: width * size,
      isRtl: paragraph.isRtl,
      glyphs,
    };
  });
  const left = Math.min(...set.map((line) => line.left));
  const right = Math.max(...set.map((line) => line.left + line.width));
  const overflows = isTorn || right - left > box.width + 0.5 || height * size > box.height + 0.5;
  return {
    size,
    lines: set,
    bounds: { x: left, y: top, width: right - left, height: height * size },
    overflows,
  };
}

/** Position of a line in the spare width: 0 left, 1 right. */
function shareOf(align: (typeof ALIGNMENTS)[number], isRtl: boolean): number {
  if (align === 'center') return 0.5;
  if (align === 'start') return isRtl ? 1 : 0;
  if (align === 'end') return isRtl ? 0 : 1;
  return align === 'left' ? 0 : 1;
}
