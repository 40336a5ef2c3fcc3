import {
  extractPalette,
  type Palette,
  type PaletteRequest,
} from '@atelier/imaging/palette/extract_palette.ts';
import { typefaceOf } from './open_typeface.ts';

export interface PaletteWish extends Omit<PaletteRequest, 'sheetType'> {
  readonly isSheetWanted: boolean;
}

/** The palette of a picture; on its sheet, if it is wanted, in type that is opened only then. */
export const runPalette = ({ isSheetWanted, ...wish }: PaletteWish): Promise<Palette> =>
  extractPalette({
    ...wish,
    ...(isSheetWanted && { sheetType: { regular: typefaceOf('regular'), bold: typefaceOf('bold') } }),
  });
