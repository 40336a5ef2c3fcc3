import { expect, test } from 'vitest';
import { floatsOfHalves, halvesOfFloats } from './half_floats.ts';

test('every 16-bit float is decoded like Float16Array', () => {
  const halves = Uint16Array.from({ length: 2 ** 16 }, (_, half) => half);
  const read = floatsOfHalves(new Uint8Array(halves.buffer));
  expect(read).toEqual(Float32Array.from(new Float16Array(halves.buffer)));
});

test('32-bit floats are rounded like Float16Array', () => {
  // All exponents, with fractions just below, at and just above half of the last place.
  const bits = Array.from({ length: 2 ** 9 }, (_, top) =>
    [0, 1, 0xfff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001, 0x400000, 0x7fefff, 0x7ff000, 0x7fffff].map(
      (fraction) => ((top << 23) | fraction) >>> 0,
    ),
  ).flat();
  const data = new Float32Array(Uint32Array.from(bits).buffer);
  const isNumber = (_: unknown, index: number) => !Number.isNaN(data[index]!);
  const expected = new Uint16Array(Float16Array.from(data).buffer);
  expect(halvesOfFloats(data).filter(isNumber)).toEqual(expected.filter(isNumber));
});
