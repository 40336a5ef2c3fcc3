import type { Look } from '@atelier/engines/look/look.ts';
import { packColors, unpackColors } from '@atelier/engines/look/look.ts';
import { type Oklab, rgbOf } from '@atelier/engines/pixels/oklab.ts';
import type { ShippedLook } from '../../src/dataset/looks/look_index.ts';
import { readKnownWorks } from '../../src/services/hashes/known_works.ts';

/** How a palette differs from those it was made of: all of its colours together, and each for itself, in OKLab. */
const TOGETHER = 0.05;
const EACH = 0.03;
/** Of a palette's colours so many are of another painting. */
const OF_OTHERS = 0.25;

/**
 * Looks around the palettes of real paintings, which lie as palettes do: many browns, few greens. Each mixes two of them, lighter or darker,
 * with other shares. Hashes are chance. The same for the same seed.
 */
export function* madeLooks(count: number, seed = 7): Generator<ShippedLook> {
  const palettes = readKnownWorks().map(({ colors }) => unpackColors(Buffer.from(colors, 'hex')));
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const about = (spread: number) => spread * (random() + random() + random() - 1.5);
  const shift = (): Oklab => [about(TOGETHER), about(TOGETHER / 3), about(TOGETHER / 3)];
  for (let at = 0; at < count; at += 1) {
    const [own, other] = [palettes[at % palettes.length]!, palettes[Math.floor(random() * palettes.length)]!];
    const together = shift();
    const parts = own.map((color, nth) => {
      const { oklab, share } = (random() < OF_OTHERS && other[nth]) || color;
      const [lightness, a, b] = oklab.map((value, axis) => value + together[axis]! + about(EACH));
      return { color: rgbOf([lightness!, a!, b!]), part: share * Math.exp(about(1)) };
    });
    const whole = parts.reduce((sum, { part }) => sum + part, 0);
    const swatches = parts
      .map(({ color, part }) => ({ color, share: part / whole }))
      .sort((one, next) => next.share - one.share);
    const pdq = Buffer.from(Uint8Array.from({ length: 32 }, () => random() * 256)).toString('hex');
    const colors = Buffer.from(packColors(swatches)).toString('hex');
    yield { id: `made_${at}`, pdq, quality: 100, colors };
  }
}

/** A copy of the picture of a look, turned, of which so many bits of the hash differ. */
export function copyOf({ pdq, colors }: ShippedLook, bits: number): Look {
  const hash = Buffer.from(pdq, 'hex');
  // 17 has no factor in common with 256: no bit is turned over twice.
  for (let bit = 0; bit < bits; bit += 1) hash[((17 * bit) % 256) >> 3]! ^= 1 << ((17 * bit) & 7);
  const hashes = Array.from({ length: 8 }, (_, turn) =>
    turn === 3 ? hash : hash.map((byte) => byte ^ (29 * (turn + 1))),
  );
  return { hashes, quality: 100, colors: Buffer.from(colors, 'hex') };
}
