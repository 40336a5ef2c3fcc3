import { hashedLuma } from '../pdq/hashed_luma.ts';
import { DIHEDRAL, pdqOf } from '../pdq/pdq.ts';
import { decoded, openPicture } from '../picture/open_picture.ts';
import { sharp } from '../picture/sharp.ts';
import {
  type AnchoredWindow,
  ASKED,
  anchoredWindows,
  PLANE_SIDE_PX,
  REGISTERED,
} from './anchored_windows.ts';
import type { Plane } from './gaussian_blur.ts';

export interface Fingerprint {
  /** PDQ of the picture as it is and turned and mirrored, in the order of DIHEDRAL. */
  readonly hashes: readonly Uint8Array[];
  /** 0 to 100; below 50 the hash says little. */
  readonly quality: number;
  /** Hashes of windows, 32 bytes each, one after the other. */
  readonly windows: Uint8Array;
  /** The picture in small, as WebP: what a later copy is compared with. */
  readonly preview: Uint8Array;
  /** Pixels, upright. */
  readonly width: number;
  readonly height: number;
}

interface Request {
  readonly bytes: Uint8Array;
  /** Windows to be kept, or all those that a kept one may be found by, turned and mirrored too. */
  readonly purpose: 'register' | 'verify';
}

const ENGINE = { name: 'pdq-anchored', version: '1' } as const;

/**
 * What a picture is recognised by. @throws AtelierError undecodable_image, image_too_large
 */
export async function fingerprintOf({
  bytes,
  purpose,
}: Request): Promise<Fingerprint & { engine: typeof ENGINE }> {
  const { luma, width, height } = await hashedLuma(bytes);
  const { hashes, quality } = pdqOf(luma);
  const { preview, plane } = await inSmall(bytes);
  const windows = anchoredWindows(plane, purpose === 'register' ? REGISTERED : ASKED);
  return {
    hashes,
    quality,
    windows: joined(windows.flatMap(purpose === 'register' ? asItIs : fromBothSides)),
    preview,
    width,
    height,
    engine: ENGINE,
  };
}

const asItIs = ({ pdq }: AnchoredWindow): Uint8Array[] => [pdq.hashes[0]!];

/** Which keypoint comes first, and whether the picture was mirrored, is not known. */
const fromBothSides = ({ pdq }: AnchoredWindow): Uint8Array[] =>
  (['original', 'rotate180', 'flipX', 'flipY'] as const).map((turn) => pdq.hashes[DIHEDRAL.indexOf(turn)]!);

function joined(hashes: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(hashes.length * 32);
  for (const [at, hash] of hashes.entries()) bytes.set(hash, at * 32);
  return bytes;
}

async function inSmall(bytes: Uint8Array): Promise<{ preview: Uint8Array; plane: Plane }> {
  const { data, info } = await decoded(
    openPicture(bytes)
      .toColourspace('srgb')
      .flatten({ background: '#000' })
      .removeAlpha()
      .resize(PLANE_SIDE_PX, PLANE_SIDE_PX, { fit: 'inside' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = info;
  const preview = await sharp(data, { raw: { width, height, channels } }).webp({ quality: 80 }).toBuffer();
  const grey = Float32Array.from({ length: width * height }, (_, at) =>
    channels < 3
      ? data[at * channels]!
      : 0.299 * data[at * channels]! + 0.587 * data[at * channels + 1]! + 0.114 * data[at * channels + 2]!,
  );
  return { preview: new Uint8Array(preview), plane: { data: grey, width, height } };
}
