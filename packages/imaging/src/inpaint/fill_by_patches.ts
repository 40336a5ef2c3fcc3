import { distanceInside } from '../pixels/distance_inside.ts';
import type { Size } from '../pixels/plane.ts';
import { VISITS_MAX } from './limits.ts';

/** patch_distance.wat, assembled; a test assembles it again and compares. WebAssembly because it compares four pixels at a time. */
export const PATCH_DISTANCE_WASM_B64 =
  'AGFzbQEAAAABDwJgAn9/AXtgBH9/f38BfwITAQdwYXRjaGVzBm1lbW9yeQIAAQMDAgABBwwBCGRpc3RhbmNlAAEKsQECRwEEeyAA/QAAACECIAH9AAAAIQMgAv2JASAD/YkB/ZEBIQQgBCAE/boBIQUgAv2KASAD/YoB/ZEBIQQgBSAEIAT9ugH9rgELZwMBfwF7AX8DQCAAIAEQACAAQQxqIAFBDGoQAP2uASEFIAYgBf0bACAF/RsBaiAF/RsCIAX9GwNqamohBiAGIANKBEAgBg8LIAAgAmohACABIAJqIQEgBEEBaiEEIARBB0gNAAsgBgs=';

/** A part of a picture with a hole in it: four samples of 8 bits a pixel, colours multiplied by opacity. */
export interface HolePicture extends Size {
  readonly data: Uint8Array;
  /** 1 where a pixel is to be made up, else 0. */
  readonly hole: Uint8Array;
}

/** Pixels beside the middle of a patch. The kernel knows it as well. */
const REACH = 3;
const PATCH = 2 * REACH + 1;
const LEVELS_MAX = 8;
/** Sides of the smallest picture: two patches beside each other, and room to search. */
const COARSEST_SIDE_PX = 4 * PATCH;
/** Rounds of searching and voting at a level, where the hole is small. */
const ROUNDS = { coarsest: 16, others: 6 } as const;

const PAGE_BYTES = 65_536;
/** The kernel reads so many bytes beyond the last pixel at most. */
const SLACK_BYTES = 64;
const FAR = 0x7fffffff;
/** How much less a patch says, a pixel further from what is known. */
const TRUST = 1.2;
/** Of the middle distance of all patches: how fast worse ones lose their vote. Less in the last round, which decides how sharp the result is. */
const SOFTNESS = { search: 0.5, last: 0.08 } as const;

/**
 * Fills a hole with what the rest of the picture shows: pixels are voted for by the patches around them, each by the patch outside the
 * hole it is most like, from coarse to fine. Deterministic.
 * Sources: Wexler, Shechtman and Irani, "Space-time completion of video", 2007; Barnes and others, "PatchMatch", 2009.
 * @param picture its samples in the hole are overwritten; at least 7 pixels a side
 * @param visitsMax patches visited at one level, in all rounds together; each is visited once in any case
 * @returns false where nothing of the size of a patch lies beside the hole
 */
export function fillByPatches(picture: HolePicture, visitsMax = VISITS_MAX): boolean {
  const levels = pyramidOf(picture);
  const random = createRandom();
  let coarser: Solved | undefined;
  for (const level of levels) {
    const patches = patchesOf(level);
    if (patches.sources.length > 0)
      coarser = solveLevel({ ...level, ...patches, random, visitsMax, isFinest: level === picture }, coarser);
  }
  if (!coarser || coarser.width !== picture.width) return false;
  picture.data.set(coarser.data);
  return true;
}

/** Numbers from 0 to below 1, the same in every run. Marsaglia, "Xorshift RNGs", 2003. */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Halved until the hole is hardly thicker than a patch, or the picture too small; the coarsest first. */
function pyramidOf(picture: HolePicture): HolePicture[] {
  const levels = [picture];
  let thickness =
    2 * distanceInside(picture.hole, picture.width).reduce((most, value) => Math.max(most, value), 0);
  for (let finer = picture; levels.length < LEVELS_MAX && thickness > PATCH; thickness /= 2) {
    if (Math.min(finer.width, finer.height) < 2 * COARSEST_SIDE_PX) break;
    finer = halve(finer);
    levels.unshift(finer);
  }
  return levels;
}

/** Pixels are the means of what is known of four; one is known where three of them are. */
function halve({ width, height, data, hole }: HolePicture): HolePicture {
  const size = { width: width >> 1, height: height >> 1 };
  const halved = {
    ...size,
    data: new Uint8Array(size.width * size.height * 4),
    hole: new Uint8Array(size.width * size.height),
  };
  for (let y = 0, into = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, into++) {
      const first = 2 * y * width + 2 * x;
      const known = [first, first + 1, first + width, first + width + 1].filter((at) => hole[at] === 0);
      halved.hole[into] = known.length < 3 ? 1 : 0;
      for (let sample = 0; sample < 4 && known.length > 0; sample++)
        halved.data[into * 4 + sample] =
          known.reduce((sum, at) => sum + data[at * 4 + sample]!, 0) / known.length + 0.5;
    }
  }
  return halved;
}

