import type { ColorLink } from '../../color/color_link.ts';
import type { GlyphOutlines } from '../../decoders/glyph_outlines.ts';
import type { PrintCondition } from '../../print/sheet_file.ts';
import type { ReadFont } from '../../typography/open_fonts.ts';

/** Printing condition and resources of a repair. */
export interface RepairPress {
  /** Used if the file has no readable output intent. */
  readonly condition: PrintCondition;
  readonly fromSrgb: ColorLink;
  /** Builds a link from sRGB to the inks of a profile in the file. Undefined if it is not a CMYK output profile. */
  linkFor(profile: Uint8Array): ColorLink | undefined;
  /** Substitutes for fonts that are not embedded. */
  readonly readFont: ReadFont;
  /**
   * Reads the glyphs of a font from a PDF that starts with text in it. Present if text is to be converted to outlines.
   */
  readonly readGlyphs?: ((file: Uint8Array) => GlyphOutlines | undefined) | undefined;
}

export interface Repair {
  /** The repaired file. Absent if nothing was repaired. */
  readonly bytes?: Uint8Array;
  /** Changes made, as sentences. */
  readonly changes: readonly string[];
  /** Faults that were not repaired, with the remedy, as sentences. */
  readonly left: readonly string[];
}
