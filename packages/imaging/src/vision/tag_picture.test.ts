import sharp from 'sharp';
import { expect, test } from 'vitest';
import { networkThatTags } from '../../../../tests/fixtures/network_that_tags.ts';
import { tagPicture } from './name_subjects.ts';
import { readVocabulary } from './vocabulary.ts';

const TERMS = readVocabulary('thing: animal\nanimal: cat 282 283, dog 260');

/** Left half red, right half blue. */
const twoHalves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .composite([
      {
        input: { create: { width: width / 2, height, channels: 3, background: 'blue' } },
        left: width / 2,
        top: 0,
      },
    ])
    .png()
    .toBuffer();

test('a broader term sums the scores of its narrower terms', async () => {
  const network = networkThatTags({ 282: 0.25, 283: 0.25, 260: 0.125 });
  const shares = await tagPicture(await twoHalves(200, 100), network, TERMS);
  expect(Object.fromEntries(shares)).toEqual({ animal: 0.625, cat: 0.5, dog: 0.125 });
});

test('model inputs are the whole, both ends and the centre, as RGB from -1 to 1', async () => {
  const network = networkThatTags({});
  await tagPicture(await twoHalves(400, 200), network, TERMS);
  const area = 224 * 224;
  const corners = network.asked.map(({ data, sides }) => {
    expect(sides).toEqual([1, 3, 224, 224]);
    return [data[0], data[area - 1], data[2 * area], data[3 * area - 1]];
  });
  const [red, black] = [127 / 128, -1];
  expect(corners).toEqual([
    [red, black, black, red],
    [red, red, black, black],
    [red, black, black, red],
    [black, black, red, red],
  ]);
});

test('an image one pixel high is tagged like any other', async () => {
  const row = await sharp({ create: { width: 9000, height: 1, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const network = networkThatTags({ 260: 1 });
  expect((await tagPicture(row, network, TERMS)).get('dog')).toBe(1);
});

test('invalid scores are ignored', async () => {
  const network = networkThatTags({ 260: Number.NaN, 282: 7, 283: -1 });
  expect((await tagPicture(await twoHalves(20, 10), network, TERMS)).get('animal')).toBe(0);
});
