import { expect, test } from 'vitest';
import { visibleChanges } from './visibility_threshold.ts';
import { planeOfDetails } from './wavelet.ts';

const grey = (level: number) => ({ width: 8, height: 8, data: new Float32Array(64).fill(level) });
const details = (size: number) => ({
  columns: 1,
  rows: 1,
  alongY: Float32Array.of(size),
  alongX: Float32Array.of(size),
  diagonal: Float32Array.of(size),
});

/** Half the pixel range of a coefficient of 1. */
function amplitudeOf(kind: 'alongY' | 'diagonal'): number {
  const none = () => new Float32Array(256);
  const one = { columns: 16, rows: 16, alongY: none(), alongX: none(), diagonal: none() };
  one[kind][8 * 16 + 8] = 1;
  const { data } = planeOfDetails(one);
  return (Math.max(...data) - Math.min(...data)) / 2;
}

// Grey 128 on the sRGB reference display is 18.4 cd/m², where the threshold of the model is 18.4 / 94.7; one grey level there is 0.303 cd/m².
test('on mid grey, the peak sensitivity of the model is 0.64 grey levels', () => {
  const { alongY, alongX } = visibleChanges(grey(128), details(0), 1);
  expect(alongY[0]! * amplitudeOf('alongY')).toBeCloseTo(18.4 / 94.7 / 0.303, 1);
  expect(alongX[0]).toBe(alongY[0]);
});

test('diagonal detail has a higher visibility threshold', () => {
  const { alongY, diagonal } = visibleChanges(grey(128), details(0), 1);
  const ratio = (diagonal[0]! * amplitudeOf('diagonal')) / (alongY[0]! * amplitudeOf('alongY'));
  expect(ratio).toBeGreaterThan(1 / 0.6);
});

test('detail at 10 times its threshold masks by a factor of 10 to the power of 0.7', () => {
  const [plain] = visibleChanges(grey(128), details(0), 1).alongY;
  const [busy] = visibleChanges(grey(128), details(10 * plain!), 1).alongY;
  expect(busy! / plain!).toBeCloseTo(10 ** 0.7, 3);
});

test('a large image is judged at its reduced display size', () => {
  const at = (scale: number) => visibleChanges(grey(128), details(0), scale).alongY[0]!;
  expect(at(8)).toBeLessThanOrEqual(at(1));
});
