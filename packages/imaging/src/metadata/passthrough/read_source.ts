import { createHash } from 'node:crypto';
import { identify } from '../../codecs/identify.ts';
import { awaitDecoding, openPicture } from '../../codecs/open_picture.ts';
import { manifestStoreIn } from '../../provenance/c2pa/manifest_store.ts';
import type { Packets } from '../containers/packets.ts';
import { dropHead } from '../containers/read_webp.ts';
import { readPackets, readProperties } from '../read_metadata.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import { type GainMap, readGainMap } from './gain_map.ts';
import { otherBlocks } from './other_blocks.ts';

/** Everything a picture carries beside its pixels, read but not yet judged. */
export interface Source extends Pick<Packets, 'iim' | 'exif' | 'texts'> {
  readonly properties: readonly XmlElement[];
  readonly icc?: Uint8Array | undefined;
  readonly gainMap?: GainMap | undefined;
  /** Its C2PA manifest, with the sha256 of the store in hex; absent where it lies elsewhere, or there is more than one. */
  readonly manifest?: { readonly isInside: boolean; readonly sha256?: string } | undefined;
  readonly orientation: number;
  /** Upright. */
  readonly width: number;
  readonly height: number;
  /** What else a JPEG carries, which never goes over, and what it is. */
  readonly others: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** @throws EngineError undecodable_image, unsupported_image, image_too_large */
export async function readSource(bytes: Uint8Array): Promise<Source> {
  const { icc, exif, xmp, orientation = 1, autoOrient } = await awaitDecoding(openPicture(bytes).metadata());
  const kind = identify(bytes);
  const format = 'format' in kind ? kind.format : undefined;
  const own = readPackets(bytes);
  const packets =
    format === 'avif'
      ? { ...own, xmp: xmp ? [xmp] : [], ...(exif && { exif: dropHead(exif) }) }
      : format === 'gif'
        ? { ...own, xmp: gifXmp(bytes) }
        : own;
  const problems = [...packets.problems];
  const properties = readProperties(packets, problems);
  return {
    ...packets,
    properties,
    icc,
    orientation,
    ...{ width: autoOrient.width, height: autoOrient.height },
    gainMap: format === 'jpeg' ? readGainMap(bytes) : undefined,
    manifest: manifestOf(bytes, packets.hasManifest, properties),
    others: format === 'jpeg' ? otherBlocks(bytes) : {},
    problems,
  };
}

const GIF_XMP = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/** The packet is followed by 258 bytes by which readers of sub-blocks find its end: XMP part 3, 1.1.2. */
const GIF_TRAILER_BYTES = 258;

function gifXmp(bytes: Uint8Array): Uint8Array[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = buffer.indexOf(GIF_XMP);
  if (at < 0) return [];
  const from = at + GIF_XMP.length;
  const trailer = buffer.indexOf(Buffer.from([0x01, 0xff, 0xfe, 0xfd]), from);
  return trailer < 0 || trailer + GIF_TRAILER_BYTES > buffer.length + 2
    ? []
    : [buffer.subarray(from, trailer)];
}

function manifestOf(
  bytes: Uint8Array,
  hasManifest: boolean,
  properties: readonly XmlElement[],
): Source['manifest'] {
  if (!hasManifest)
    return properties.some((property) => qualifiedName(property) === 'dcterms:provenance')
      ? { isInside: false }
      : undefined;
  const store = manifestStoreIn(bytes);
  return { isInside: true, ...(store && { sha256: createHash('sha256').update(store).digest('hex') }) };
}
