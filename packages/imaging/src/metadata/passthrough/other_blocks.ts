import { IIM_DIGEST_RESOURCE, IIM_RESOURCE, imageResources } from '../containers/image_resources.ts';
import {
  APP13,
  jpegSegments,
  PHOTOSHOP_HEAD,
  type Segment,
  startsWith,
} from '../containers/jpeg_segments.ts';

const COMMENT = 0xfe;
const [APP0, APP15] = [0xe0, 0xef];
/** Segments that are read elsewhere, or tell how the pixels are coded: JFIF, Exif, XMP, profile, list of pictures, JUMBF, Photoshop, Adobe. */
const KNOWN =
  /^(\xe0JFIF|\xe1(Exif\0|http:\/\/ns\.adobe\.com\/(xap|xmp))|\xe2(ICC_PROFILE|MPF\0|urn:iso:std:iso:ts:21496)|\xebJP|\xedPhotoshop|\xeeAdobe)/;
const NAMED_MAX = 8;

/** What a JPEG carries that never goes over, by name, and what it is: comments, Photoshop's resources, segments of makers, what lies behind. */
export function otherBlocks(bytes: Uint8Array): Record<string, string> {
  const { segments } = jpegSegments(bytes);
  const others = [...new Set(segments.filter(isOther).map(nameOf))];
  return {
    ...(segments.some(({ marker }) => marker === COMMENT) && {
      comment: 'JPEG comments are not carried over',
    }),
    ...(hasResources(segments) && { photoshop: "Photoshop's own resources are not carried over" }),
    ...(others.length > 0 && {
      app_segments: `what only their makers read: ${others.slice(0, NAMED_MAX).join(', ')}`,
    }),
    ...(hasTrailer(bytes) && { trailer: 'what lies behind the picture is not carried over' }),
  };
}

const isOther = ({ marker, payload }: Segment): boolean =>
  marker >= APP0 &&
  marker <= APP15 &&
  !KNOWN.test(String.fromCharCode(marker) + payload.toString('latin1', 0, 40));

/** `APP2 FPXR`, with the letters the segment begins with. */
function nameOf({ marker, payload }: Segment): string {
  const [letters = ''] = /^[\w ]{0,12}/.exec(payload.toString('latin1', 0, 12)) ?? [];
  return `APP${marker - APP0} ${letters}`.trim();
}

function hasResources(segments: readonly Segment[]): boolean {
  const resources = segments
    .filter(({ marker, payload }) => marker === APP13 && startsWith(payload, PHOTOSHOP_HEAD))
    .map(({ payload }) => payload.subarray(PHOTOSHOP_HEAD.length));
  return imageResources(Buffer.concat(resources)).some(
    ({ id }) => id !== IIM_RESOURCE && id !== IIM_DIGEST_RESOURCE,
  );
}

/** The last end of image is where the file ends, or a gain map or preview does; zeros fill up blocks. */
function hasTrailer(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.lastIndexOf(Buffer.from([0xff, 0xd9]));
  return end >= 0 && buffer.subarray(end + 2).some((byte) => byte !== 0);
}
