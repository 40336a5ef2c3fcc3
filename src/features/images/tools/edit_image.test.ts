import type { EditRequest } from '@atelier/imaging/editor/edit_picture.ts';
import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { editImage } from './edit_image.ts';

const BYTES = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const PICTURE = { bytes: BYTES, format: 'png' as const, width: 16, height: 12 };

const parse = (operations: unknown) => editImage.input.parse({ image: 'x', operations }).operations;

interface Found {
  readonly models?: object;
  readonly engines?: Readonly<Record<string, () => Promise<unknown>>>;
}

async function run(operations: unknown, more: object = {}, { models, engines = {} }: Found = {}) {
  const warnings: string[] = [];
  let seen: EditRequest | undefined;
  const services = {
    pixels: {
      run: async (engine: string, request: EditRequest) => {
        if (engines[engine]) return engines[engine]();
        seen = request;
        const applied = request.operations.map((used) => ({
          op: used.op,
          used,
          boxes: [],
          width: 9,
          height: 7,
        }));
        return {
          bytes: BYTES,
          contentType: 'image/png',
          format: request.format,
          width: 9,
          height: 7,
          applied,
          engine: { name: 'e', version: '1' },
          metadata: NOTHING_CARRIED,
          ingredients: [],
          notes: [],
        };
      },
    },
    models,
    manifests: {},
    results: { keep: async () => ({ handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) }) },
  };
  const call = {
    signal: new AbortController().signal,
    onProgress() {},
    warn: (message: string) => warnings.push(message),
  } as unknown as CallContext;
  const input = editImage.input.parse({ image: 'x', operations, ...more });
  const loaded = input.operations.map((one) =>
    'image' in one && one.image && !String(one.image).includes('{{') ? { ...one, image: PICTURE } : one,
  );
  const answer = await editImage.run(
    { ...input, operations: loaded as typeof input.operations, image: PICTURE },
    services as never,
    call,
  );
  return { answer, warnings, seen: seen! };
}

test.each([
  [[{ op: 'rotate', degrees: 90 }], { op: 'rotate', degrees: 90, expand: true }],
  [[{ type: 'rotate', angle: '90deg' }], { op: 'rotate', degrees: 90 }],
  [[{ rotate: 90 }], { op: 'rotate', degrees: 90 }],
  [[{ name: 'rotate', params: { angle: 90 } }], { op: 'rotate', degrees: 90 }],
  ['[{"op": "rotate", "value": 90}]', { op: 'rotate', degrees: 90 }],
  [
    { action: 'rotate', deg: 90 },
    { op: 'rotate', degrees: 90 },
  ],
  [['grayscale'], { op: 'tone', style: 'grayscale' }],
  [
    [{ op: 'duotone', shadows: 'navy', highlights: 'white' }],
    { op: 'tone', style: 'duotone', dark: 'navy', light: 'white' },
  ],
  [
    [{ op: 'shape', type: 'rectangle', box: [1, 2, 3, 4], stroke: { color: 'red', width: 4 } }],
    { op: 'shape', type: 'rect', stroke: 'red', width: 4 },
  ],
  [
    [{ op: 'arrow', from: [1, 2], to: { x: 3, y: 4 }, color: 'red' }],
    {
      op: 'shape',
      type: 'arrow',
      points: [
        [1, 2],
        [3, 4],
      ],
      stroke: 'red',
    },
  ],
  [[{ op: 'opacity', value: 50 }], { op: 'opacity', value: 0.5 }],
  [[{ op: 'crop', x: 1, y: 2, w: 3, h: 4 }], { op: 'crop', box: { x: 1, y: 2, width: 3, height: 4 } }],
  [
    [{ op: 'extract', left: 1, top: 2, width: 3, height: 4 }],
    { op: 'crop', box: { x: 1, y: 2, width: 3, height: 4 } },
  ],
  [[{ op: 'crop', box: [1, 2, 3, 4] }], { op: 'crop', box: { x: 1, y: 2, width: 3, height: 4 } }],
  [
    [{ op: 'crop', box: { x1: 1, y1: 2, x2: 4, y2: 6 } }],
    { op: 'crop', box: { x: 1, y: 2, width: 3, height: 4 } },
  ],
  [
    [{ op: 'crop', box: { x: 0.25, y: 0, width: 0.5, height: 1 } }],
    { op: 'crop', box: { x: '25%', y: '0%', width: '50%', height: '100%' } },
  ],
  [
    [{ op: 'crop', ratio: '16:9', position: 'top-left' }],
    { op: 'crop', aspect: '16:9', gravity: 'northwest' },
  ],
  [[{ op: 'brightness', value: 20 }], { op: 'adjust', brightness: 0.2 }],
  [[{ contrast: 1.25 }], { op: 'adjust', contrast: 0.25 }],
  [[{ op: 'flop' }], { op: 'flip', axis: 'horizontal' }],
  [[{ op: 'circle' }], { op: 'round', radius: '50%' }],
  [[{ op: 'blur_faces' }], { op: 'blur', where: 'faces' }],
  [
    [{ op: 'blur', sigma: 5, region: { x: 1, y: 2, width: 3, height: 4 } }],
    { op: 'blur', amount: 5, where: [{ x: 1, y: 2, width: 3, height: 4 }] },
  ],
  [[{ op: 'pad', top: 5, color: 'red' }], { op: 'pad', top: 5, background: 'red' }],
  [[{ op: 'resize', w: 50, mode: 'crop', h: 50 }], { op: 'resize', width: 50, height: 50, fit: 'cover' }],
  [
    [{ op: 'perspective', points: [1, 2, 3, 4, 5, 6, 7, 8] }],
    {
      op: 'perspective',
      corners: [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ],
    },
  ],
])('%j is normalised', (sent, expected) => {
  expect(parse(sent)).toMatchObject([expected]);
});

