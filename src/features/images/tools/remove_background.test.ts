import {
  removeBackground as engine,
  type RemoveBackgroundRequest,
} from '@atelier/imaging/segmentation/remove_background.ts';
import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { removeBackground } from './remove_background.ts';

const image: SourceImage = {
  bytes: Buffer.from(ORIGINAL_PNG_B64, 'base64'),
  format: 'png',
  width: 24,
  height: 24,
};
const network = { name: 'u2netp', sha256: 'ab'.repeat(32), origin: 'unofficial' };

test('without a network a flat background is removed by its colour, which is no lesser answer', async () => {
  const { output, warnings } = await run({});
  expect(output).toMatchObject({
    degraded: false,
    unsure: false,
    found_by: 'flat_background',
    engine: { name: 'atelier-matte' },
    metadata: NOTHING_CARRIED,
    format: 'png',
    width: 24,
  });
  expect(warnings).toEqual([]);
  expect(removeBackground.output.strict().safeParse(output).error).toBeUndefined();
});

test('what was found by its colours at a place is degraded, with how to get a network', async () => {
  const { output } = await run({ found: foundWith({ foundBy: 'colors', doubt: 0.1 }) });
  expect(output).toMatchObject({
    degraded: true,
    degraded_reason: expect.stringContaining('atelier models pull isnet_general'),
  });
});

test.each([
  [{ doubt: 0.9 }, true, [expect.stringMatching(/may be wrong.*`where`/)]],
  [{ doubt: 0.15 }, false, []],
  [{ uncertaintyShare: 0.2 }, true, [expect.stringMatching(/unsure of 20 %/)]],
])('found with %j, unsure is %s', async (signs, unsure, said) => {
  const { output, warnings } = await run({ found: foundWith(signs) });
  expect(output).toMatchObject({ unsure, quality: { uncertain_percent: 12.3 } });
  expect(warnings).toEqual(said);
});

test.each([
  [{ where: { x: 3, y: 4 } }, { where: { x: 3, y: 4 } }],
  [{ where: 'face' }, { word: 'face', eyes: { faces: 'yunet' } }],
])('%j reaches the engine of the network as %j', async (wanted, request) => {
  const { ran } = await run({ wanted, installed: network, found: foundWith({}) });
  expect(ran).toMatchObject(['cut_out_by_network', request]);
});

test('a word without a network is refused, with what to send instead', async () => {
  await expect(run({ wanted: { where: 'face' } })).rejects.toMatchObject({
    code: 'subject_unclear',
    message: expect.stringContaining('Send a box'),
  });
});

test.each([
  ['120, 80', { x: 120, y: 80 }],
  [[1, 2, 30, 40], { left: 1, top: 2, width: 30, height: 40 }],
])('%j is read as %j', (sent, where) => {
  expect(coerceInput(removeBackground.input, { image: 'x', where: sent }).sent).toMatchObject({ where });
});

test.each([{ x: -1, y: 2 }, { x: 1 }, { left: 0, top: 0, width: 0, height: 9 }, ''])(
  '%j is no place',
  (where) => {
    expect(removeBackground.input.safeParse({ image: 'x', where }).success).toBe(false);
  },
);

test('an unsure cut-out of a handle suggests one of its parts', () => {
  const output = { result: 'result:1', unsure: true, subjects: [{ left: 1, top: 2, width: 3, height: 4 }] };
  const [first] = removeBackground.next!(output as never, { image: 'upload:1' } as never, {});
  expect(first).toMatchObject({
    tool: 'remove_background',
    params: { image: 'upload:1', where: output.subjects[0] },
  });
});

test('an installed network is used and named, with a warning where its file is unofficial', async () => {
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

function foundWith(signs: object) {
  return {
    bytes: image.bytes,
    contentType: 'image/png',
    width: 24,
    height: 24,
    foundBy: 'network',
    holes: 0,
    subjects: [],
    haloScore: 0,
    uncertaintyShare: 0.02,
    objectShare: 0.3,
    uncertainPart: 0.1234,
    engine: { name: 'x', version: '1' },
    metadata: NOTHING_CARRIED,
    ...signs,
  };
}

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
    models: { cutOut: async () => installed, eyes: async () => ({ faces: 'yunet' }) },
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
