import { expect, test } from 'vitest';
import { noiseWeights } from '../../../../tests/support/noise_weights.ts';
import { openSession } from '../onnx/open_session.ts';
import type { Architecture } from './architecture.ts';
import { buildGraph, openNetwork } from './open_network.ts';

const NETWORKS: Architecture[] = [
  { kind: 'RRDBNet', scale: 4, features: 8, growth: 4, blocks: 1 },
  { kind: 'RRDBNet', scale: 2, features: 8, growth: 4, blocks: 1 },
  { kind: 'SRVGGNetCompact', scale: 4, features: 8, convolutions: 2 },
  { kind: 'SPAN', scale: 2, features: 8, blocks: 2 },
  { kind: 'SPAN', scale: 4, features: 8, blocks: 2 },
];
/** Larger than one tile of the tail. */
const [WIDTH, HEIGHT] = [300, 280];

test.each(NETWORKS)(
  '$kind ×$scale split into parts and tiles matches the whole graph',
  async (architecture) => {
    const tensors = noiseWeights(architecture);
    const input = Float32Array.from({ length: 3 * WIDTH * HEIGHT }, (_, at) => ((at * 7919) % 256) / 255);
    const whole = await openSession(buildGraph(architecture, tensors));
    const expected = (await whole.run(input, [1, 3, HEIGHT, WIDTH])).get('output')!.data;
    const network = await openNetwork(architecture, tensors);
    const enlarged = await network.enlarge(input, WIDTH, HEIGHT);

    expect([network.scale, enlarged.length]).toEqual([architecture.scale, expected.length]);
    const largest = expected.reduce((maximum, value) => Math.max(maximum, Math.abs(value)), 0);
    const deviation = enlarged.reduce(
      (maximum, value, at) => Math.max(maximum, Math.abs(value - expected[at]!)),
      0,
    );
    expect(deviation / largest).toBeLessThan(1e-5);
    await Promise.all([whole.close(), network.close()]);
  },
);
