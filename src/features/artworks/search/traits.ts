import { type ArtworkRecord, namesPicture } from '../records/record.ts';
import { sizeOfWork } from '../records/size_in_words.ts';
import { kindsOf } from './kinds.ts';

/** Filter values of a work, packed into one number: its kinds (kinds.ts), and these bits. */
export const CC0 = 1 << 30;
export const WITH_PICTURE = 2 ** 31;

const PIXELS_MAX = 65_535;

export const traitsOf = (record: ArtworkRecord): number =>
  kindsOf(record) + (record.rights.status === 'cc0' ? CC0 : 0) + (namesPicture(record) ? WITH_PICTURE : 0);

const MILLIMETRES_MAX = 65_535;

/** Height and width of a work in millimetres; 0: unknown, or not parsed. */
export function sidesOf({ dimensions }: ArtworkRecord): readonly [height: number, width: number] {
  const { height_cm: height = 0, width_cm: width = 0 } = sizeOfWork(dimensions) ?? {};
  const inMillimetres = (size: number) => Math.min(MILLIMETRES_MAX, Math.round(10 * size));
  return [inMillimetres(height), inMillimetres(width)];
}

/** Long side of the image in px; 0: unknown. */
export const longSideOf = ({ image }: ArtworkRecord): number =>
  Math.min(PIXELS_MAX, Math.max(image?.width ?? 0, image?.height ?? 0));