interface Patches {
  /** Middles of patches that reach into the hole. */
  readonly targets: Int32Array;
  /** Middles of those that do not. */
  readonly sources: Int32Array;
  /** 1 for the middle of a source. */
  readonly isSource: Uint8Array;
}

/** All patches that lie within the picture. */
function patchesOf({ width, height, hole }: HolePicture): Patches {
  const across = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    let count = 0;
    for (let x = 0; x < width + REACH; x++) {
      if (x < width) count += hole[y * width + x]!;
      if (x >= PATCH) count -= hole[y * width + x - PATCH]!;
      if (x >= REACH) across[y * width + x - REACH] = count;
    }
  }
  const isSource = new Uint8Array(width * height);
  const targets: number[] = [];
  const sources: number[] = [];
  for (let y = REACH; y < height - REACH; y++)
    for (let x = REACH; x < width - REACH; x++) {
      const at = y * width + x;
      let count = 0;
      for (let row = -REACH; row <= REACH; row++) count += across[at + row * width]!;
      (count > 0 ? targets : sources).push(at);
      isSource[at] = count > 0 ? 0 : 1;
    }
  return { targets: Int32Array.from(targets), sources: Int32Array.from(sources), isSource };
}

interface Level extends HolePicture, Patches {
  readonly random: () => number;
  readonly visitsMax: number;
  readonly isFinest: boolean;
}

/** A level whose hole is filled, and for each target the source it is like. */
interface Solved extends HolePicture {
  /** By the middle of a target; -1 elsewhere. */
  readonly nearest: Int32Array;
}

function solveLevel(level: Level, coarser: Solved | undefined): Solved {
  const { width, height, data, hole, targets } = level;
  const { memory, distance } = openKernel(width * height * 4 + SLACK_BYTES);
  const pixels = new Uint8Array(memory.buffer, 0, width * height * 4);
  pixels.set(data);
  if (coarser) takeFrom(coarser, level, pixels);
  else growInwards(level, pixels);
  const matches = {
    nearest: startFrom(coarser, level),
    costs: new Int32Array(width * height),
    distance: (one: number, other: number, best: number) =>
      distance(4 * (one - REACH * width - REACH), 4 * (other - REACH * width - REACH), 4 * width, best),
  };
  const fitting = Math.floor(level.visitsMax / targets.length);
  const rounds = Math.min(coarser ? ROUNDS.others : ROUNDS.coarsest, Math.max(1, fitting));
  const trust = trustOf(level);
  for (let round = 0; round < rounds; round++) {
    for (const target of targets)
      matches.costs[target] = matches.distance(target, matches.nearest[target]!, FAR);
    search(level, matches, { isReverse: false, isWide: !coarser });
    search(level, matches, { isReverse: true, isWide: !coarser });
    const isLast = level.isFinest && round === rounds - 1;
    vote(level, matches, { pixels, trust, softness: isLast ? SOFTNESS.last : SOFTNESS.search });
  }
  return { width, height, data: Uint8Array.from(pixels), hole, nearest: matches.nearest };
}

type Distance = (one: number, other: number, best: number) => number;

/** The module and its memory, which grows to what the largest call has needed. */
let opened:
  | { readonly memory: WebAssembly.Memory; readonly distance: (...numbers: number[]) => number }
  | undefined;

function openKernel(bytes: number) {
  if (!opened) {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const module = new WebAssembly.Module(Buffer.from(PATCH_DISTANCE_WASM_B64, 'base64'));
    const { exports } = new WebAssembly.Instance(module, { patches: { memory } });
    opened = { memory, distance: exports.distance as (...numbers: number[]) => number };
  }
  const missing = bytes - opened.memory.buffer.byteLength;
  if (missing > 0) opened.memory.grow(Math.ceil(missing / PAGE_BYTES));
  return opened;
}

/** The colours of the coarser hole, each for four pixels. */
function takeFrom(coarser: Solved, { width, height, hole }: Level, pixels: Uint8Array): void {
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (hole[at] === 0) continue;
      const from = Math.min(coarser.height - 1, y >> 1) * coarser.width + Math.min(coarser.width - 1, x >> 1);
      pixels.set(coarser.data.subarray(4 * from, 4 * from + 4), 4 * at);
    }
}

/** From the rim of the hole inwards, each pixel the mean of its neighbours that have a colour. */
function growInwards({ width, height, hole }: Level, pixels: Uint8Array): void {
  const unknown = Uint8Array.from(hole);
  let left = [...hole.keys()].filter((at) => hole[at] === 1);
  while (left.length > 0) {
    const made = left.flatMap((at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      const beside = [
        x > 0 ? at - 1 : -1,
        x < width - 1 ? at + 1 : -1,
        y > 0 ? at - width : -1,
        y < height - 1 ? at + width : -1,
      ];
      const known = beside.filter((other) => other >= 0 && unknown[other] === 0);
      if (known.length === 0) return [];
      const mean = [0, 1, 2, 3].map(
        (sample) => known.reduce((sum, other) => sum + pixels[4 * other + sample]!, 0) / known.length,
      );
      return [{ at, mean }];
    });
    if (made.length === 0) return;
    for (const { at, mean } of made) {
      unknown[at] = 0;
      pixels.set(mean, 4 * at);
    }
    left = left.filter((at) => unknown[at] === 1);
  }
}

