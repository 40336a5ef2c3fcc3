import { entryOf, IIM_TAG, MANIFEST_TAG, readIfd, XMP_TAG } from '../tiff/ifd.ts';
import { nothingFound, type Packets } from './packets.ts';

/** XMP and IIM from the first directory; the Exif block is the file itself. */
export function readTiff(bytes: Uint8Array): Packets {
  const found = nothingFound();
  const ifd = readIfd(bytes);
  if (!ifd) return { ...found, problems: ['TIFF: its directory is damaged'] };
  const value = (tag: number) => {
    const data = entryOf(ifd, tag)?.data;
    return data && data.length > 0 ? data : undefined;
  };
  const xmp = value(XMP_TAG);
  if (xmp) found.xmp.push(xmp);
  const iim = value(IIM_TAG);
  if (iim) found.iim = iim;
  found.exif = bytes;
  found.hasManifest = value(MANIFEST_TAG) !== undefined;
  return found;
}
