import { expect, test } from 'vitest';
import { noiseWeights } from '../../../../tests/support/noise_weights.ts';
import { openNetwork } from './open_network.ts';

const [WIDTH, HEIGHT] = [40, 32];

test.each([2, 4] as const)(
  'SPAN ×%i with diverging values falls back to a smooth enlargement',
  async (scale) => {
    const architecture = { kind: 'SPAN', scale, features: 8, blocks: 2 } as const;
    const weights = new Map(
      [...noiseWeights(architecture)].map(([name, { shape, data }]) => [
        name,
        { shape, data: data.map((value) => value * 20) },
      ]),
    );
    const network = await openNetwork(architecture, weights);
    const ramp = Float32Array.from({ length: 3 * WIDTH * HEIGHT }, (_, at) => (at % WIDTH) / WIDTH);
    const enlarged = await network.enlarge(ramp, WIDTH, HEIGHT);
    const deviation = enlarged.map((value, at) =>
      Math.abs(value - ((at % (WIDTH * scale)) + 0.5 - scale / 2) / (WIDTH * scale)),
    );
    const inside = deviation.filter(
      (_, at) => Math.min(at % (WIDTH * scale), WIDTH * scale - 1 - (at % (WIDTH * scale))) > 2 * scale,
    );

    expect(Math.max(...inside)).toBeLessThan(1 / 255);
    await network.close();
  },
);
