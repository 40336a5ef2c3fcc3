/** Supported formats, by the names of `SourceImage.format`. */
export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'avif' | 'tiff' | 'gif';

/**
 * Detects the format from the first bytes, never from a file name or declared type. Unsupported formats are named, so that the client learns what was
 * sent.
 */
export function identify(bytes: Uint8Array): { format: PictureFormat } | { other: string } {
  const start = latin1(bytes.subarray(0, 64));
  const format = FORMATS.find(([, pattern]) => pattern.test(start))?.[0];
  if (format) return { format };
  const other = OTHERS.find(([, pattern]) => pattern.test(start))?.[0];
  return { other: other ?? textKind(latin1(bytes.subarray(0, 1024))) };
}

const FORMATS: readonly [PictureFormat, RegExp][] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['gif', /^GIF8[79]a/],
  ['tiff', /^(II[*+]\0|MM\0[*+])/],
  ['avif', /^.{4}ftyp(avif|avis|(mif1|msf1|miaf).*(avif|avis))/s],
];

const OTHERS: readonly [string, RegExp][] = [
  ['a HEIC picture', /^.{4}ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/s],
  ['a video (MP4 or QuickTime)', /^.{4}(ftyp|moov|mdat)/s],
  ['a BMP picture', /^BM/],
  ['a JPEG XL picture', /^(\xff\x0a|\0\0\0\x0cJXL )/],
  ['a JPEG 2000 picture', /^(\0\0\0\x0cjP |\xff\x4f\xff\x51)/],
  ['a PDF document', /^%PDF/],
  ['PostScript', /^(%!PS|\xc5\xd0\xd3\xc6)/],
  ['a Photoshop document', /^8BPS/],
  ['an icon file', /^\0\0[\x01\x02]\0/],
  ['an OpenEXR picture', /^\x76\x2f\x31\x01/],
  ['a Radiance HDR picture', /^#\?R/],
  ['a Netpbm picture', /^P[1-7fF]\s/],
  ['a QOI picture', /^qoif/],
  ['a DirectDraw picture', /^DDS /],
  ['a ZIP archive', /^PK\x03\x04/],
  ['a gzip archive', /^\x1f\x8b/],
  ['a WebM or Matroska video', /^\x1a\x45\xdf\xa3/],
  ['a RIFF file without a WebP picture', /^RIFF/],
];

function textKind(start: string): string {
  if (/<svg[\s>]/i.test(start)) return 'an SVG drawing';
  if (/^\s*(<!doctype html|<html)/i.test(start)) return 'an HTML page';
  if (/^(\xef\xbb\xbf)?\s*<\?xml/.test(start)) return 'an XML document';
  if (/^[\t\n\r\x20-\x7e\x80-\xff]*$/.test(start)) return 'text';
  return 'bytes of no picture format known here';
}

/** Whether a media type is that of a supported format. */
export const isReadType = (mediaType: string): boolean =>
  FORMATS.some(([format]) => mediaType.toLowerCase() === `image/${format}`);

/** TextDecoder('latin1') is windows-1252 and would change the bytes 80 to 9f. */
const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
