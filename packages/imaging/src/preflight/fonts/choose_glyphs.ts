import type { Font, OutlineCommand } from '../../typography/font.ts';
import { openFontFile, type ReadFont } from '../../typography/open_fonts.ts';
import type { WrittenGlyph } from '../../typography/write_truetype.ts';
import { COST, type WorkBudget } from '../work_budget.ts';
import type { DeclaredWidth } from './font_widths.ts';
import type { Substitute } from './substitutes.ts';

/** Character codes of a font that are in use. */
export interface UsedCodes {
  readonly codes: ReadonlySet<number>;
  /** Text of a code. Undefined if the file does not state it. */
  characters(code: number): string | undefined;
  readonly widthOf: DeclaredWidth;
}

/** Glyphs of a substitute font with the widths of the replaced font. */
export interface ChosenGlyphs {
  readonly font: Font;
  /** The first glyph is empty, for unused codes. */
  readonly glyphs: readonly WrittenGlyph[];
  /** Index in `glyphs`, by code. */
  readonly byCode: ReadonlyMap<number, number>;
  /** In thousandths of an em, by code. */
  readonly widths: ReadonlyMap<number, number>;
  /** Symbols of another width that were fitted to the width of the replaced glyph. */
  readonly fitted: ReadonlySet<string>;
}

/** Rounding of whole-number widths in a file, in thousandths of an em. */
const ROUNDING = 1;
/** Maximum width difference of symbols in thousandths of an em, if their outline fits the width. */
const SIGN_DIFFERENCE_MAX = 150;
/** Minimum horizontal scale: narrower symbols look condensed. */
const SCALE_MIN = 0.85;
const SIGN = /^[\p{S}\p{P}µ]$/u;
const BLANK = /^[\s\p{Zs}\p{Cc}\p{Cf}]*$/u;
const CHARACTERS_MAX = 4;
/** Maximum advance of a TrueType glyph. */
const ADVANCE_MAX = 65_535;

/**
 * Chooses the glyphs of a substitute font for every code in use.
 * @returns the reason if it cannot be used, as a clause
 * @throws WorkBudgetExceeded
 */
export function chooseGlyphs(
  substitute: Substitute,
  used: UsedCodes,
  { readFont, work }: { readonly readFont: ReadFont; readonly work: WorkBudget },
): ChosenGlyphs | string {
  const [first] = substitute.files;
  const font = openFontFile(first!, readFont);
  if (!font) return `the font ${substitute.family} is not installed`;
  const glyphs: WrittenGlyph[] = [{ outline: [], advance: 0 }];
  const byCode = new Map<number, number>();
  const widths = new Map<number, number>();
  const fitted = new Set<string>();
  const known = new Map<string, number>();
  if (!work.trySpend(COST.glyph * used.codes.size)) return 'it uses too many characters';
  for (const code of used.codes) {
    const text = used.characters(code);
    const declared = used.widthOf(code) ?? substitute.standardWidths[text ?? ''];
    const glyph = glyphFor(text, declared, { substitute, readFont });
    if (typeof glyph === 'string') return glyph;
    if (glyph.isFitted) fitted.add(text!);
    const key = `${glyph.width} ${text}`;
    byCode.set(code, known.get(key) ?? glyphs.length);
    widths.set(code, glyph.width);
    if (known.has(key)) continue;
    known.set(key, glyphs.length);
    const advance = (glyph.width / 1000) * font.unitsPerEm;
    glyphs.push({ outline: glyph.outline, advance: Math.min(ADVANCE_MAX, Math.max(0, advance)) });
  }
  return { font, glyphs, byCode, widths, fitted };
}

interface FittedGlyph {
  readonly outline: readonly OutlineCommand[];
  readonly width: number;
  readonly isFitted: boolean;
}

function glyphFor(
  text: string | undefined,
  declared: number | undefined,
  { substitute, readFont }: { readonly substitute: Substitute; readonly readFont: ReadFont },
): FittedGlyph | string {
  const isEmpty = text !== undefined ? BLANK.test(text) : declared === 0;
  if (isEmpty && declared !== undefined) return { outline: [], width: declared, isFitted: false };
  if (text === undefined || [...text].length > CHARACTERS_MAX) return 'its codes have no known characters';
  const pieces = piecesOf(text, substitute, readFont);
  if (!pieces) return `${substitute.family} has no "${text}"`;
  const own = pieces.reduce((sum, { advance }) => sum + 1000 * advance, 0);
  const width = declared ?? Math.round(own);
  if (Math.abs(width - own) <= ROUNDING) return { outline: joined(pieces), width, isFitted: false };
  const fit = SIGN.test(text) ? fitOf(pieces, { own, width }) : undefined;
  if (!fit)
    return `its "${text}" differs in width from that of ${substitute.family}, the closest available font`;
  return { outline: joined(pieces, fit), width, isFitted: true };
}

/**
 * Returns the offset in em and the horizontal scale that centre a symbol in another width. Undefined if it would look
 * different.
 */
function fitOf(
  pieces: readonly Piece[],
  { own, width }: { readonly own: number; readonly width: number },
): { start: number; scale: number } | undefined {
  const across = pieces.flatMap(({ outline }) =>
    outline.flatMap(({ values }) => values.filter((_, index) => index % 2 === 0)),
  );
  const ink = across.length === 0 ? 0 : 1000 * (Math.max(...across) - Math.min(...across));
  if (ink <= width && Math.abs(width - own) <= SIGN_DIFFERENCE_MAX)
    return { start: (width - own) / 2000, scale: 1 };
  const scale = width / own;
  return scale >= SCALE_MIN && scale < 1 ? { start: 0, scale } : undefined;
}

interface Piece {
  readonly outline: readonly OutlineCommand[];
  /** In em. */
  readonly advance: number;
}

/** Returns the glyph of a character, or the glyphs of its compatibility decomposition, such as f and i. */
function piecesOf(text: string, substitute: Substitute, readFont: ReadFont): Piece[] | undefined {
  const pieces = [...text].map((character) => pieceOf(character, substitute, readFont));
  if (pieces.every((one) => one !== undefined)) return pieces;
  const parts = text.normalize('NFKC');
  return parts === text ? undefined : piecesOf(parts, substitute, readFont);
}

function pieceOf(character: string, { files }: Substitute, readFont: ReadFont): Piece | undefined {
  for (const path of files) {
    const font = openFontFile(path, readFont);
    if (!font?.covers(character.codePointAt(0)!)) continue;
    const [glyph] = font.shape(character, 0, character.length, { isRtl: false });
    return glyph && { outline: font.outline(glyph.id), advance: font.advance(glyph.id) };
  }
  return undefined;
}

/** @param fit offset of the first glyph in em, and horizontal scale */
function joined(pieces: readonly Piece[], { start, scale } = { start: 0, scale: 1 }): OutlineCommand[] {
  let at = start;
  return pieces.flatMap(({ outline, advance }) => {
    const shift = at;
    at += scale * advance;
    return outline.map(({ type, values }) => ({
      type,
      values: values.map((value, index) => (index % 2 === 0 ? scale * value + shift : value)),
    }));
  });
}
