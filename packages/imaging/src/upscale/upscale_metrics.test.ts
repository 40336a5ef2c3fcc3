import { expect, test } from 'vitest';
import type { Raster } from '../pixels/raster.ts';
import { resample } from '../resample/resample.ts';
import { measureUpscale } from './upscale_metrics.ts';

const SIDE = 12;
const source = paintRaster(SIDE, (x) => (x < SIDE / 2 ? 60 : 180));
const plain = resample(source, { width: 24, height: 24, light: 'gamma' });

function paintRaster(side: number, level: (x: number, y: number) => number): Raster {
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) =>
    level(Math.floor(at / 3) % side, Math.floor(at / 3 / side)),
  );
  return { width: side, height: side, channels: 3, data };
}

test('pixel repetition has no departure, no overshoot and maximum sharpness', () => {
  const repeated = paintRaster(24, (x) => (x < 12 ? 60 : 180));
  const figures = measureUpscale(source, repeated, plain);
  expect(figures).toMatchObject({ overshootLevels: 0, departureLevels: 0 });
  expect(figures.sharpness).toBeGreaterThan(1.2);
});

test('steepened edges with flattened areas are sharper but have less detail', () => {
  const fine = paintRaster(SIDE, (x, y) => (x < SIDE / 2 ? 60 : 180) + 12 * ((x + y) % 2));
  const kernel = resample(fine, { width: 24, height: 24, light: 'gamma' });
  const { sharpness, detail } = measureUpscale(
    fine,
    paintRaster(24, (x) => (x < 12 ? 60 : 190)),
    kernel,
  );
  expect(sharpness).toBeGreaterThan(1.2);
  expect(detail).toBeLessThan(0.8);
});

test('the kernel itself has sharpness 1 and overshoot', () => {
  const figures = measureUpscale(source, plain, plain);
  expect(figures).toMatchObject({ sharpness: 1, detail: 1 });
  expect(figures.overshootLevels).toBeGreaterThan(0);
});

test('noise in flat areas is measured relative to the kernel', () => {
  const noisy = paintRaster(SIDE, (x, y) => 100 + 4 * ((x + y) % 2));
  const kernel = paintRaster(24, (x, y) => 100 + 2 * ((x + y) % 2));
  const noiseOf = (amplitude: number) =>
    measureUpscale(
      noisy,
      paintRaster(24, (x, y) => 100 + amplitude * ((x + y) % 2)),
      kernel,
    ).noise;
  expect([noiseOf(0), noiseOf(2)]).toEqual([0, 1]);
  expect(noiseOf(5)).toBeCloseTo(2.5);
});

test('invented contrast counts as overshoot and departure', () => {
  const harsh = paintRaster(24, (x) => (x < 12 ? 20 : 220));
  expect(measureUpscale(source, harsh, plain)).toMatchObject({ departureLevels: 40 });
  expect(measureUpscale(source, harsh, plain).overshootLevels).toBeCloseTo(40, 3);
});

test('without edges, sharpness and detail are neutral for any model output', () => {
  const one = paintRaster(1, () => 90);
  const figures = measureUpscale(
    one,
    paintRaster(4, (x, y) => 20 * x + y),
    paintRaster(4, () => 90),
  );
  expect(figures).toMatchObject({ sharpness: 1, detail: 1 });
});
