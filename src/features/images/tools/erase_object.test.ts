import { BOXES_MAX } from '@atelier/imaging/inpaint/limits.ts';
import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
import { eraseObject } from './erase_object.ts';

const BOX = { x: 1, y: 2, width: 30, height: 40 };
const read = (sent: object) => {
  const { sent: coerced } = coerceInput(eraseObject.input, { image: 'x', ...sent });
  return eraseObject.input.safeParse(coerced);
};

test.each([
  [{ where: [BOX] }],
  [{ where: BOX }],
  [{ boxes: [{ left: 1, top: 2, width: 30, height: 40 }] }],
  [{ where: [1, 2, 30, 40] }],
  [{ box: '1, 2, 30, 40' }],
  [{ where: [[1, 2, 30, 40]] }],
  [{ where: JSON.stringify([BOX]) }],
  [{ where: JSON.stringify(BOX) }],
  [{ where: [{ ...BOX, confidence: 0.9 }] }],
])('%j is parsed as one box', (sent) => {
  expect(read(sent).data).toMatchObject({ where: [{ left: 1, top: 2, width: 30, height: 40 }] });
});

test.each([
  [{ where: 'Face' }, { where: 'faces' }],
  [{ where: 'words' }, { where: 'text' }],
  [{ where: 'upload:abc' }, { mask: 'upload:abc' }],
])('%j is parsed as %j', (sent, meant) => {
  expect(read(sent).data).toMatchObject(meant);
});

test.each([
  {},
  { where: [] },
  { where: 'the dog' },
  { where: [{ x: 1, y: 2 }] },
  { where: [{ ...BOX, width: 0 }] },
  { where: Array(101).fill(BOX) },
  { where: [BOX], feather: 101 },
])('%j is rejected', (sent) => {
  expect(read(sent).error?.issues[0]?.path[0]).toMatch(/where|feather/);
});

test('without a model the response is degraded and free, and describes the limitations', async () => {
  const { output, ran, charged } = await run({ where: [BOX] }, {});
  expect(ran.map(([name]) => name)).toEqual(['erase']);
  expect(charged).toEqual([{ credits: 0, why: expect.any(String) }]);
  expect(output).toMatchObject({
    filled_by: 'patches',
    degraded: true,
    degraded_reason: expect.stringMatching(/face.*atelier models pull migan/),
    erased_percent: 1.23,
    areas: [{ x: 1, y: 2, width: 3, height: 4 }],
  });
  expect(eraseObject.output.strict().safeParse(output).error).toBeUndefined();
});

test('a model costs one credit, and its pixels are marked as AI-generated', async () => {
  const { output, ran, charged } = await run({ where: [BOX] }, { eraser: { name: 'migan' } });
  expect(ran).toMatchObject([
    [
      'erase_by_network',
      {
        carry: { shows: 'edited', sourceType: 'compositeWithTrainedAlgorithmicMedia' },
        network: { name: 'migan' },
      },
    ],
  ]);
  expect([charged, output.degraded]).toEqual([[], false]);
});

test.each([
  [undefined, 0],
  [{ name: 'migan' }, undefined],
])('with the model %j the estimated price is %j', async (eraser, credits) => {
  const models = { eraser: async () => eraser } as never;
  expect((await eraseObject.charge!({} as never, { models }))?.credits).toBe(credits);
});

test('text is detected first, and its boxes are erased with a margin', async () => {
  const part = { x: 0.1, y: 0.2, width: 0.3, height: 0.05, score: 0.9 };
  const { ran } = await run({ where: 'text' }, { eyes: { writing: 'w' }, seen: { writing: [part] } });
  expect(ran).toMatchObject([
    ['see', { networks: { writing: 'w' } }],
    ['erase', { found: { parts: [part], room: 0.2 } }],
  ]);
});

test('above the box limit the largest boxes are erased, and the rest are counted', async () => {
  const part = { x: 0.1, y: 0.1, width: 0.01, height: 0.01, score: 0.9 };
  const large = { ...part, width: 0.5 };
  const seen = { writing: [...Array(BOXES_MAX).fill(part), large] };
  const { ran, warnings } = await run({ where: 'text' }, { eyes: { writing: 'w' }, seen });
  const { parts } = ran[1]![1].found as { parts: object[] };
  expect(parts[0]).toEqual(large);
  expect(parts).toHaveLength(BOXES_MAX);
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`^The ${BOXES_MAX} largest of ${BOXES_MAX + 1} `)),
  ]);
});

test('the text reader replaces the text detection model', async () => {
  const seen = { writing: [{ x: 0.1, y: 0.2, width: 0.3, height: 0.05, score: 0.9 }] };
  const { ran } = await run({ where: 'text' }, { eyes: { writing: 'w' }, reader: { detection: 'd' }, seen });
  expect(ran[0]).toMatchObject(['see', { networks: { reader: { detection: 'd' } } }]);
});

test.each([
  [{ eyes: {} }, /finds text is not installed.*Send `where` as boxes/],
  [{ eyes: { writing: 'w' }, seen: { writing: [] } }, /No text found/],
])('if no text is found, the error asks for boxes (%#)', async (services, said) => {
  await expect(run({ where: 'text' }, services)).rejects.toMatchObject({
    code: 'subject_unclear',
    message: expect.stringMatching(said),
  });
});

async function run(
  wanted: object,
  { eraser, eyes = {}, reader, seen }: { eraser?: object; eyes?: object; reader?: object; seen?: object },
) {
  const ran: [string, Record<string, unknown>][] = [];
  const charged: unknown[] = [];
  const warnings: string[] = [];
  const erased = {
    bytes: new Uint8Array(9),
    contentType: 'image/png',
    width: 60,
    height: 50,
    notes: [],
    filledBy: eraser ? 'network' : 'patches',
    erasedShare: 0.01234,
    areas: [{ left: 1, top: 2, width: 3, height: 4 }],
    engine: { name: 'x', version: '1' },
    metadata: NOTHING_CARRIED,
  };
  const services = {
    models: { eraser: async () => eraser, eyes: async () => eyes, textReader: async () => reader },
    pixels: {
      async run(name: string, input: Record<string, unknown>) {
        ran.push([name, input]);
        return name === 'see' ? seen : erased;
      },
    },
    manifests: {},
    results: {
      keep: async () => ({ handle: 'result:1', url: 'http://localhost/r', expiresAt: new Date(0) }),
    },
  };
  const call = {
    signal: AbortSignal.timeout(9000),
    warn: (text: string) => warnings.push(text),
    charge: (found: unknown) => charged.push(found),
  };
  const image = { bytes: new Uint8Array(9), format: 'png', width: 60, height: 50 };
  const input = eraseObject.input.parse({ image: 'x', ...wanted });
  const output = await eraseObject.run({ ...input, image } as never, services as never, call as never);
  return { output, ran, charged, warnings };
}
