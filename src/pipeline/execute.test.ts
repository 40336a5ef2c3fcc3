import { expect, test } from 'vitest';
import { z } from 'zod';
import { imageField, nestedImageField } from '../features/definitions/fields.ts';
import { credits, FREE } from '../features/definitions/price.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { Images } from '../features/images/types.ts';
import { LIST_PRICES } from '../features/operator/prices/prices.ts';
import { loadImages, type RunNotes, runTool, throttleProgress } from './execute.ts';

function heard(describeCoercion: readonly (readonly [number, string])[]): [number, string][] {
  const reports: [number, string][] = [];
  const emit = throttleProgress((fraction, message) => reports.push([fraction, message]));
  for (const [fraction, message] of describeCoercion) emit(fraction, message);
  return reports;
}

test('progress of long work is reported in steps of 5 percent, whatever its unit', () => {
  const rows = Array.from({ length: 1000 }, (_, row) => [row / 999, `Printing row ${row} of 999`] as const);
  const fractions = heard(rows).map(([fraction]) => fraction);

  expect(fractions).toHaveLength(21);
  expect(fractions.every((fraction) => Number.isInteger(Math.round(fraction * 1e6) / 1e4))).toBe(true);
  expect(fractions.at(-1)).toBe(1);
});

test('a new progress message is reported immediately', () => {
  expect(
    heard([
      [0.1, 'Decoding'],
      [0.11, 'Decoding'],
      [0.12, 'Printing'],
    ]),
  ).toEqual([
    [0.1, 'Decoding'],
    [0.12, 'Printing'],
  ]);
});

test('progress never repeats, never decreases and stays within its bounds', () => {
  expect(
    heard([
      [0.5, 'a'],
      [0.5, 'b'],
      [0.2, 'c'],
      [Number.NaN, 'd'],
      [7, 'e'],
      [1, 'f'],
    ]),
  ).toEqual([
    [0.5, 'a'],
    [1, 'e'],
  ]);
});

test.each([
  [credits(2), true, { credits: 0, why: 'No network. Run "atelier models pull x".' }],
  [credits(2), false, undefined],
  [FREE, true, undefined],
])('a degraded result of a paid tool is free: %j, %s', async (price, degraded, found) => {
  const output = z.object({ degraded: z.boolean(), degraded_reason: z.string().optional() });
  const why = 'No network. Run "atelier models pull x".';
  const tool = {
    name: 't',
    price,
    input: z.object({}),
    output,
    effects: { readOnly: true },
    run: async () => (degraded ? { degraded, degraded_reason: why } : { degraded }),
  } as unknown as AnyTool;
  const notes: RunNotes = { warnings: [] };
  const { signal } = new AbortController();
  await runTool({ prices: LIST_PRICES } as never, tool, {}, {
    client: { signal },
    signal,
    deadline: signal,
    deadlineMs: 1,
    notes,
  } as never);
  expect(notes.found).toEqual(found);
});

const layered = {
  input: z.object({
    image: imageField,
    layers: z.array(z.object({ image: nestedImageField, name: z.string() })),
  }),
} as unknown as AnyTool;

test('layer images are loaded with the image fields, each distinct value once', async () => {
  const opened: [unknown, string, unknown][] = [];
  const images = {
    async open(text: unknown, field: string, { expected }: { expected?: unknown }) {
      opened.push([text, field, expected]);
      return { bytes: new Uint8Array([opened.length]), format: 'png', width: 1, height: 1 };
    },
  } as unknown as Images;
  const sent = { image: 'a', layers: ['b', 'b', 'c'].map((image, at) => ({ image, name: `${at}` })) };
  const input = layered.input.parse(sent) as Record<string, unknown>;
  const expected = { sizeBytes: 3 };
  const options = { wallet: undefined, signal: new AbortController().signal, expected };
  const { layers } = await loadImages(images, layered, input, options);

  expect(opened).toEqual([
    ['a', 'image', expected],
    ['b', 'layers.0.image', undefined],
    ['c', 'layers.2.image', undefined],
  ]);
  expect((layers as { image: { bytes: Uint8Array } }[]).map(({ image }) => image.bytes[0])).toEqual([
    2, 2, 3,
  ]);
});
