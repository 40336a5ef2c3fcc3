import { sharp } from '../codecs/sharp.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import {
  type AnchoredWindow,
  ASKED,
  ASKED_IN_REGION,
  anchoredWindows,
  REGISTERED,
  REGISTERED_IN_REGION,
  regionWindows,
} from './anchored_windows.ts';
import { DIHEDRAL, hashedLuma, pdqOf } from './pdq/pdq.ts';
import { SIDE_PX, smallPicture } from './small_picture.ts';

export interface Fingerprint {
  /** PDQ hashes of the image, rotated and mirrored, in the order of DIHEDRAL. */
  readonly hashes: readonly Uint8Array[];
  /** 0 to 100; below 50 the hash is unreliable. */
  readonly quality: number;
  /** Hashes of windows, 32 bytes each, concatenated. */
  readonly windows: Uint8Array;
  /** A small WebP of the image, for comparison with later copies. */
  readonly preview: Uint8Array;
  /** Size of the upright image, in pixels. */
  readonly width: number;
  readonly height: number;
}

interface Request {
  readonly bytes: Uint8Array;
  /** Windows to store, or all query windows, including rotated and mirrored ones. */
  readonly purpose: 'register' | 'verify';
}

const PREVIEW_QUALITY = 70;

const ENGINE = { name: 'pdq-anchored', version: '2' } as const;

/** Computes the fingerprint of an image. @throws EngineError undecodable_image, image_too_large */
export async function fingerprintOf({
  bytes,
  purpose,
}: Request): Promise<Fingerprint & { engine: typeof ENGINE }> {
  const { luma, width, height } = await hashedLuma(bytes);
  const { hashes, quality } = pdqOf(luma);
  const small = await smallPicture(bytes);
  const windows =
    purpose === 'register'
      ? [
          ...anchoredWindows(small.grey, REGISTERED),
          ...regionWindows(await inDetail(bytes), REGISTERED_IN_REGION),
        ].flatMap(firstHash)
      : anchoredWindows(small.grey, ASKED).flatMap(hashesOfBothSides);
  return {
    hashes,
    quality,
    windows: joinHashes(windows),
    preview: await webp(small),
    width,
    height,
    engine: ENGINE,
  };
}

/**
 * Additional query windows for an image whose own found no match: those of its regions, each of which may be a pasted image.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function regionCodesOf({
  bytes,
}: {
  readonly bytes: Uint8Array;
}): Promise<{ windows: Uint8Array; engine: typeof ENGINE }> {
  const windows = regionWindows(await inDetail(bytes), ASKED_IN_REGION);
  return { windows: joinHashes(windows.flatMap(hashesOfBothSides)), engine: ENGINE };
}

const inDetail = async (bytes: Uint8Array): Promise<Plane> => (await smallPicture(bytes, 2 * SIDE_PX)).grey;

const firstHash = ({ pdq }: AnchoredWindow): Uint8Array[] => [pdq.hashes[0]!];

/** The order of the keypoints, and whether the image was mirrored, are unknown. */
const hashesOfBothSides = ({ pdq }: AnchoredWindow): Uint8Array[] =>
  (['original', 'rotate180', 'flipX', 'flipY'] as const).map((turn) => pdq.hashes[DIHEDRAL.indexOf(turn)]!);

async function webp({ data, width, height, channels }: Raster): Promise<Uint8Array> {
  const picture = sharp(data, { raw: { width, height, channels } });
  return new Uint8Array(await picture.webp({ quality: PREVIEW_QUALITY }).toBuffer());
}

function joinHashes(hashes: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(hashes.length * 32);
  for (const [at, hash] of hashes.entries()) bytes.set(hash, at * 32);
  return bytes;
}
