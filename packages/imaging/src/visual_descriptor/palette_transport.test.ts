import { expect, test } from 'vitest';
import { oklabOf } from '../pixels/oklab.ts';
import { paletteDistance } from './color_match.ts';
import { paletteTransport } from './palette_transport.ts';

const palette = (...parts: readonly (readonly [color: number, share: number])[]) =>
  parts.map(([color, share]) => ({
    color,
    share,
    oklab: oklabOf(color >> 16, (color >> 8) & 255, color & 255),
  }));
const WHITE = 0xff_ff_ff;
const BLACK = 0;

test('black to white is distance 1, and 0.5 if half already matches', () => {
  expect(paletteTransport(palette([WHITE, 1]), palette([BLACK, 1]))).toBeCloseTo(1, 5);
  expect(paletteTransport(palette([WHITE, 1]), palette([BLACK, 0.5], [WHITE, 0.5]))).toBeCloseTo(0.5, 5);
});

test('amounts affect transport, unlike the nearest-colour distance', () => {
  const [mostly, hardly] = [palette([WHITE, 0.9], [BLACK, 0.1]), palette([WHITE, 0.1], [BLACK, 0.9])];
  expect(paletteDistance(mostly, hardly)).toBe(0);
  expect(paletteTransport(mostly, hardly)).toBeCloseTo(0.8, 5);
});

test('the optimal transport is found if a nearest colour is already taken', () => {
  // Optimum: 0.25 moves from lightness 0.2 to 0.4, and 0.5 from 0.4 to 0.6.
  const grey = (lightness: number, share: number) => ({
    oklab: [lightness, 0, 0] as const,
    share,
  });
  const distance = paletteTransport(
    [grey(0.4, 0.5), grey(0.2, 0.5)],
    [grey(0.4, 0.25), grey(0.6, 0.5), grey(0.2, 0.25)],
  );
  expect(distance).toBeCloseTo(0.15, 6);
});

test('transport is symmetric and at least the nearest-colour distance', () => {
  let state = 11;
  const chance = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  const random = () =>
    palette(
      ...Array.from(
        { length: 1 + (chance() % 8) },
        () => [chance() & WHITE, 0.01 + (chance() % 97)] as const,
      ),
    );
  for (let round = 0; round < 200; round += 1) {
    const [one, other] = [random(), random()];
    const distance = paletteTransport(one, other);
    expect(distance).toBeCloseTo(paletteTransport(other, one), 6);
    expect(distance).toBeGreaterThanOrEqual(paletteDistance(one, other) - 1e-6);
  }
});

test('an empty palette has infinite distance', () => {
  expect(paletteTransport([], palette([WHITE, 1]))).toBe(Number.POSITIVE_INFINITY);
});
