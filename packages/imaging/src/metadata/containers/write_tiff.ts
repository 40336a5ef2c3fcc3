import { editIfd, type IfdChange } from '../tiff/edit_ifd.ts';
import { IIM_TAG, MANIFEST_TAG, XMP_TAG } from '../tiff/tags.ts';
import { writeXmp } from '../xmp/write_xmp.ts';
import type { NewPackets } from './new_packets.ts';

/** XMP, IIM and the Exif mirrors as entries of the first directory. Strips and tiles keep their places. */
export function writeTiff(
  bytes: Uint8Array,
  { properties, iim }: NewPackets,
  exifChanges: readonly IfdChange[],
): Buffer | undefined {
  return editIfd(bytes, [
    ...exifChanges,
    { tag: XMP_TAG, type: 1, data: writeXmp(properties) },
    ...(iim ? [{ tag: IIM_TAG, type: 7 as const, data: iim }] : []),
    { tag: MANIFEST_TAG, type: 7 },
  ]);
}
