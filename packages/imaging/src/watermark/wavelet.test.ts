import { expect, test } from 'vitest';
import { keyedRandom } from './keyed_random.ts';
import { detailsOf, planeOfDetails } from './wavelet.ts';

test('wavelet coefficients round-trip and preserve pixel energy', () => {
  const next = keyedRandom(1);
  const kind = () => Float32Array.from({ length: 8 * 12 }, () => next() / 2 ** 31 - 1);
  const details = { columns: 12, rows: 8, alongX: kind(), alongY: kind(), diagonal: kind() };
  const plane = planeOfDetails(details);
  const again = detailsOf(plane);
  const energy = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);

  expect(plane).toMatchObject({ width: 96, height: 64 });
  for (const name of ['alongX', 'alongY', 'diagonal'] as const)
    expect(Math.max(...again[name].map((value, at) => Math.abs(value - details[name][at]!)))).toBeLessThan(
      1e-5,
    );
  const parts = energy(details.alongX) + energy(details.alongY) + energy(details.diagonal);
  expect(energy(plane.data)).toBeCloseTo(parts, 2);
});
