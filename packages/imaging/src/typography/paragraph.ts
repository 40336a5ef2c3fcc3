import bidiFactory, { type Bidi } from 'bidi-js';
import LineBreaker from 'linebreak';
import type { Font, Glyph } from './font.ts';
import type { FontChoice } from './open_fonts.ts';

export type Direction = 'auto' | 'ltr' | 'rtl';

/** Consecutive characters of one font and one direction. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly font: Font;
  /** Embedding level (UAX 9); odd is right to left. */
  readonly level: number;
}

/** Text without line breaks, independent of size: lengths in em. */
export interface Paragraph {
  readonly text: string;
  readonly isRtl: boolean;
  readonly runs: readonly Run[];
  /** Cumulative advances before each character, and before the end. */
  readonly advances: Float64Array;
  /** Break opportunities (UAX 14; dictionaries for scripts without spaces), ascending, including the end. */
  readonly breaks: readonly number[];
}

/** A glyph on a line, in em from the start of the line and its baseline; y upwards. */
export interface PlacedGlyph {
  readonly font: Font;
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** Its characters; empty for marks and parts of letters, whose base has them. */
  readonly text: string;
}

export interface ParagraphOptions {
  readonly fonts: FontChoice;
  readonly direction: Direction;
  readonly language?: string | undefined;
  /** Space added after each cluster, in em. */
  readonly tracking: number;
}

/** Facts recorded while fonts are chosen. */
export interface FontNotes {
  readonly missing: Set<string>;
  readonly families: Set<string>;
}

/** The package's types describe an ES module; Node loads CommonJS, whose export is the factory itself. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Characters that need no glyph: marks, joiners, selectors and controls. */
const IGNORED = /[\p{M}\p{Cf}\p{Cc}\p{Variation_Selector}\p{Emoji_Modifier}]/u;
/** Characters that use the font of the preceding text. */
const NEUTRAL = /^[\s\p{P}\p{N}\p{S}]+$/u;
/** Scripts with joined letters: tracking would break words apart. */
const JOINED = /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Deva}\p{sc=Beng}]/u;
const WITHOUT_SPACES = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/gu;

export function openParagraph(text: string, options: ParagraphOptions, notes: FontNotes): Paragraph {
  const { direction, language, tracking } = options;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, direction === 'auto' ? undefined : direction);
  const isRtl = ((paragraphs[0]?.level ?? (direction === 'rtl' ? 1 : 0)) & 1) === 1;
  const runs = splitRuns(text, levels, options.fonts, notes);
  const advances = new Float64Array(text.length + 1);
  for (const run of runs) {
    const glyphs = run.font.shape(text, run.start, run.end, { isRtl: isOdd(run.level), language });
    const space = JOINED.test(text.slice(run.start, run.end)) ? 0 : tracking;
    for (const [at, { cluster, advance }] of glyphs.entries()) {
      const isLast = glyphs[at + 1]?.cluster !== cluster;
      advances[cluster + 1]! += advance + (isLast ? space : 0);
    }
  }
  for (let at = 1; at < advances.length; at += 1) advances[at]! += advances[at - 1]!;
  return { text, isRtl, runs, advances, breaks: breaksIn(text, language) };
}

function splitRuns(text: string, levels: Uint8Array, fonts: FontChoice, notes: FontNotes): Run[] {
  const runs: { start: number; end: number; font: Font; level: number }[] = [];
  const words = fontsOfWords(text, fonts, notes);
  for (const { segment, index } of graphemes.segment(text)) {
    const last = runs.at(-1);
    const font = words.get(index) ?? fontOf(segment, last?.font, fonts, notes);
    const level = levels[index]!;
    if (last?.font === font && last.level === level) last.end = index + segment.length;
    else runs.push({ start: index, end: index + segment.length, font, level });
  }
  return runs;
}

/** Chinese and Japanese words: consecutive ideographs and kana. */
const EAST_ASIAN_WORDS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc]{2,}/gu;

/** Fonts for words that one font covers completely: two designs within a word would be visible. */
function fontsOfWords(text: string, fonts: FontChoice, notes: FontNotes): ReadonlyMap<number, Font> {
  const chosen = new Map<number, Font>();
  for (const { 0: word, index } of text.matchAll(EAST_ASIAN_WORDS)) {
    const found = fonts.find(
      [...word].map((character) => character.codePointAt(0)!),
      word,
    );
    if (!found) continue;
    notes.families.add(found.family);
    for (let at = 0; at < word.length; at += 1) chosen.set(index + at, found.font);
  }
  return chosen;
}

/** One font for a whole grapheme, so that emoji sequences and accents stay together. */
function fontOf(grapheme: string, before: Font | undefined, fonts: FontChoice, notes: FontNotes): Font {
  const characters = [...grapheme].filter((one) => !IGNORED.test(one)).map((one) => one.codePointAt(0)!);
  const isCovered = (font: Font) => characters.every((one) => font.covers(one));
  if (characters.length === 0) return before ?? fonts.primary;
  if (before && !before.isColor && NEUTRAL.test(grapheme) && isCovered(before)) {
    const isPlain = !/\ufe0f|\p{Emoji_Presentation}/u.test(grapheme);
    if (isPlain) return before;
  }
  const found = fonts.find(characters, grapheme);
  if (found) {
    notes.families.add(found.family);
    return found.font;
  }
  if (grapheme.trim() !== '') notes.missing.add(grapheme);
  return fonts.primary;
}

