import type { ColorLink } from '../../color/color_link.ts';
import type { GlyphOutlines } from '../../decoders/glyph_outlines.ts';
import type { PrintCondition } from '../../print/sheet_file.ts';
import type { ReadFont } from '../../typography/open_fonts.ts';

/** The printing condition a file is repaired for. */
export interface RepairPress {
  /** Used where the file names none that can be read. */
  readonly condition: PrintCondition;
  readonly fromSrgb: ColorLink;
  /** From sRGB to the inks of a profile in the file; undefined where it is no profile of a press. */
  linkFor(profile: Uint8Array): ColorLink | undefined;
  /** Fonts for text whose font is not in the file. */
  readonly readFont: ReadFont;
  /** Reads the glyphs of a font from a PDF that begins with text in it, where text shall become outlines. */
  readonly readGlyphs?: ((file: Uint8Array) => GlyphOutlines | undefined) | undefined;
}

export interface Repair {
  /** The repaired file; absent where nothing was repaired. */
  readonly bytes?: Uint8Array;
  /** What was done, in sentences. */
  readonly changes: readonly string[];
  /** What could not be done, and what to do instead. */
  readonly left: readonly string[];
}
