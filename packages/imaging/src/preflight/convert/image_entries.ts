import type { Size } from '../../pixels/plane.ts';
import { Name, type PdfDictionary, type PdfValue } from '../pdf/values.ts';

/** Dictionary entries of an 8-bit image with FlateDecode. @param space device colour space, such as `DeviceCMYK` */
export const imageEntries = ({ width, height }: Size, space: string): PdfDictionary =>
  new Map<string, PdfValue>([
    ['Type', new Name('XObject')],
    ['Subtype', new Name('Image')],
    ['Width', width],
    ['Height', height],
    ['BitsPerComponent', 8],
    ['ColorSpace', new Name(space)],
    ['Filter', new Name('FlateDecode')],
  ]);
