import {
  extractPalette,
  type Palette,
  type PaletteRequest,
} from '@atelier/imaging/palette/extract_palette.ts';
import { typefaceOf } from './open_typeface.ts';

export interface PaletteSheetRequest extends Omit<PaletteRequest, 'sheetType'> {
  readonly isSheetWanted: boolean;
}

/** Extracts the palette of an image; the typefaces of its sheet are opened only if a sheet is requested. */
export const runPalette = ({ isSheetWanted, ...wish }: PaletteSheetRequest): Promise<Palette> =>
  extractPalette({
    ...wish,
    ...(isSheetWanted && { sheetType: { regular: typefaceOf('regular'), bold: typefaceOf('bold') } }),
  });