test('an object with several operations becomes a list in its order', () => {
  expect(parse({ crop: { aspect: '1:1' }, rotate: 90, grayscale: true }).map(({ op }) => op)).toEqual([
    'crop',
    'rotate',
    'tone',
  ]);
});

test.each([
  [[{ op: 'crpo' }], 'must be one of crop, trim'],
  [[{ op: 'rotate' }], 'must be a number from'],
  [[{ op: 'opacity', value: 2 }], 'must be a number from 0 to 1'],
  [[{ op: 'border', color: 'bleu' }], 'must be a CSS colour'],
  [[{ op: 'round', radius: '5 furlongs' }], 'must be pixels, or text with a unit'],
  [[], 'must name at least one operation'],
  [Array(51).fill({ op: 'trim' }), 'at most 50 operations'],
])('%j is rejected with a fix', (sent, message) => {
  const { error } = editImage.input.safeParse({ image: 'x', operations: sent });
  expect(error?.issues.map((issue) => issue.message).join(' ')).toContain(message);
});

test('the format is that of the image, and may become PNG if none was requested', async () => {
  const { seen } = await run([{ op: 'trim' }]);
  expect([seen.format, seen.mayBePng]).toEqual(['png', true]);
  expect((await run([{ op: 'trim' }], { format: 'jpeg' })).seen).toMatchObject({
    format: 'jpeg',
    mayBePng: false,
    quality: 90,
  });
});

test('an unknown field of an operation causes a warning and is dropped', async () => {
  const { warnings, seen } = await run([{ op: 'trim', sparkle: 3 }]);
  expect(warnings).toEqual([
    expect.stringContaining('operations.0: "sparkle" was ignored. Fields of trim: tolerance'),
  ]);
  expect(seen.operations[0]).not.toHaveProperty('sparkle');
});

test('the history names an overlay by handle, or stores an overlay sent as base64', async () => {
  const { answer, seen } = await run([
    { op: 'overlay', image: 'asset:logo' },
    { op: 'overlay', image: EXAMPLE_PNG_B64 },
  ]);
  expect(answer.history.map(({ image }) => image)).toEqual(['asset:logo', 'result:r1']);
  expect(Object.keys(seen.images)).toEqual(['0', '1']);
});

/** Engines that find a subject in the middle, or refuse to. */
const cutting = (found: object | AtelierError) => ({
  models: { cutOut: async () => undefined, fetching: async () => undefined },
  engines: {
    cut_out: async () => {
      if (found instanceof AtelierError) throw found;
      return {
        ...{ bytes: BYTES, width: 16, height: 12, engine: { name: 'e', version: '1' }, uncertaintyShare: 0 },
        subjects: [{ left: 4, top: 3, width: 8, height: 6 }],
        ...found,
      };
    },
  },
});

test.each([[['#ff8fa3', '#10214b']], [['#10214b', '#ff8fa3']]])(
  'two colours %j become dark and light of a duotone',
  (colors) => {
    expect(parse([{ op: 'tone', style: 'duotone', colors }])).toMatchObject([
      { dark: '#10214b', light: '#ff8fa3' },
    ]);
  },
);

test('where: background means everything but the subject, which is detected once', async () => {
  const operations = [
    { op: 'blur', where: 'background' },
    { op: 'pixelate', where: 'bg' },
  ];
  const { answer, seen } = await run(operations, {}, cutting({ foundBy: 'flat_background' }));
  expect(seen.findings.subject).toMatchObject({
    box: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
    reason: 'the subject, found by its flat background',
  });
  expect(answer.degraded).toBe(false);
});

test('a subject found by colour alone is reported as degraded quality', async () => {
  const { answer, warnings } = await run(
    [{ op: 'background', remove: true, color: 'white' }],
    {},
    cutting({ foundBy: 'colors', doubt: 0.5 }),
  );
  expect(answer).toMatchObject({ degraded: true, degraded_reason: expect.stringContaining('colour alone') });
  expect(warnings.join()).toMatch(/operations.0 \(background\): the subject is uncertain/);
});

test('an undetected background is rejected with an alternative', async () => {
  const unclear = cutting(new AtelierError('subject_unclear', 'no subject'));
  await expect(run([{ op: 'redact', where: 'background' }], {}, unclear)).rejects.toMatchObject({
    code: 'subject_unclear',
    message: expect.stringMatching(/operations.0 \(redact\)[\s\S]*remove_background/),
  });
});

test('placeholders are rejected outside compose_image', async () => {
  await expect(run([{ op: 'overlay', image: '{{logo}}' }])).rejects.toThrow(/works only in compose_image/);
});

test.each([
  [{ perspective: { from: [1, 2, 3, 4, 5, 6, 7, 8] } }, 'from'],
  [
    {
      op: 'perspective',
      dst: [
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
      ],
    },
    'to',
  ],
  [{ op: 'distort', corners: { tl: [0, 0], tr: [9, 0], br: [9, 9], bl: [0, 9] } }, 'corners'],
])('%j sets the points in %s', (operation, field) => {
  const [parsed] = parse([operation]);
  expect((parsed as unknown as Record<string, unknown[]>)[field]).toHaveLength(4);
});
