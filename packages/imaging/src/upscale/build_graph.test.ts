import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSession } from '../onnx/open_session.ts';
import { type Tensors, WeightsError } from '../onnx/tensors.ts';
import { type Architecture, expectedShapes } from './architecture.ts';
import { buildGraph } from './open_network.ts';

/** Computed by PyTorch with the same weights: tests/golden/weights/make_layers.py */
interface Layer {
  readonly shape: number[];
  readonly mean: number;
  readonly samples: number[];
}
const golden: Record<string, Record<string, Layer>> = JSON.parse(
  readFileSync(new URL('../../../../tests/golden/weights/layers.json', import.meta.url), 'utf8'),
);

const NETWORKS: Record<string, Architecture> = {
  'RRDBNet x4': { kind: 'RRDBNet', scale: 4, features: 4, growth: 2, blocks: 2 },
  'RRDBNet x2': { kind: 'RRDBNet', scale: 2, features: 4, growth: 2, blocks: 1 },
  'SRVGGNetCompact x4': { kind: 'SRVGGNetCompact', scale: 4, features: 5, convolutions: 2 },
};

const wave = (count: number, start: number) =>
  Float64Array.from({ length: count }, (_, k) => Math.sin(0.7 * k + start));
/** In the layer order of the recipe, which numbers its parameters. */
const ORDER = ['conv_first', 'body', 'conv_body', 'conv_up1', 'conv_up2', 'conv_hr', 'conv_last'];
function weightsOf(architecture: Architecture): Tensors {
  const shapes = [...expectedShapes(architecture)];
  const ordered = shapes.toSorted(
    ([a], [b]) => ORDER.indexOf(a.split('.')[0]!) - ORDER.indexOf(b.split('.')[0]!),
  );
  return new Map(
    ordered.map(([name, shape], start) => {
      const count = shape.reduce((product, side) => product * side, 1);
      return [name, { shape, data: Float32Array.from(wave(count, start), (value) => value / 4) }];
    }),
  );
}
const INPUT = Float32Array.from(wave(3 * 4 * 6, 0.5), (value) => value / 2 + 0.5);
/** Tolerance relative to a layer's largest value: sums of hundreds of products are accumulated in a different order. */
const TOLERANCE = 4e-6;

test.each(Object.keys(NETWORKS))('every layer of %s matches PyTorch', async (name) => {
  const layers = golden[name]!;
  const expose = Object.keys(layers).filter((layer) => layer !== 'output');
  const architecture = NETWORKS[name]!;
  const session = await openSession(buildGraph(architecture, weightsOf(architecture), { expose }));
  const results = await session.run(INPUT, [1, 3, 4, 6]);

  expect(expose.length).toBeGreaterThan(6);
  for (const [layer, { shape, mean, samples }] of Object.entries(layers)) {
    const { data, sides } = results.get(layer)!;
    const step = Math.max(1, Math.floor(data.length / 12));
    const tolerance = TOLERANCE * Math.max(1, ...data.map(Math.abs));
    expect([layer, sides]).toEqual([layer, shape]);
    expect(Math.abs(data.reduce((sum, value) => sum + value, 0) / data.length - mean)).toBeLessThan(
      tolerance,
    );
    for (const [at, sample] of samples.entries())
      expect(Math.abs(data[at * step]! - sample), `${layer}[${at * step}]`).toBeLessThan(tolerance);
  }
  await session.close();
});

test('one graph accepts any image size and batch size', async () => {
  const architecture = NETWORKS['SRVGGNetCompact x4']!;
  const session = await openSession(buildGraph(architecture, weightsOf(architecture)));
  for (const sides of [
    [1, 3, 1, 1],
    [1, 3, 9, 2],
    [2, 3, 5, 7],
  ]) {
    const count = sides.reduce((product, side) => product * side, 1);
    const result = await session.run(Float32Array.from(wave(count, 0)), sides);
    expect(result.get('output')!.sides).toEqual([sides[0], 3, sides[2]! * 4, sides[3]! * 4]);
  }
  await session.close();
});

const message = (work: () => unknown): string => {
  try {
    work();
    return 'built';
  } catch (error) {
    if (error instanceof WeightsError) return error.message;
    throw error;
  }
};

test.each(Object.entries(NETWORKS))(
  'weights that do not belong to %s are rejected with the tensor named',
  (name, own) => {
    for (const [other, architecture] of Object.entries(NETWORKS)) {
      const outcome = message(() => buildGraph(own, weightsOf(architecture)));
      if (other === name) expect(outcome).toBe('built');
      else expect(outcome).toContain(`The file looks like ${other.replace(' x', ' ×').split(' ×')[0]}`);
    }
  },
);

test.each([
  [
    'a missing tensor',
    (tensors: Map<string, unknown>) => tensors.delete('conv_hr.bias'),
    '"conv_hr.bias" is missing',
  ],
  [
    'a surplus tensor',
    (tensors: Map<string, unknown>) => tensors.set('more', { shape: [1], data: [1] }),
    '"more"',
  ],
  [
    'a NaN value',
    (tensors: Map<string, unknown>) =>
      tensors.set('conv_hr.bias', { shape: [4], data: Float32Array.of(1, Number.NaN, 1, 1) }),
    'NaN or infinite',
  ],
])('%s is reported by name', (_what, change, words) => {
  const architecture = NETWORKS['RRDBNet x4']!;
  const tensors = new Map(weightsOf(architecture));
  change(tensors);
  expect(message(() => buildGraph(architecture, tensors))).toContain(words);
});

test.each([
  [{ kind: 'RRDBNet', scale: 2, features: 64, growth: 32, blocks: 23 }, 16_703_171],
  [{ kind: 'RRDBNet', scale: 4, features: 64, growth: 32, blocks: 23 }, 16_697_987],
  [{ kind: 'RRDBNet', scale: 4, features: 64, growth: 32, blocks: 6 }, 4_467_779],
  [{ kind: 'SRVGGNetCompact', scale: 4, features: 64, convolutions: 32 }, 1_213_296],
  [{ kind: 'SRVGGNetCompact', scale: 4, features: 64, convolutions: 16 }, 621_424],
  [{ kind: 'SPAN', scale: 4, features: 48, blocks: 6 }, 426_288],
] as const)('%o has as many parameters as published', (architecture, parameters) => {
  const counts = [...expectedShapes(architecture).values()].map((shape) =>
    shape.reduce((product, side) => product * side, 1),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(parameters);
});
