import { PILOT_TONES } from './pilot.ts';
import { SPECTRUM_SIDE } from './spectrum.ts';

/** How the frequencies of the pilot are changed: (xx · across + xy · down, yx · across + yy · down). */
export interface FrequencyMap {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

export interface Candidate {
  readonly map: FrequencyMap;
  /** How far the tones stand out there, in standard deviations of chance. */
  readonly score: number;
}

/** From a picture shown in the middle of a page twice as high, to one cut to half its height. */
const SCALE_MIN = 0.5;
const SCALE_MAX = 2;
const KEPT = 5;

/**
 * Where the tones of the pilot may be in a spectrum: turned by any angle, scaled and mirrored; or turned a little, each
 * axis scaled by itself, and then turned by quarters. A spectrum is the same turned by half, so every answer stands for two.
 */
export function findTurns(spectrum: Float32Array): Candidate[] {
  const smooth = smoothed(spectrum);
  const found = [...similarities(smooth), ...stretches(smooth)].sort((a, b) => b.score - a.score);
  const apart: Candidate[] = [];
  for (const { map } of found) {
    const candidate = climb(spectrum, map);
    if (apart.every((other) => distance(other.map, candidate.map) > 0.01)) apart.push(candidate);
  }
  return apart.sort((a, b) => b.score - a.score).slice(0, KEPT);
}

const distance = (one: FrequencyMap, other: FrequencyMap): number =>
  Math.min(
    ...[1, -1].map((sign) =>
      Math.hypot(
        one.xx - sign * other.xx,
        one.xy - sign * other.xy,
        one.yx - sign * other.yx,
        one.yy - sign * other.yy,
      ),
    ),
  );

function* scales(step: number): Generator<number> {
  for (let scale = SCALE_MIN; scale <= SCALE_MAX; scale *= step) yield scale;
}

function similarities(spectrum: Float32Array): Candidate[] {
  const best = new Best();
  const sizes = [...scales(1.008)];
  for (let angle = 0; angle < Math.PI; angle += Math.PI / 400) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (const mirror of [1, -1]) {
      for (const scale of sizes) {
        const map = { xx: (mirror * c) / scale, xy: -s / scale, yx: (mirror * s) / scale, yy: c / scale };
        best.offer(map, sum(spectrum, map));
      }
    }
  }
  return best.candidates();
}

function stretches(spectrum: Float32Array): Candidate[] {
  const best = new Best();
  const sizes = [...scales(1.011)];
  for (const quarter of [0, 1]) {
    for (const mirror of [1, -1]) {
      for (const across of sizes) {
        for (const down of sizes) {
          if (Math.abs(Math.log(across / down)) < 0.015) continue;
          const [x, y] = [mirror / across, 1 / down];
          const map = quarter ? { xx: 0, xy: y, yx: x, yy: 0 } : { xx: x, xy: 0, yx: 0, yy: y };
          best.offer(map, sum(spectrum, map));
        }
      }
    }
  }
  return best.candidates();
}

/** Keeps the highest of many sums. */
class Best {
  private readonly kept: { map: FrequencyMap; value: number }[] = [];
  private lowest = Number.NEGATIVE_INFINITY;

  offer(map: FrequencyMap, value: number): void {
    if (value <= this.lowest) return;
    const near = this.kept.findIndex((other) => distance(other.map, map) < 0.02);
    if (near >= 0) {
      if (this.kept[near]!.value < value) this.kept[near] = { map, value };
      return;
    }
    this.kept.push({ map, value });
    this.kept.sort((a, b) => b.value - a.value).splice(8);
    if (this.kept.length === 8) this.lowest = this.kept[7]!.value;
  }

  candidates(): Candidate[] {
    return this.kept.map(({ map, value }) => ({ map, score: value }));
  }
}

function sum(spectrum: Float32Array, { xx, xy, yx, yy }: FrequencyMap): number {
  const last = SPECTRUM_SIDE - 1;
  let total = 0;
  for (let tone = 0; tone < ACROSS.length; tone++) {
    const [across, down] = [ACROSS[tone]!, DOWN[tone]!];
    const x = Math.round(xx * across + xy * down) & last;
    const y = Math.round(yx * across + yy * down) & last;
    total += spectrum[y * SPECTRUM_SIDE + x]!;
  }
  return total;
}

const ACROSS = Float64Array.from(PILOT_TONES, ({ across }) => across);
const DOWN = Float64Array.from(PILOT_TONES, ({ down }) => down);

/** So that a tone is found from half a step of the search away. */
function smoothed(spectrum: Float32Array): Float32Array {
  const side = SPECTRUM_SIDE;
  const mix = (source: Float32Array, step: number, wrap: (at: number) => number) =>
    source.map((value, at) => 0.5 * value + 0.25 * (source[wrap(at - step)]! + source[wrap(at + step)]!));
  const inside = (at: number) => (at + side * side) % (side * side);
  return mix(mix(spectrum, 1, inside), side, inside);
}

/** To the highest place nearby, by steps that get smaller. */
function climb(spectrum: Float32Array, from: FrequencyMap): Candidate {
  let map = from;
  let value = between(spectrum, map);
  for (let step = 0.008; step > 0.0004; step /= 2) {
    for (const key of ['xx', 'xy', 'yx', 'yy'] as const) {
      for (const sign of [1, -1]) {
        const moved = { ...map, [key]: map[key] + sign * step };
        const there = between(spectrum, moved);
        if (there > value) [map, value] = [moved, there];
      }
    }
  }
  return { map, score: (value - ACROSS.length) / Math.sqrt(ACROSS.length) };
}

/** The sum over the tones, linear between frequencies. */
function between(spectrum: Float32Array, { xx, xy, yx, yy }: FrequencyMap): number {
  const last = SPECTRUM_SIDE - 1;
  let total = 0;
  for (let tone = 0; tone < ACROSS.length; tone++) {
    const x = xx * ACROSS[tone]! + xy * DOWN[tone]!;
    const y = yx * ACROSS[tone]! + yy * DOWN[tone]!;
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [dx, dy] = [x - x0, y - y0];
    const at = (column: number, row: number) => spectrum[(row & last) * SPECTRUM_SIDE + (column & last)]!;
    total +=
      (1 - dy) * ((1 - dx) * at(x0, y0) + dx * at(x0 + 1, y0)) +
      dy * ((1 - dx) * at(x0, y0 + 1) + dx * at(x0 + 1, y0 + 1));
  }
  return total;
}
