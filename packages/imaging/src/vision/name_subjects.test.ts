import sharp from 'sharp';
import { expect, test } from 'vitest';
import { networkThatTags } from '../../../../tests/fixtures/network_that_tags.ts';
import { vectorOf } from '../../../../tests/support/vector_of.ts';
import { nameSubjects } from './name_subjects.ts';
import { SUBJECT_TERMS } from './subject_terms.ts';

const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

/** A pair of encoders for which every image is similar to one term only. */
const embedderFor = (liked: string) => ({
  name: 'encoders',
  encoder: { runNamed: async () => vectorOf(1, 0) },
  vectors: [...SUBJECT_TERMS.keys()].map((term) =>
    term === liked ? Float32Array.of(1, 0) : Float32Array.of(0, 1),
  ),
});

test('the narrowest confident term is named with its broader terms', async () => {
  const [first, ...others] = await nameSubjects(picture, {
    tagger: networkThatTags({ 282: 0.5, 286: 0.45 }),
  });
  expect(first).toEqual({
    term: 'cat',
    broader: ['mammal', 'animal'],
    kind: 'thing',
    by: 'mobilenet_v2',
    confidence: 0.93,
    ids: { aat: '300265960', wikidata: 'Q146' },
  });
  expect(others).toEqual([]);
});

test('scores split between dogs and birds yield "animal"', async () => {
  const tagger = networkThatTags({ 152: 0.3, 163: 0.3, 88: 0.3 });
  expect((await nameSubjects(picture, { tagger })).map(({ term }) => term)).toEqual(['animal']);
});

test('an animal gets its specific name from a score of 0.8', async () => {
  const named = async (share: number) =>
    (await nameSubjects(picture, { tagger: networkThatTags({ 292: share }) })).map(({ term }) => term);
  expect([await named(0.8), await named(0.78)]).toEqual([['lion'], []]);
});

test('a landscape needs a lower score than other broad terms', async () => {
  const seen = async (line: number) =>
    (await nameSubjects(picture, { tagger: networkThatTags({ [line]: 0.3 }) })).map(({ term }) => term);
  const [lakeside, cat] = [976, 282];
  expect([await seen(lakeside), await seen(cat)]).toEqual([['landscape'], []]);
});

test.each([
  ['a book cover, a common error on old pages', { 922: 0.99 }],
  ['half a cat', { 282: 0.5 }],
])('%s yields no subjects', async (_, shares) => {
  expect(await nameSubjects(picture, { tagger: networkThatTags(shares) })).toEqual([]);
});

test('an uncalibrated encoder confirms the tagger but names nothing alone', async () => {
  const tagger = networkThatTags({ 282: 0.95 });
  const [both] = await nameSubjects(picture, { tagger, embedder: embedderFor('kitten') });
  expect(both).toMatchObject({ term: 'cat', confidence: 0.93, by: 'mobilenet_v2, encoders' });
  const [one] = await nameSubjects(picture, { tagger, embedder: embedderFor('sphinx') });
  expect(one).toMatchObject({ term: 'cat', by: 'mobilenet_v2' });
  expect(await nameSubjects(picture, { embedder: embedderFor('kitten') })).toEqual([]);
});

test('a calibrated encoder names subjects alone', async () => {
  const thresholds = { narrow: { share: 0.5, confidence: 0.91 } };
  const [first] = await nameSubjects(picture, { embedder: { ...embedderFor('kitten'), thresholds } });
  expect(first).toMatchObject({ term: 'kitten', confidence: 0.91, by: 'encoders' });
});

test('without a model, no subjects are named', async () => {
  expect(await nameSubjects(picture, {})).toEqual([]);
});
