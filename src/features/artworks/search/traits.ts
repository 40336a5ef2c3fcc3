import { type ArtworkRecord, namesPicture } from '../records/record.ts';
import { kindsOf } from './kinds.ts';

/** What filters ask of a work, in the bits of one number: its kinds (kinds.ts), and these. */
export const CC0 = 1 << 30;
export const WITH_PICTURE = 2 ** 31;

const PIXELS_MAX = 65_535;

export const traitsOf = (record: ArtworkRecord): number =>
  kindsOf(record) + (record.rights.status === 'cc0' ? CC0 : 0) + (namesPicture(record) ? WITH_PICTURE : 0);

/** Pixels on the long side of the picture, as far as the museum says; 0: it does not. */
export const longSideOf = ({ image }: ArtworkRecord): number =>
  Math.min(PIXELS_MAX, Math.max(image?.width ?? 0, image?.height ?? 0));
