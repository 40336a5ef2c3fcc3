import { distanceInside } from '../pixels/distance_inside.ts';
import type { Size } from '../pixels/plane.ts';
import { VISITS_MAX } from './limits.ts';

/** Assembled patch_distance.wat; a test reassembles and compares it. WebAssembly SIMD compares four pixels at a time. */
export const PATCH_DISTANCE_WASM_B64 =
  'AGFzbQEAAAABDwJgAn9/AXtgBH9/f38BfwITAQdwYXRjaGVzBm1lbW9yeQIAAQMDAgABBwwBCGRpc3RhbmNlAAEKsQECRwEEeyAA/QAAACECIAH9AAAAIQMgAv2JASAD/YkB/ZEBIQQgBCAE/boBIQUgAv2KASAD/YoB/ZEBIQQgBSAEIAT9ugH9rgELZwMBfwF7AX8DQCAAIAEQACAAQQxqIAFBDGoQAP2uASEFIAYgBf0bACAF/RsBaiAF/RsCIAX9GwNqamohBiAGIANKBEAgBg8LIAAgAmohACABIAJqIQEgBEEBaiEEIARBB0gNAAsgBgs=';

/** Part of an image with a hole: four 8-bit samples per pixel, alpha premultiplied. */
export interface HolePicture extends Size {
  readonly data: Uint8Array;
  /** 1 for pixels to fill, otherwise 0. */
  readonly hole: Uint8Array;
}

/** Patch radius in pixels. The WebAssembly kernel hard-codes it, too. */
const REACH = 3;
const PATCH = 2 * REACH + 1;
const LEVELS_MAX = 8;
/** Smallest side of the coarsest level: two adjacent patches, and room to search. */
const COARSEST_SIDE_PX = 4 * PATCH;
/** Search and vote rounds per level, for a small hole. */
const ROUNDS = { coarsest: 16, others: 6 } as const;

const PAGE_BYTES = 65_536;
/** Largest number of bytes the kernel reads beyond the last pixel. */
const SLACK_BYTES = 64;
const FAR = 0x7fffffff;
/** Factor by which the weight of a patch falls per pixel of distance from known pixels. */
const TRUST = 1.2;
/**
 * Fraction of the 75th-percentile patch distance that controls how fast worse matches lose their vote. Smaller in the last round, which
 * determines sharpness.
 */
const SOFTNESS = { search: 0.5, last: 0.08 } as const;

/**
 * Fills a hole from the rest of the image, coarse to fine: every pixel is voted for by the patches around it, each using its most similar
 * patch outside the hole. Deterministic.
 * Sources: Wexler, Shechtman and Irani, "Space-time completion of video", 2007; Barnes and others, "PatchMatch", 2009.
 * @param picture its samples in the hole are overwritten; at least 7 pixels per side
 * @param visitsMax patches visited per level over all rounds; each is visited at least once
 * @returns false if no complete patch lies outside the hole
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

/** Deterministic numbers from 0 to below 1. Marsaglia, "Xorshift RNGs", 2003. */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Halves the image until the hole is little wider than a patch or the image is too small; the coarsest level first. */
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

/** Each pixel is the mean of the known ones of four, and is known if at least three of them are. */
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
  /** Centres of patches that overlap the hole. */
  readonly targets: Int32Array;
  /** Centres of the other patches. */
  readonly sources: Int32Array;
  /** 1 for the centre of a source. */
  readonly isSource: Uint8Array;
}

/** All patches that lie inside the image. */
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

/** A level whose hole is filled, with the matching source of each target. */
interface Solved extends HolePicture {
  /** Indexed by target centre; -1 elsewhere. */
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

/** The WebAssembly module and its memory, which grows to the largest size needed so far. */
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

/** Copies the colours of the coarser hole, each to four pixels. */
function takeFrom(coarser: Solved, { width, height, hole }: Level, pixels: Uint8Array): void {
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (hole[at] === 0) continue;
      const from = Math.min(coarser.height - 1, y >> 1) * coarser.width + Math.min(coarser.width - 1, x >> 1);
      pixels.set(coarser.data.subarray(4 * from, 4 * from + 4), 4 * at);
    }
}

/** Fills the hole from its edge inwards: each pixel is the mean of its filled neighbours. */
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

/** Starts from the matches of the coarser level, or from random ones. */
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
  /** Distance of each target from its source. */
  readonly costs: Int32Array;
  readonly distance: Distance;
}

/** Radii of the random search: the coarsest level searches everywhere, the others within these pixels of the current match. */
const NEAR_STEPS = [12, 5, 2] as const;

/** One sweep: each target tries the shifted matches of its neighbours and some positions around its own match. */
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

/** Weight of each target's patch: it falls with the distance from known pixels. */
function trustOf({ width, hole, targets }: Level): Float32Array {
  const away = distanceInside(hole, width);
  return Float32Array.from(targets, (target) => TRUST ** -away[target]!);
}

/** Sets every pixel of the hole to the weighted mean of the sources of the patches over it. */
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
