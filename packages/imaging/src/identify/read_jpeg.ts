import { jpegSize } from '../codecs/headers/header.ts';
import { ADOBE_RGB } from '../color/color_coding.ts';
import {
  APP1,
  EXIF_HEAD,
  jpegSegments,
  type Segment,
  startsWith,
  XMP_HEAD,
} from '../metadata/containers/jpeg_segments.ts';
import type { FileIdentity, SampleModel } from './file_identity.ts';
import { readExif, xmpHasLocation } from './read_exif.ts';

const [APP2, APP14] = [0xe2, 0xee];
const ICC_HEAD = Buffer.from('ICC_PROFILE\0', 'latin1');
const ADOBE_HEAD = Buffer.from('Adobe', 'latin1');
const GAIN_MAP_HEAD = Buffer.from('urn:iso:std:iso:ts:21496:-1\0', 'latin1');
const GAIN_MAP_XMP = 'http://ns.adobe.com/hdr-gain-map/1.0/';
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Reads the properties of a JPEG. @throws EngineError undecodable_image */
export function identifyJpeg(bytes: Uint8Array): FileIdentity {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = jpegSize(view);
  const { segments, rest } = jpegSegments(bytes);
  const payload = (marker: number, head: Buffer) =>
    segments.find((segment) => segment.marker === marker && startsWith(segment.payload, head))?.payload;
  const exif = readExif(payload(APP1, EXIF_HEAD)?.subarray(EXIF_HEAD.length));
  const xmp = payload(APP1, XMP_HEAD);
  const profile = profileIn(segments);
  const frame = segments.find(
    ({ marker }) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker),
  );
  const hasGainMap = Boolean(payload(APP2, GAIN_MAP_HEAD) ?? xmp?.includes(GAIN_MAP_XMP));
  const adobe = !profile && exif.isAdobeRgb ? { source: 'exif' as const, coding: ADOBE_RGB } : undefined;
  return {
    ...size,
    orientation: exif.orientation,
    samples: {
      bits: frame?.payload[0] ?? 8,
      channels: frame?.payload[5] ?? 3,
      model: modelOf(frame, Boolean(payload(APP14, ADOBE_HEAD))),
      extra: [],
    },
    color: profile ? { source: 'icc', profile } : (adobe ?? { source: 'default' }),
    hdr: hasGainMap ? 'gain map' : undefined,
    hasLocation: exif.hasLocation || (xmp !== undefined && xmpHasLocation(xmp)),
    compression: nameOfFrame(frame?.marker),
    faults: isOpen(bytes, rest) ? ['it does not end with the end-of-image marker'] : [],
  };
}

function modelOf(frame: Segment | undefined, isAdobe: boolean): SampleModel {
  const components = frame?.payload[5] ?? 3;
  if (components === 4) return 'cmyk';
  return components === 1 ? 'grey' : isAdobe ? 'rgb' : 'ycbcr';
}

/** ITU-T T.81, table B.1 */
function nameOfFrame(marker = 0xc0): string {
  const coding = marker >= 0xc8 ? ' with arithmetic coding' : '';
  const process = ['baseline', 'extended sequential', 'progressive', 'lossless'][marker & 3]!;
  return `${process} JPEG${coding}`;
}

/** The ICC profile, its segments joined by sequence number. ICC.1:2022, annex B.4 */
function profileIn(segments: readonly Segment[]): Buffer | undefined {
  const pieces = segments
    .filter(({ marker, payload }) => marker === APP2 && startsWith(payload, ICC_HEAD) && payload.length > 14)
    .map(({ payload }) => payload.subarray(ICC_HEAD.length))
    .sort((one, other) => one[0]! - other[0]!);
  return pieces.length > 0 && pieces.length === pieces[0]![1]
    ? Buffer.concat(pieces.map((piece) => piece.subarray(2)))
    : undefined;
}

/** Whether the end-of-image marker is missing after the first scan. */
export function isOpen(bytes: Uint8Array, scan: number): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.lastIndexOf(END_OF_IMAGE) < scan;
}