/** The sources found before at half the size, or any. */
function startFrom(
  coarser: Solved | undefined,
  { width, height, targets, sources, isSource, random }: Level,
): Int32Array {
  const nearest = new Int32Array(width * height).fill(-1);
  for (const target of targets) {
    const [x, y] = [target % width, Math.floor(target / width)];
    const before = coarser
      ? coarser.nearest[
          Math.min(coarser.height - 1, y >> 1) * coarser.width + Math.min(coarser.width - 1, x >> 1)
        ]!
      : -1;
    const [left, top] =
      before < 0
        ? [0, 0]
        : [2 * (before % coarser!.width) + (x & 1), 2 * Math.floor(before / coarser!.width) + (y & 1)];
    const found = left < width && top < height ? top * width + left : 0;
    nearest[target] = isSource[found] ? found : sources[Math.floor(random() * sources.length)]!;
  }
  return nearest;
}

interface Matches {
  readonly nearest: Int32Array;
  /** Of each target, how far it is from its source. */
  readonly costs: Int32Array;
  readonly distance: Distance;
}

/** Steps of the random search at the coarsest level, which looks everywhere, and at the others, in pixels from the match so far. */
const NEAR_STEPS = [12, 5, 2] as const;

/** One sweep: each target tries what its neighbours have found, moved along, and some places around its own match. */
function search(
  { width, height, targets, isSource, random }: Level,
  { nearest, costs, distance }: Matches,
  { isReverse, isWide }: { isReverse: boolean; isWide: boolean },
): void {
  const step = isReverse ? 1 : -1;
  const wide: number[] = [];
  for (let radius = Math.max(width, height); radius >= 1; radius >>= 1) wide.push(radius);
  const radii: readonly number[] = isWide ? wide : NEAR_STEPS;
  const tryAt = (target: number, source: number) => {
    if (source < 0 || source >= isSource.length || isSource[source] === 0 || source === nearest[target])
      return;
    const cost = distance(target, source, costs[target]!);
    if (cost >= costs[target]!) return;
    costs[target] = cost;
    nearest[target] = source;
  };
  for (let index = 0; index < targets.length; index++) {
    const target = targets[isReverse ? targets.length - 1 - index : index]!;
    const [beside, above] = [nearest[target + step]!, nearest[target + step * width]!];
    if (beside >= 0) tryAt(target, beside - step);
    if (above >= 0) tryAt(target, above - step * width);
    for (const radius of radii) {
      const found = nearest[target]!;
      const x = (found % width) + Math.round((2 * random() - 1) * radius);
      const y = Math.floor(found / width) + Math.round((2 * random() - 1) * radius);
      if (x >= 0 && x < width && y >= 0 && y < height) tryAt(target, y * width + x);
    }
  }
}

/** How much the patch around each target is to be believed: less, the further it is from what is known. */
function trustOf({ width, hole, targets }: Level): Float32Array {
  const away = distanceInside(hole, width);
  return Float32Array.from(targets, (target) => TRUST ** -away[target]!);
}

/** Every pixel of the hole becomes the mean of what the sources of the patches over it show there. */
function vote(
  { width, hole, targets }: Level,
  { nearest, costs }: Matches,
  { pixels, trust, softness }: { pixels: Uint8Array; trust: Float32Array; softness: number },
): void {
  const sorted = Int32Array.from(targets, (target) => costs[target]!).sort();
  const spread = Math.max(PATCH * PATCH, sorted[Math.floor(0.75 * (sorted.length - 1))]!) * softness;
  const least = Math.max(0, sorted[0]!);
  const sums = new Float32Array(hole.length * 4);
  const weights = new Float32Array(hole.length);
  for (let index = 0; index < targets.length; index++) {
    const target = targets[index]!;
    const move = nearest[target]! - target;
    const weight = trust[index]! * Math.exp((least - costs[target]!) / (2 * spread)) + 1e-9;
    for (let row = -REACH; row <= REACH; row++) {
      const start = target + row * width - REACH;
      for (let at = start; at < start + PATCH; at++) {
        if (hole[at] === 0) continue;
        weights[at]! += weight;
        const from = 4 * (at + move);
        sums[4 * at]! += weight * pixels[from]!;
        sums[4 * at + 1]! += weight * pixels[from + 1]!;
        sums[4 * at + 2]! += weight * pixels[from + 2]!;
        sums[4 * at + 3]! += weight * pixels[from + 3]!;
      }
    }
  }
  for (let at = 0; at < hole.length; at++) {
    if (weights[at] === 0) continue;
    for (let sample = 0; sample < 4; sample++)
      pixels[4 * at + sample] = sums[4 * at + sample]! / weights[at]! + 0.5;
  }
}