function breaksIn(text: string, language: string | undefined): number[] {
  const places = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) places.add(next.position);
  for (const { 0: piece, index } of text.matchAll(WITHOUT_SPACES))
    for (const word of new Intl.Segmenter(segmenterLanguage(language), { granularity: 'word' }).segment(
      piece,
    ))
      if (word.index > 0) places.add(index + word.index);
  places.add(text.length);
  return [...places].sort((one, other) => one - other);
}

function segmenterLanguage(language: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(language ?? 'th')[0] ?? 'th';
  } catch {
    return 'th';
  }
}

/** The part of a paragraph on one line, without trailing spaces. */
export interface LinePart {
  readonly start: number;
  readonly end: number;
  /** In em. */
  readonly width: number;
  /** Whether the line ends inside a word that is longer than the line. */
  readonly isTorn: boolean;
}

/** Breaks a paragraph greedily. @param width in em @param spaceAfter tracking, which does not count at the end of a line */
export function breakLines(
  { text, advances, breaks }: Paragraph,
  width: number,
  spaceAfter: number,
): LinePart[] {
  const widthOf = (start: number, end: number) => Math.max(0, advances[end]! - advances[start]! - spaceAfter);
  const lines: LinePart[] = [];
  let start = 0;
  let next = 0;
  while (start < text.length) {
    let end = -1;
    for (; next < breaks.length; next += 1) {
      const place = breaks[next]!;
      if (place <= start) continue;
      if (widthOf(start, trimmed(text, start, place)) > width) break;
      end = place;
    }
    const isTorn = end < 0;
    if (isTorn) end = tornEnd(text, start, (to) => widthOf(start, to) <= width);
    const last = trimmed(text, start, end);
    lines.push({ start, end: last, width: widthOf(start, last), isTorn });
    start = end;
  }
  return lines.length > 0 ? lines : [{ start: 0, end: 0, width: 0, isTorn: false }];
}

/** Breaks inside a word, after as many graphemes as fit and at least one. */
function tornEnd(text: string, start: number, fits: (end: number) => boolean): number {
  let end = start;
  for (const { segment } of graphemes.segment(text.slice(start))) {
    if (end > start && !fits(end + segment.length)) break;
    end += segment.length;
  }
  return end;
}

const SPACES_AT_END = /[\s\u200b]/;
function trimmed(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && SPACES_AT_END.test(text[last - 1]!)) last -= 1;
  return last;
}

/** Glyphs of a line from left to right, reshaped in case the break changed them (UAX 9, rule L2). */
export function placeGlyphs(
  { text, runs }: Paragraph,
  { start, end }: Pick<LinePart, 'start' | 'end'>,
  { language, tracking }: Pick<ParagraphOptions, 'language' | 'tracking'>,
): { readonly glyphs: PlacedGlyph[]; readonly width: number } {
  const parts = runs
    .filter((run) => run.start < end && run.end > start)
    .map((run) => ({ ...run, start: Math.max(run.start, start), end: Math.min(run.end, end) }));
  const glyphs: PlacedGlyph[] = [];
  let x = 0;
  let space = 0;
  for (const { font, level, start: from, end: to } of inVisualOrder(parts)) {
    const shaped = font.shape(text.slice(start, end), from - start, to - start, {
      isRtl: isOdd(level),
      language,
    });
    space = JOINED.test(text.slice(from, to)) ? 0 : tracking;
    const texts = textsOf(shaped, text.slice(start, to));
    for (const [at, glyph] of shaped.entries()) {
      glyphs.push({ font, id: glyph.id, x: x + glyph.x, y: glyph.y, text: texts.get(glyph) ?? '' });
      x += glyph.advance + (isClusterEnd(shaped, at) ? space : 0);
    }
  }
  return { glyphs, width: Math.max(0, x - space) };
}

/** The characters of each cluster, assigned to the widest of its glyphs. */
function textsOf(shaped: readonly Glyph[], words: string): Map<Glyph, string> {
  const bases = new Map<number, Glyph>();
  for (const glyph of shaped) {
    const base = bases.get(glyph.cluster);
    if (!base || glyph.advance > base.advance) bases.set(glyph.cluster, glyph);
  }
  const starts = [...bases.keys()].sort((one, other) => one - other);
  return new Map(starts.map((start, at) => [bases.get(start)!, words.slice(start, starts[at + 1])]));
}

const isClusterEnd = (glyphs: readonly Glyph[], at: number): boolean =>
  glyphs[at + 1]?.cluster !== glyphs[at]!.cluster;

const isOdd = (level: number): boolean => (level & 1) === 1;

function inVisualOrder<Part extends { readonly level: number }>(runs: readonly Part[]): Part[] {
  const order = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1)
    for (let at = 0; at < order.length; at += 1) {
      let end = at;
      while (end < order.length && order[end]!.level >= level) end += 1;
      if (end > at + 1) order.splice(at, end - at, ...order.slice(at, end).reverse());
      at = Math.max(at, end - 1);
    }
  return order;
}
