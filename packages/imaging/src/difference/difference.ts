import { sharp } from '../codecs/sharp.ts';
import { DIHEDRAL } from '../fingerprint/pdq/pdq.ts';
import { type SmallPicture, smallPicture } from '../fingerprint/small_picture.ts';
import { type Affine, applyAffine, type Point } from './affine.ts';
import type { ChangeMap } from './change_map.ts';
import { changeMap } from './change_map.ts';
import { type ChangedRegion, changedRegions } from './changed_regions.ts';
import { findAlignment } from './find_alignment.ts';
import { refineAlignment } from './refine_alignment.ts';

export interface Difference {
  /** The part of the original that the picture shows, as shares of its width and height. */
  readonly cropBox: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Clockwise, from the original to the picture; -180 to 180. Of a mirrored picture: after mirroring left and right. */
  readonly rotationDegrees: number;
  readonly mirrored: boolean;
  readonly regions: readonly ChangedRegion[];
  /** Part of the picture that shows something else than the original, 0 to 1. */
  readonly changedShare: number;
  /** Part of the picture that lies beyond the original, such as a frame. */
  readonly beyondShare: number;
  /** PNG. */
  readonly heatMap: Uint8Array;
}

interface Request {
  readonly bytes: Uint8Array;
  /** The original in small. */
  readonly original: Uint8Array;
  /** Place in DIHEDRAL, where the picture as a whole is known to look like the original turned so. */
  readonly turn?: number | undefined;
}

/** Nothing can be said about pictures that, in small, are narrower than this. */
const SIDE_PX_MIN = 16;
/** Less than this of two pictures that fits says they were not laid on each other rightly. */
const FIT_MIN = 0.45;

/** Where a picture differs from the one it was made from. Undefined where the two cannot be laid on each other. */
export async function differenceOf({ bytes, original, turn }: Request): Promise<Difference | undefined> {
  const [sent, registered] = [await smallPicture(bytes), await smallPicture(original)];
  if (Math.min(sent.width, sent.height, registered.width, registered.height) < SIDE_PX_MIN) return undefined;
  const starts = [
    findAlignment(sent.grey, registered.grey),
    turn === undefined ? undefined : wholeFrame(sent, registered, turn),
  ].filter((start) => start !== undefined);
  const [best] = starts
    .map((start) => refineAlignment(sent.grey, registered.grey, start))
    .sort((one, other) => other.fit - one.fit);
  if (!best || best.fit < FIT_MIN) return undefined;
  const { alignment } = best;
  const map = changeMap(sent, registered, alignment);
  const regions = changedRegions(map);
  return {
    ...placeOf(alignment, sent, registered),
    regions,
    changedShare: roundShare(regions.reduce((sum, { share }) => sum + share, 0)),
    beyondShare: roundShare(map.beyond.reduce((sum, is) => sum + is, 0) / map.beyond.length),
    heatMap: await heatMap(sent, map),
  };
}

/** Linear part, of coordinates from -1 to 1: how the picture sent lies on the original that looks like it turned so. */
const TURNED: Record<(typeof DIHEDRAL)[number], readonly [number, number, number, number]> = {
  original: [1, 0, 0, 1],
  rotate90: [0, 1, -1, 0],
  rotate180: [-1, 0, 0, -1],
  rotate270: [0, -1, 1, 0],
  flipX: [1, 0, 0, -1],
  flipY: [-1, 0, 0, 1],
  flipPlus1: [0, 1, 1, 0],
  flipMinus1: [0, -1, -1, 0],
};

function wholeFrame(sent: SmallPicture, registered: SmallPicture, turn: number): Affine {
  const [a, b, d, e] = TURNED[DIHEDRAL[turn]!];
  const [w, h, toW, toH] = [sent.width - 1, sent.height - 1, registered.width - 1, registered.height - 1];
  const linear = [(a * toW) / w, (b * toW) / h, (d * toH) / w, (e * toH) / h] as const;
  const middle = (one: number, other: number, to: number) => to / 2 - (one * w) / 2 - (other * h) / 2;
  return [
    ...[linear[0], linear[1], middle(linear[0], linear[1], toW)],
    ...[linear[2], linear[3], middle(linear[2], linear[3], toH)],
  ] as unknown as Affine;
}

function placeOf(alignment: Affine, sent: SmallPicture, registered: SmallPicture) {
  const [a, b, , d, e] = alignment;
  const corners: Point[] = [
    [0, 0],
    [sent.width, 0],
    [0, sent.height],
    [sent.width, sent.height],
  ];
  const reached = corners.map((corner) => applyAffine(alignment, corner));
  const extentAlong = (axis: 0 | 1, side: number) => {
    const values = reached.map((point) => Math.min(1, Math.max(0, point[axis] / side)));
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const [[left, right], [top, bottom]] = [
    extentAlong(0, registered.width),
    extentAlong(1, registered.height),
  ];
  const mirrored = a * e - b * d < 0;
  const angle = (-Math.atan2(mirrored ? -d : d, mirrored ? -a : a) * 180) / Math.PI;
  return {
    cropBox: {
      x: roundShare(left),
      y: roundShare(top),
      width: roundShare(right - left),
      height: roundShare(bottom - top),
    },
    rotationDegrees: Math.round(angle * 10) / 10 + 0,
    mirrored,
  };
}

const roundShare = (share: number): number => Math.round(share * 10_000) / 10_000;

const SIDE_PX_MAX = 256;
const BEYOND = [40, 70, 160] as const;

/** The picture sent in pale grey, what has changed from yellow to red, what lies beyond the original in blue. PNG. */
async function heatMap(
  { grey, width, height }: SmallPicture,
  { change, beyond }: ChangeMap,
): Promise<Uint8Array> {
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const pale = 110 + 0.5 * grey.data[at]!;
    const heat = Math.min(1, 1.4 * change.data[at]!);
    const hot = [230, 200 * (1 - heat), 20];
    for (let side = 0; side < 3; side++) {
      rgb[3 * at + side] = beyond[at]
        ? 0.35 * pale + 0.65 * BEYOND[side]!
        : pale * (1 - heat) + hot[side]! * heat;
    }
  }
  const raw = { width, height, channels: 3 } as const;
  const small = sharp(rgb, { raw }).resize(SIDE_PX_MAX, SIDE_PX_MAX, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  return new Uint8Array(await small.png({ palette: true, colours: 32 }).toBuffer());
}
