import {
  removeBackground as engine,
  type RemoveBackgroundRequest,
} from '@atelier/imaging/segmentation/remove_background.ts';
import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
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

test('without a model a flat background is removed by colour, and the result is not degraded', async () => {
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

test('a subject found by colour is degraded, and the reason says how to install a model', async () => {
  const { output } = await run({ found: foundWith({ foundBy: 'colors', doubt: 0.1 }) });
  expect(output).toMatchObject({
    degraded: true,
    degraded_reason: expect.stringContaining('atelier models pull isnet_general'),
  });
});

test('while the model is downloading, an error reports progress and when to retry', async () => {
  const progress = { retryAfterSeconds: 12, text: 'isnet_general is being downloaded (45 of 113 MB).' };
  const unclear = new AtelierError('subject_unclear', 'It has no flat background.');
  const expected = { code: 'subject_unclear', details: { retryAfterSeconds: 12 } };
  await expect(run({ progress, fails: unclear })).rejects.toMatchObject({
    ...expected,
    message: 'It has no flat background. isnet_general is being downloaded (45 of 113 MB).',
  });
  await expect(run({ progress, wanted: { where: 'face' } })).rejects.toMatchObject(expected);
  await expect(run({ fails: unclear })).rejects.toBe(unclear);
});

test.each([
  [{ doubt: 0.9 }, true, [expect.stringMatching(/is uncertain.*`where`/)]],
  [{ doubt: 0.15 }, false, []],
  [{ uncertaintyShare: 0.2 }, true, [expect.stringMatching(/unsure about 20 %/)]],
])('a subject found with %j sets unsure to %s', async (signs, unsure, said) => {
  const { output, warnings } = await run({ found: foundWith(signs) });
  expect(output).toMatchObject({ unsure, quality: { uncertain_percent: 12.3 } });
  expect(warnings).toEqual(said);
});

test.each([
  [{ where: { x: 3, y: 4 } }, { where: { x: 3, y: 4 } }],
  [{ where: 'face' }, { word: 'face', eyes: { faces: 'yunet' } }],
])('%j reaches the segmentation engine as %j', async (wanted, request) => {
  const { ran } = await run({ wanted, installed: network, found: foundWith({}) });
  expect(ran).toMatchObject(['cut_out_by_network', request]);
});

test('a target word without a model is rejected with alternatives', async () => {
  await expect(run({ wanted: { where: 'face' } })).rejects.toMatchObject({
    code: 'subject_unclear',
    message: expect.stringContaining('Send a box'),
  });
});

test.each([
  ['120, 80', { x: 120, y: 80 }],
  [[1, 2, 30, 40], { left: 1, top: 2, width: 30, height: 40 }],
])('%j is parsed as %j', (sent, where) => {
  expect(coerceInput(removeBackground.input, { image: 'x', where: sent }).sent).toMatchObject({ where });
});

test.each([{ x: -1, y: 2 }, { x: 1 }, { left: 0, top: 0, width: 0, height: 9 }, ''])(
  '%j is not a valid location',
  (where) => {
    expect(removeBackground.input.safeParse({ image: 'x', where }).success).toBe(false);
  },
);

test('an unsure cutout of a handle suggests adding strokes or selecting a part', () => {
  const output = { result: 'result:1', unsure: true, subjects: [{ left: 0, top: 0, width: 32, height: 16 }] };
  const [first, second] = removeBackground.next!(output as never, { image: 'upload:1' } as never, {});
  const strokes = [
    {
      points: [
        [14, 8],
        [18, 8],
      ],
      radius: 6,
      keep: true,
    },
  ];
  expect(first).toMatchObject({ params: { image: 'upload:1', mask: 'result:1', strokes } });
  expect(second).toMatchObject({ params: { image: 'upload:1', where: output.subjects[0] } });
});

test('an installed model is used and named, with a warning if its file is unofficial', async () => {
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
])('%j is rendered as %j', async (wanted, look) => {
  const { ran } = await run({ wanted });
  expect(ran[1]).toMatchObject({ look });
});

test.each(['#12345', 'red', '', '#gggggg'])('%j is not a valid colour', (background_color) => {
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
  progress,
  fails,
}: {
  wanted?: object;
  installed?: object;
  found?: object;
  progress?: object;
  fails?: Error;
}) {
  const warnings: string[] = [];
  let ran: [string, unknown] = ['', undefined];
  const services = {
    models: {
      cutOut: async () => installed,
      fetching: async () => progress,
      eyes: async () => ({ faces: 'yunet' }),
    },
    pixels: {
      run: async (name: string, input: RemoveBackgroundRequest) => {
        ran = [name, input];
        if (fails) throw fails;
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

const STROKE = { points: [[1, 2]], radius: 6, keep: true };
test.each([
  [[STROKE], STROKE],
  [{ points: [[1, 2]] }, STROKE],
  [[{ points: [1, 2], keep: 'remove', radius: 3 }], { ...STROKE, keep: false, radius: 3 }],
  [[{ points: [{ x: 1, y: 2 }], mode: 'background' }], { ...STROKE, keep: false }],
])('%j is parsed as a stroke', (sent, stroke) => {
  const { sent: coerced } = coerceInput(removeBackground.input, { image: 'x', strokes: sent });
  expect(removeBackground.input.parse(coerced).strokes).toEqual([stroke]);
});

test.each([
  [[{}]],
  [[{ points: [] }]],
  [[{ points: [[1, 2, 3]] }]],
  [[{ ...STROKE, radius: 0 }]],
  [[{ ...STROKE, keep: 'perhaps' }]],
  [[{ ...STROKE, points: Array(2001).fill([1, 2]) }]],
  [Array(101).fill(STROKE)],
])('%# is not a valid list of strokes', (strokes) => {
  expect(removeBackground.input.safeParse({ image: 'x', strokes }).success).toBe(false);
});

test('strokes and a mask reach the engine, and a mask result is not degraded', async () => {
  const mask = { ...image, bytes: new Uint8Array([1, 2]) };
  const { ran, output } = await run({
    wanted: { strokes: [STROKE], mask },
    found: foundWith({ foundBy: 'mask' }),
  });
  expect(ran).toMatchObject(['cut_out', { strokes: [STROKE], mask: mask.bytes }]);
  expect(output).toMatchObject({ found_by: 'mask', degraded: false });
});
