import * as hb from 'harfbuzzjs';
import { unwrapWoff } from './unwrap_woff.ts';

/** A shaped glyph. Lengths in em, y upwards. */
export interface Glyph {
  readonly id: number;
  /** Index of its first character in the text. */
  readonly cluster: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
}

/** One command of an outline; points in em, y upwards. */
export interface OutlineCommand {
  readonly type: 'M' | 'L' | 'Q' | 'C' | 'Z';
  readonly values: readonly number[];
}

export interface ShapeOptions {
  readonly isRtl: boolean;
  /** BCP 47. */
  readonly language?: string | undefined;
}

/** An open font file. */
export interface Font {
  /** The path it was read from. */
  readonly path: string;
  /** Above and below the baseline, in em; both positive. */
  readonly ascent: number;
  readonly descent: number;
  /** Whether its glyphs are multicoloured (COLR version 1). */
  readonly isColor: boolean;
  /** Memory in bytes. */
  readonly bytes: number;
  /** HarfBuzz's handle, for painting colour glyphs. */
  readonly handle: hb.Font;
  readonly unitsPerEm: number;
  covers(codePoint: number): boolean;
  /** Glyphs in visual order for `text[start, end)`, shaped in the context of the whole text. */
  shape(text: string, start: number, end: number, options: ShapeOptions): Glyph[];
  outline(glyph: number): readonly OutlineCommand[];
  /** Advance of a glyph, in em. */
  advance(glyph: number): number;
}

const OUTLINES_KEPT_MAX = 2000;
const buffer = new hb.Buffer();

/** Opens a TrueType, OpenType or WOFF 1.0 file. @throws Error for any other file */
export function openFont(path: string, file: Uint8Array): Font {
  const sfnt = unwrapWoff(file);
  const face = new hb.Face(new hb.Blob(sfnt));
  const font = new hb.Font(face);
  const characters = new Set(face.collectUnicodes());
  if (characters.size === 0) throw new Error('the font has no characters');
  const { ascender, descender } = font.hExtents();
  const { upem } = face;
  const outlines = new Map<number, readonly OutlineCommand[]>();
  return {
    path,
    ascent: ascender / upem,
    descent: -descender / upem,
    isColor: face.hasColorPaint(),
    bytes: sfnt.length,
    handle: font,
    unitsPerEm: upem,
    covers: (codePoint) => characters.has(codePoint),
    shape(text, start, end, { isRtl, language }) {
      buffer.reset();
      buffer.addText(text, start, end - start);
      buffer.guessSegmentProperties();
      buffer.setDirection(isRtl ? hb.Direction.RTL : hb.Direction.LTR);
      if (language) buffer.setLanguage(language);
      hb.shape(font, buffer);
      return buffer
        .getGlyphInfosAndPositions()
        .map(({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
          id: codepoint,
          cluster,
          advance: xAdvance / upem,
          x: xOffset / upem,
          y: yOffset / upem,
        }));
    },
    advance: (glyph) => font.glyphHAdvance(glyph) / upem,
    outline(glyph) {
      const known = outlines.get(glyph);
      if (known) return known;
      const outline = font.glyphToJson(glyph).map(({ type, values }) => ({
        type: type as OutlineCommand['type'],
        values: values.map((value) => value / upem),
      }));
      if (outlines.size >= OUTLINES_KEPT_MAX) outlines.clear();
      outlines.set(glyph, outline);
      return outline;
    },
  };
}
