import { expect, test } from 'vitest';
import { z } from 'zod';
import { imageField, nestedImageField } from './fields.ts';
import { imagesIn, withImages } from './images_in.ts';

const schema = z.object({
  image: imageField,
  layers: z.array(z.object({ image: nestedImageField.optional(), data: z.unknown().optional() })),
});
const parse = (input: unknown) => schema.parse(input) as Record<string, unknown>;
const loaded = { bytes: new Uint8Array(1), format: 'png', width: 1, height: 1 } as const;

test('images in fields and in layers are found with their paths', () => {
  const input = parse({ image: 'upload:a', layers: [{}, { image: 'https://example.com/b.png' }] });
  expect(imagesIn(['image'], input)).toEqual([
    { name: 'image', image: 'upload:a' },
    { name: 'layers.1.image', image: 'https://example.com/b.png' },
  ]);
});

test('images are inserted at the paths where they were found', () => {
  const input = parse({ image: 'a', layers: [{ image: 'b' }, { image: 'c' }] });
  const all = withImages(input, new Map([['layers.1.image', loaded]]));
  expect(all.layers).toEqual([{ image: { text: 'b' } }, { image: loaded }]);
  expect(imagesIn([], all).map(({ name }) => name)).toEqual(['layers.0.image', 'layers.1.image']);
});

test('an object that merely resembles an image is ignored', () => {
  const data = { bytes: 'AAAA', width: 9, height: 9, format: 'png', text: 'upload:x' };
  expect(imagesIn([], parse({ image: 'a', layers: [{ data }] }))).toEqual([]);
});
