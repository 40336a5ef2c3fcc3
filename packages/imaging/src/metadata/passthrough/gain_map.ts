import { awaitDecoding } from '../../codecs/open_picture.ts';
import { sharp } from '../../codecs/sharp.ts';
import { APP1, jpegSegments, type Segment, startsWith, XMP_HEAD } from '../containers/jpeg_segments.ts';
import { entryOf, readIfd } from '../tiff/ifd.ts';
import { element, textProperty } from '../xmp/make_property.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import { GAIN_MAP_BYTES_MAX, LISTED_PICTURES_MAX } from './limits.ts';

/** The second image of an UltraHDR JPEG: the additional brightness of each area on an HDR display. */
export interface GainMap {
  /** A JPEG with its own XMP or ISO 21496-1 segment, which describe how to apply it. */
  readonly bytes: Uint8Array;
  /** ISO 21496-1 segments of the first image. */
  readonly versionSegments: readonly Uint8Array[];
}

const APP2 = 0xe2;
const MPF_HEAD = Buffer.from('MPF\0', 'latin1');
const ISO_HEAD = Buffer.from('urn:iso:std:iso:ts:21496:-1\0', 'latin1');
const [VERSION_TAG, NUMBER_TAG, ENTRIES_TAG] = [0xb000, 0xb001, 0xb002];
const ENTRY_BYTES = 16;

const isIso = ({ marker, payload }: Segment): boolean => marker === APP2 && startsWith(payload, ISO_HEAD);
const isGainMap = (segments: readonly Segment[]): boolean =>
  segments.some(
    (segment) =>
      isIso(segment) ||
      (segment.marker === APP1 &&
        startsWith(segment.payload, XMP_HEAD) &&
        segment.payload.includes('http://ns.adobe.com/hdr-gain-map/1.0/')),
  );

/** The gain map that a JPEG lists (CIPA DC-007 Multi-Picture Format); undefined if there is none or it is unreadable. */
export function readGainMap(bytes: Uint8Array): GainMap | undefined {
  const { segments } = jpegSegments(bytes);
  const listing = segments.find(({ marker, payload }) => marker === APP2 && startsWith(payload, MPF_HEAD));
  if (!listing) return undefined;
  const listed = listing.payload.subarray(MPF_HEAD.length);
  const origin = listed.byteOffset - bytes.byteOffset;
  const ifd = readIfd(listed);
  const entries = entryOf(ifd, ENTRIES_TAG)?.data ?? new Uint8Array();
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  const count = Math.min(Math.floor(entries.length / ENTRY_BYTES), LISTED_PICTURES_MAX);
  for (let index = 1; index < count; index += 1) {
    const size = view.getUint32(index * ENTRY_BYTES + 4, ifd!.little);
    const from = origin + view.getUint32(index * ENTRY_BYTES + 8, ifd!.little);
    if (size > GAIN_MAP_BYTES_MAX || from + size > bytes.length) continue;
    const picture = bytes.subarray(from, from + size);
    if (picture[0] === 0xff && picture[1] === 0xd8 && isGainMap(jpegSegments(picture).segments))
      return { bytes: picture, versionSegments: segments.filter(isIso).map((segment) => segment.bytes) };
  }
  return undefined;
}

