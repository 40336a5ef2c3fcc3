import { Canvas } from '@atelier/imaging/editor/canvas.ts';
import { applyOperations } from '@atelier/imaging/editor/edit_picture.ts';
import { CANVAS_PIXELS_MAX } from '@atelier/imaging/editor/limits.ts';
import { sourceOfRaster } from '@atelier/imaging/editor/source.ts';
import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import type { DeepRaster } from '@atelier/imaging/pixels/raster.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelTypeface } from '../../../core/workers/open_typeface.ts';
import { editImage } from '../../images/tools/edit_image.ts';
import { ImageText } from '../images_in.ts';
import { OPERATION_FIELDS, OPERATION_NAMES } from './operation_fields.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 300);

const CUBE = `LUT_3D_SIZE 2\n${Array.from({ length: 8 }, (_, at) => `${at & 1} ${(at >> 1) & 1} ${at >> 2}`).join('\n')}`;
const numbers = [0, 1, -1, 0.5, 3, 7.3, 45, 90, 100, 200, 1e5, -50, 0.001];
const lengths = ['0%', '5%', '50%', '100%', '300%', '2mm', '-10%', '3px', '1e3', 'banana'];
const words = [
  'centre',
  'northwest',
  'southeast',
  'subject',
  'faces',
  'all',
  'cover',
  'contain',
  'fill',
  'multiply',
  'color',
  'soft-light',
];
const colors = [
  'red',
  '#12345678',
  'transparent',
  'oklch(0.7 0.1 200)',
  'rgb(1 2 3 / 50%)',
  'edge',
  'mirror',
  'blur',
];
const texts = [
  ...lengths,
  ...words,
  ...colors,
  'sepia',
  'duotone',
  'posterize',
  'circle',
  'rect',
  '16:9',
  '0:1',
  'horizontal',
  CUBE,
];

const scalar = fc.oneof(
  fc.constantFrom(...numbers),
  fc.constantFrom(...texts),
  fc.boolean(),
  fc.integer({ min: -5, max: 60 }),
);
const box = fc.record({
  x: fc.constantFrom(-5, 0, 3, '10%', 39),
  y: fc.constantFrom(0, 2, '50%', 100),
  width: fc.constantFrom(0, 1, 7, '30%', 400),
  height: fc.constantFrom(0.4, 1, 9, '100%'),
});
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: box },
  { weight: 1, arbitrary: fc.array(box, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.tuple(scalar, scalar), { maxLength: 5 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ black: 10, white: 200 }, { black: 200, white: 100 }, null, {}, []),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ type: 'radial', stops: [{ color: 'red' }, { color: 'blue', at: 0.5 }] }),
  },
);
const operation = fc.constantFrom(...OPERATION_NAMES).chain((op) => {
  const names = Object.keys(OPERATION_FIELDS[op].shape).filter((name) => name !== 'op');
  return fc
    .array(fc.tuple(fc.constantFrom(...names, 'nonsense'), value), { maxLength: 4 })
    .map((fields) => ({ ...LIKELY[op], ...Object.fromEntries(fields), op }));
});
/** Values that work, so that most lists get as far as pixels. */
const LIKELY: Readonly<Record<string, object>> = {
  crop: { aspect: 1.5 },
  rotate: { degrees: 33 },
  resize: { scale: 0.7 },
  redact: { where: 'all' },
  overlay: { image: 'asset:a' },
  opacity: { value: 0.5 },
  curve: {
    points: [
      [0, 255],
      [255, 0],
    ],
  },
  lut: { file: CUBE },
  perspective: {
    corners: [
      [2, 1],
      ['90%', 2],
      ['95%', '90%'],
      [1, '80%'],
    ],
  },
  mask: { shape: 'circle' },
  background: { color: 'white' },
};

const drawn = (channels: 3 | 4, deep: boolean): DeepRaster => {
  const [width, height] = [40, 30];
  const samples = width * height * channels;
  const values = (at: number): number => (at * 7919) % 256;
  const data = deep
    ? Uint16Array.from({ length: samples }, (_, at) => 257 * values(at))
    : Uint8Array.from({ length: samples }, (_, at) => values(at));
  return { width, height, channels, data };
};

/** What the schema refuses never reaches the engine. */
const isTaken = (one: object): boolean =>
  editImage.input.safeParse({ image: 'x', operations: [one] }).success;

test('any sequence of operations returns an image or a readable error', {
  timeout: 60_000 + 100 * RUNS,
}, async () => {
  let pictures = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(3, 4),
      fc.boolean(),
      async (sent, channels, deep) => {
        const parsed = editImage.input.safeParse({ image: 'x', operations: sent.filter(isTaken) });
        if (!parsed.success) return;
        const canvas = new Canvas(sourceOfRaster(drawn(channels as 3 | 4, deep)));
        const named = parsed.data.operations.map((one) =>
          'image' in one && (one.image as unknown) instanceof ImageText ? { ...one, image: 'a' } : one,
        );
        // Large canvases take seconds each and go through the same code.
        if (named.some((one) => JSON.stringify(one).includes('100000'))) return;
        try {
          await applyOperations(canvas, named as never, {
            findings: { crops: {}, places: {} },
            dpi: 300,
            text: (name) => name,
            image: async () => drawn(4, false),
            labelTypeface,
          });
          const { width, height, channels: count, data } = await canvas.pixels(8);
          expect(data.length).toBe(width * height * count);
          expect(width * height).toBeLessThanOrEqual(CANVAS_PIXELS_MAX);
          pictures += 1;
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          expect(error.message.length).toBeGreaterThan(20);
        }
      },
    ),
    { numRuns: RUNS, seed: 43 },
  );
  expect(pictures).toBeGreaterThan(RUNS / 10);
});
