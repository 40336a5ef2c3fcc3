import {
  removeBackground as engine,
  type RemoveBackgroundRequest,
} from '@atelier/imaging/segmentation/remove_background.ts';
import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { removeBackground } from './remove_background.ts';

const image: SourceImage = {
  bytes: Buffer.from(ORIGINAL_PNG_B64, 'base64'),
  format: 'png',
  width: 24,
  height: 24,
};
const UNOFFICIAL = expect.stringContaining('unofficial');
const network = { name: 'u2netp', sha256: 'ab'.repeat(32), origin: 'unofficial' };

test('without a network the answer says so, why, and how to get one', async () => {
  const { output } = await run({});
  expect(output).toMatchObject({
    degraded: true,
    degraded_reason: expect.stringContaining('atelier models pull u2netp'),
    engine: { name: 'atelier-matte' },
    metadata: NOTHING_CARRIED,
    format: 'png',
    width: 24,
  });
  expect(removeBackground.output.strict().safeParse(output).error).toBeUndefined();
});

const bySigns: [{ doubt?: number; uncertaintyShare?: number }, boolean, boolean, unknown[]][] = [
  [{ doubt: 0.9 }, false, true, [expect.stringMatching(/is a guess.*atelier models pull u2netp/)]],
  [{ doubt: 0.9 }, true, true, [expect.stringMatching(/may be a guess/), UNOFFICIAL]],
  [{ doubt: 0.15 }, false, false, []],
  [{ uncertaintyShare: 0.2 }, false, true, [expect.stringMatching(/unsure of 20 %/)]],
];

test.each(bySigns)(
  'found with %j, by a network: %s, unsure is %s',
  async (signs, byNetwork, unsure, said) => {
    const found = {
      bytes: image.bytes,
      contentType: 'image/png',
      width: 24,
      height: 24,
      foundBy: byNetwork ? 'network' : 'colors',
      holes: 0,
      haloScore: 0,
      uncertaintyShare: 0.02,
      objectShare: 0.3,
      uncertainPart: 0.1234,
      engine: { name: 'x', version: '1' },
      metadata: NOTHING_CARRIED,
      ...signs,
    };
    const { output, warnings } = await run({ found, ...(byNetwork && { installed: network }) });
    expect(output).toMatchObject({ unsure, quality: { uncertain_percent: 12.3 } });
    expect(warnings).toEqual(said);
  },
);

test('an installed network does the work and is named, with a warning where nobody vouches for it', async () => {
  const { output, ran, warnings } = await run({ installed: network });
  expect(ran).toMatchObject(['cut_out_by_network', { network }]);
  expect(output).toMatchObject({ degraded: false });
  expect(output).not.toHaveProperty('degraded_reason');
  expect(warnings).toContainEqual(expect.stringContaining('unofficial'));
});

test.each([
  [{}, { kind: 'transparent' }],
  [{ background_color: '#0f8' }, { kind: 'on_color', color: [0, 255, 136] }],
  [{ background_color: 'F5F5F5' }, { kind: 'on_color', color: [245, 245, 245] }],
  [{ mask_only: true, background_color: '#fff' }, { kind: 'mask' }],
])('%j is written as %j', async (wanted, look) => {
  const { ran } = await run({ wanted });
  expect(ran[1]).toMatchObject({ look });
});

test.each(['#12345', 'red', '', '#gggggg'])('%j is no colour', (background_color) => {
  expect(removeBackground.input.safeParse({ image: 'x', background_color }).success).toBe(false);
});

async function run({
  wanted = {},
  installed,
  found,
}: {
  wanted?: object;
  installed?: object;
  found?: object;
}) {
  const warnings: string[] = [];
  let ran: [string, unknown] = ['', undefined];
  const services = {
    models: { cutOut: async () => installed },
    pixels: {
      run: async (name: string, input: RemoveBackgroundRequest) => {
        ran = [name, input];
        return found ?? { ...(await engine(input)), metadata: NOTHING_CARRIED };
      },
    },
    manifests: {},
    results: {
      keep: async () => ({ handle: 'result:1', url: 'http://localhost/results/1', expiresAt: new Date(0) }),
    },
  };
  const call = { signal: AbortSignal.timeout(20_000), warn: (note: string) => warnings.push(note) };
  const input = {
    image,
    output_format: 'png',
    mask_only: false,
    output: 'base64',
    keep: 'all',
    keep_location: false,
    ...wanted,
  } as const;
  return { output: await removeBackground.run(input, services as never, call as never), ran, warnings };
}