export interface GainMapPlacing {
  /** Exif orientation of the first image, applied to its pixels. */
  readonly orientation: number;
  /** The remaining part of the upright image, as fractions of its sides. */
  readonly part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/**
 * Rotates and crops a gain map like its image. Unchanged if neither applies: it may have any size, because it is stretched over the image. @throws
 * EngineError if it cannot be decoded
 */
export async function placeGainMap(map: GainMap, { orientation, part }: GainMapPlacing): Promise<GainMap> {
  const isWhole = part.width >= 1 && part.height >= 1;
  if (orientation === 1 && isWhole) return map;
  const upright = await turnUpright(map.bytes, orientation);
  const { width, height, channels } = await awaitDecoding(sharp(upright).metadata());
  const cut = {
    left: Math.round(part.x * width),
    top: Math.round(part.y * height),
    width: Math.max(1, Math.round(part.width * width)),
    height: Math.max(1, Math.round(part.height * height)),
  };
  const pixels = await awaitDecoding(
    sharp(upright)
      .extract(cut)
      .toColourspace(channels < 3 ? 'b-w' : 'srgb')
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  );
  const says = jpegSegments(map.bytes).segments.filter(
    (segment) => isIso(segment) || (segment.marker === APP1 && startsWith(segment.payload, XMP_HEAD)),
  );
  return {
    ...map,
    bytes: Buffer.concat([pixels.subarray(0, 2), ...says.map(({ bytes }) => bytes), pixels.subarray(2)]),
  };
}

/** Clockwise rotation followed by horizontal mirroring, by Exif orientation. */
const TURNS: readonly (readonly [degrees: number, mirrored: boolean])[] = [
  [0, false],
  [0, true],
  [180, false],
  [180, true],
  [90, true],
  [90, false],
  [270, true],
  [270, false],
] as never;

async function turnUpright(bytes: Uint8Array, orientation: number): Promise<Uint8Array> {
  const [degrees, isMirrored] = TURNS[orientation - 1] ?? TURNS[0]!;
  // A single channel stays single: three would be read as one map per colour.
  const { space = 'srgb' } = await awaitDecoding(sharp(bytes).metadata());
  const turned =
    degrees === 0
      ? bytes
      : await awaitDecoding(sharp(bytes).rotate(degrees).toColourspace(space).png().toBuffer());
  return isMirrored ? awaitDecoding(sharp(turned).flop().toColourspace(space).png().toBuffer()) : turned;
}

const HDRGM = 'http://ns.adobe.com/hdr-gain-map/1.0/';
const CONTAINER = 'http://ns.google.com/photos/1.0/container/';
const ITEM = 'http://ns.google.com/photos/1.0/container/item/';

/** XMP of the first image that describes the second one, by the UltraHDR format 1.1. */
export function gainMapProperties({ bytes }: GainMap): XmlElement[] {
  const named = (uri: string, prefix: string, name: string, value: string) => ({ uri, prefix, name, value });
  const item = (semantic: string, ...more: readonly [name: string, value: string][]): XmlElement =>
    element('rdf:li', {
      attributes: [{ ...RDF_RESOURCE, value: 'Resource' }],
      children: [
        {
          uri: CONTAINER,
          prefix: 'Container',
          name: 'Item',
          text: '',
          children: [],
          attributes: [['Semantic', semantic] as const, ['Mime', 'image/jpeg'] as const, ...more].map(
            ([name, value]) => named(ITEM, 'Item', name, value),
          ),
        },
      ],
    });
  return [
    { ...textProperty('dc:format', '1.0'), uri: HDRGM, prefix: 'hdrgm', name: 'Version' },
    {
      uri: CONTAINER,
      prefix: 'Container',
      name: 'Directory',
      text: '',
      attributes: [],
      children: [
        element('rdf:Seq', {
          children: [item('Primary'), item('GainMap', ['Length', String(bytes.length)])],
        }),
      ],
    },
  ];
}

const RDF_RESOURCE = {
  uri: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  prefix: 'rdf',
  name: 'parseType',
} as const;

/** Appends a gain map to a JPEG, and inserts the index of both images. */
export function appendGainMap(jpeg: Uint8Array, { bytes, versionSegments }: GainMap): Buffer {
  const { segments } = jpegSegments(jpeg);
  const firstOther = segments.find(({ marker }) => marker !== 0xe0 && marker !== APP1);
  const at = firstOther ? firstOther.bytes.byteOffset - jpeg.byteOffset : 2;
  const before = [jpeg.subarray(0, at), ...versionSegments];
  const beforeBytes = before.reduce((sum, { length }) => sum + length, 0);
  const listBytes = mpfSegment(0, 0, 0).length;
  const primaryBytes = jpeg.length + beforeBytes - at + listBytes;
  // Offsets count from the byte after "MPF" and its zero.
  const origin = beforeBytes + 4 + MPF_HEAD.length;
  const list = mpfSegment(primaryBytes, bytes.length, primaryBytes - origin);
  return Buffer.concat([...before, list, jpeg.subarray(at), bytes]);
}

function mpfSegment(primaryBytes: number, mapBytes: number, mapAt: number): Buffer {
  const directory = Buffer.alloc(2 + 3 * 12 + 4);
  directory.writeUInt16BE(3, 0);
  const entry = (index: number, tag: number, type: number, count: number, value: Buffer) => {
    directory.writeUInt16BE(tag, 2 + index * 12);
    directory.writeUInt16BE(type, 4 + index * 12);
    directory.writeUInt32BE(count, 6 + index * 12);
    value.copy(directory, 10 + index * 12);
  };
  const head = Buffer.from('4d4d002a00000008', 'hex');
  const long = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  entry(0, VERSION_TAG, 7, 4, Buffer.from('0100'));
  entry(1, NUMBER_TAG, 4, 1, long(2));
  entry(2, ENTRIES_TAG, 7, 2 * ENTRY_BYTES, long(head.length + directory.length));
  // The first entry is the "Baseline MP Primary Image", with offset 0 by definition.
  const entries = [
    long(0x030000),
    long(primaryBytes),
    long(0),
    long(0),
    long(0),
    long(mapBytes),
    long(mapAt),
    long(0),
  ];
  const payload = Buffer.concat([MPF_HEAD, head, directory, ...entries]);
  const start = Buffer.from([0xff, APP2, 0, 0]);
  start.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([start, payload]);
}
