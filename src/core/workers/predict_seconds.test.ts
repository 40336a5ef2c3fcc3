import { expect, test } from 'vitest';
import type { EngineName, Engines } from './engines.ts';
import { RATIOS_KEPT } from './limits.ts';
import { createPredictor, lengthOf, type Prediction, type Predictor } from './predict_seconds.ts';

/** Only the header of a PNG: a prediction reads no more. */
function imageOf(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.set([8, 2], 24);
  return bytes;
}

const secondsOf = <Name extends EngineName>(engine: Name, input: Parameters<Engines[Name]>[0]): number =>
  createPredictor(2).predict(engine, input, { pixels: 1e6 }).seconds;

const resize = { width: 200, height: 200, mode: 'contain', format: 'png', quality: 90 } as const;
const vectorize = {
  mode: 'color',
  colorPrecision: 6,
  filterSpeckle: 4,
  palette: [],
  gradients: false,
  nodesMax: 1000,
  force: true,
} as const;

test('on a new server, a small resize is short and a search for watermark parts is long', () => {
  expect(lengthOf('resize', secondsOf('resize', { ...resize, bytes: imageOf(600, 400) }))).toBe('short');
  for (const side of [600, 2828]) {
    const bytes = imageOf(side, side);
    expect(lengthOf('watermark_detect', secondsOf('watermark_detect', { bytes, parts: true }))).toBe('long');
  }
  expect(lengthOf('watermark_detect', secondsOf('watermark_detect', { bytes: imageOf(600, 600) }))).toBe(
    'short',
  );
});

test('the prediction depends on parameters as well as pixels', () => {
  const bytes = imageOf(1500, 1000);
  const large = { ...resize, bytes, width: 7000, height: 6600 };
  expect(secondsOf('resize', large)).toBeGreaterThan(20 * secondsOf('resize', { ...resize, bytes }));
  const [color, ink] = (['color', 'binary'] as const).map((mode) =>
    secondsOf('vectorize', { ...vectorize, bytes, mode }),
  );
  expect(color).toBeGreaterThan(ink!);
});

test('enlarging is predicted within a third of what was measured on two cores', () => {
  const span = (scale: 2 | 4) => ({ kind: 'SPAN', scale, features: 48, blocks: 6 }) as const;
  const predicted = ([width, height]: readonly [number, number], architecture: ReturnType<typeof span>) =>
    secondsOf('upscale', { bytes: imageOf(width, height), model: { name: 'n', architecture } } as never);
  // CPU seconds of 28 November 2026: docs/decisions/0005-admission-by-cpu-seconds.md
  const measured = [
    predicted([256, 192], span(2)) / 0.89,
    predicted([700, 500], span(2)) / 4.84,
    predicted([256, 192], span(4)) / 0.9,
    predicted([700, 500], span(4)) / 6.22,
  ];
  expect(Math.max(...measured)).toBeLessThan(4 / 3);
  expect(Math.min(...measured)).toBeGreaterThan(3 / 4);
});

test('a trace of a larger file of the same size in pixels is predicted to take longer', () => {
  const bytes = imageOf(1500, 1000);
  const detailed = Buffer.concat([bytes, Buffer.alloc(300_000)]);
  const flat = secondsOf('vectorize', { ...vectorize, bytes });
  expect(secondsOf('vectorize', { ...vectorize, bytes: detailed })).toBeGreaterThan(3 * flat);
});

test('an input without an image is predicted from the pixels of the run', () => {
  const predictor = createPredictor(2);
  const at = (pixels: number) =>
    predictor.predict('hash_pixels', { bytes: Buffer.from('no image') }, { pixels });
  expect(Number.isFinite(at(4e6).seconds)).toBe(true);
});

test('the measured speed of a model takes precedence over the table', () => {
  const { seconds } = createPredictor(4).predict('upscale', {}, { pixels: 1e6, estimatedSeconds: 3 });
  expect(seconds).toBe(12);
});

test('a run that writes a file or has an unknown duration is never short', () => {
  expect([lengthOf('print', 0.1), lengthOf('preflight', 0.1)]).toEqual(['long', 'long']);
});

/** Runs of the same engine, each with a given ratio of measured to predicted time. */
function learn(
  predictor: Predictor,
  runs: readonly (readonly [address: string, ratio: number])[],
  isStopped = false,
) {
  const input = { bytes: imageOf(1500, 1000) };
  const predict = (): Prediction => predictor.predict('analyse', input, { pixels: 1e6 });
  const { seedSeconds } = predict();
  for (const [address, ratio] of runs)
    predictor.learn(predict(), { cpuSeconds: ratio * seedSeconds, isStopped, address });
  return predict().seconds / seedSeconds;
}

const fromMany = (count: number, ratio: number) =>
  Array.from({ length: count }, (_, at) => [`address ${at}`, ratio] as const);

test('a slower machine is detected after a few runs', () => {
  expect(learn(createPredictor(), fromMany(2, 3))).toBe(1);
  expect(learn(createPredictor(), fromMany(3, 3))).toBe(3);
});

test('the correction is the median of recent runs, within bounds', () => {
  const predictor = createPredictor();
  learn(predictor, fromMany(RATIOS_KEPT, 3));
  expect(learn(predictor, [['odd', 100]])).toBe(3);
  expect(learn(predictor, fromMany(RATIOS_KEPT, 1000))).toBe(8);
  expect(learn(predictor, fromMany(RATIOS_KEPT, 0.001))).toBe(0.25);
});

test('one address cannot shift the prediction for others', () => {
  const predictor = createPredictor();
  learn(predictor, fromMany(9, 1));
  expect(
    learn(
      predictor,
      Array.from({ length: 100 }, () => ['attacker', 50] as const),
    ),
  ).toBe(1);
});

test('a stopped run is only a lower bound of the duration', () => {
  expect(learn(createPredictor(), fromMany(5, 0.1), true)).toBe(1);
  expect(learn(createPredictor(), fromMany(5, 4), true)).toBe(4);
});

test('corrections for one class of parameters do not affect other classes', () => {
  const predictor = createPredictor();
  const predict = (parts: boolean) =>
    predictor.predict('watermark_detect', { bytes: imageOf(600, 400), parts }, { pixels: 1e6 });
  const before = predict(false).seconds;
  for (const address of ['a', 'b', 'c'])
    predictor.learn(predict(true), { cpuSeconds: 30, isStopped: false, address });
  expect(predict(true).seconds).toBeGreaterThan(15);
  expect(predict(false).seconds).toBe(before);
});
