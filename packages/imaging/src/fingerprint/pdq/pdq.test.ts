import { expect, test } from 'vitest';
import type { Plane } from '../../pixels/plane.ts';
import { DIHEDRAL, pdqOf } from './pdq.ts';

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
const distance = (one: string, other: string): number => {
  const differing = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  return [...differing.toString(2)].filter((bit) => bit === '1').length;
};

const lumaOf = (width: number, height: number, value: (x: number, y: number) => number): Plane => ({
  data: Float32Array.from({ length: width * height }, (_, at) => value(at % width, Math.floor(at / width))),
  width,
  height,
});

test('a flat image has quality 0', () => {
  expect(pdqOf(lumaOf(100, 80, () => 77)).quality).toBe(0);
});

test('an image with a side under 5 pixels is not hashed', () => {
  const { hashes, quality } = pdqOf(lumaOf(4, 500, (x, y) => x * y));
  expect([quality, ...hashes.map(hex)]).toEqual([0, ...DIHEDRAL.map(() => '0'.repeat(64))]);
});

test('dihedral hashes are close to the hashes of the transformed images', () => {
  const waves = (x: number, y: number) =>
    128 + 50 * Math.sin(x * x * 0.003) + 50 * Math.sin(y * 0.3 + x * 0.1);
  const turnedClockwise = pdqOf(lumaOf(96, 96, (x, y) => waves(y, 95 - x))).hashes[0]!;
  const mirrored = pdqOf(lumaOf(96, 96, (x, y) => waves(95 - x, y))).hashes[0]!;
  const { hashes } = pdqOf(lumaOf(96, 96, waves));
  const nearest = (hash: Uint8Array) => {
    const distances = hashes.map((own) => distance(hex(own), hex(hash)));
    return DIHEDRAL[distances.indexOf(Math.min(...distances))];
  };
  expect([nearest(turnedClockwise), nearest(mirrored)]).toEqual(['rotate270', 'flipY']);
});
