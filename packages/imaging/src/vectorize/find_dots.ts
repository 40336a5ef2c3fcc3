import type { Size } from '../pixels/plane.ts';
import { DOT_COVERS, DOTS_REACH, type Dot } from './dot.ts';
import { createHeap } from './heap.ts';

/** What dots are found from, three channels a pixel: the picture on white and the drawing without them. */
export interface Missing {
  readonly target: Float32Array;
  readonly drawn: Float32Array;
  /** Whether a dot may lie on a pixel. */
  readonly isFree: (pixel: number) => boolean;
}

export interface Worth {
  /** Squared error that a dot has to take off. */
  readonly dot: number;
  /** Squared error of the whole drawing at which no more are drawn. */
  readonly enough: number;
  readonly dotsMax: number;
}

/**
 * Dots that take off most of the error of a drawing, the best first: each is weighed anew against what those before it have
 * left. `missing.drawn` gets them as they are found.
 * Source: the matching pursuit of S. Mallat and Z. Zhang, 1993, with one round atom.
 */
export function findDots(missing: Missing, { width, height }: Size, { dot, enough, dotsMax }: Worth): Dot[] {
  let error = 0;
  for (let pixel = 0; pixel < width * height; pixel++) error += squareMiss(missing, pixel);
  if (error <= enough) return [];
  const heap = createHeap(1024);
  const weigh = scaleOf(missing, width);
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      const own = squareMiss(missing, pixel);
      const isInside =
        x >= DOTS_REACH && y >= DOTS_REACH && x < width - DOTS_REACH && y < height - DOTS_REACH;
      if (!isInside || own < OWN_SHARE * dot || !missing.isFree(pixel)) continue;
      let most = dot;
      let best = -1;
      for (let place = 0; place < DOT_COVERS.length; place++) {
        const { gain } = weigh(pixel, place);
        if (gain <= most) continue;
        most = gain;
        best = place;
      }
      if (best >= 0) heap.push(-most, DOT_COVERS.length * pixel + best);
    }
  }
  const dots: Dot[] = [];
  while (heap.size() > 0 && error > enough && dots.length < dotsMax) {
    const hoped = -heap.least();
    const item = heap.pop();
    const place = item % DOT_COVERS.length;
    const pixel = (item - place) / DOT_COVERS.length;
    const { gain, color } = weigh(pixel, place);
    if (gain < dot) continue;
    if (gain < hoped - 1) {
      heap.push(-gain, item);
      continue;
    }
    error -= gain;
    dots.push({ pixel, place, color: [...color] });
    paintDot(missing.drawn, width, pixel, place, color);
  }
  return dots;
}

/** Of what a dot takes off, the least share that has to be missing from its own pixel: those around it are looked at for themselves. */
const OWN_SHARE = 1 / 8;

function squareMiss({ target, drawn }: Missing, pixel: number): number {
  let square = 0;
  for (let at = 3 * pixel; at < 3 * pixel + 3; at++) square += (target[at]! - drawn[at]!) ** 2;
  return square;
}

/** Says which colour a dot in a place had best, and what squared error it takes off; overwritten by the next call. */
function scaleOf({ target, drawn }: Missing, width: number) {
  const found = { gain: 0, color: [0, 0, 0] };
  return (pixel: number, place: number): typeof found => {
    const { across, down, shares, squares } = DOT_COVERS[place]!;
    found.gain = 0;
    for (let channel = 0; channel < 3; channel++) {
      let wanted = 0;
      let spared = 0;
      for (let index = 0; index < shares.length; index++) {
        const at = 3 * (pixel + down[index]! * width + across[index]!) + channel;
        const under = shares[index]! * drawn[at]!;
        const bare = target[at]! - drawn[at]! + under;
        wanted += shares[index]! * bare;
        spared += under * (bare + target[at]! - drawn[at]!);
      }
      const value = Math.min(255, Math.max(0, wanted / squares));
      found.color[channel] = value;
      found.gain += value * (2 * wanted - value * squares) - spared;
    }
    return found;
  };
}

function paintDot(
  drawn: Float32Array,
  width: number,
  pixel: number,
  place: number,
  color: readonly number[],
): void {
  const { across, down, shares } = DOT_COVERS[place]!;
  for (let index = 0; index < shares.length; index++)
    for (let channel = 0; channel < 3; channel++) {
      const at = 3 * (pixel + down[index]! * width + across[index]!) + channel;
      drawn[at]! += shares[index]! * (color[channel]! - drawn[at]!);
    }
}
