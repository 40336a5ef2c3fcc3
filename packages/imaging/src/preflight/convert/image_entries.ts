import type { Size } from '../../pixels/plane.ts';
import { Name, type PdfDictionary, type PdfValue } from '../pdf/values.ts';

/** What the dictionary of an image of 8 bits, deflated, begins with. @param space a device colour space, such as `DeviceCMYK` */
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
