import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { picturedSubjects } from '../../../../tests/support/pictured_subjects.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { openSession } from '../onnx/open_session.ts';
import { partOfGraph } from '../onnx/part_of_graph.ts';
import type { Session } from '../onnx/session.ts';
import { readTokenizer } from './clip/tokenizer.ts';
import { lookForTerms, vectorsOfTerms } from './look_for_terms.ts';
import { nameSubjects } from './name_subjects.ts';
import { SUBJECT_TERMS } from './subject_terms.ts';
import { readVocabulary } from './vocabulary.ts';

/** The published tagging model on images that were held back when the thresholds were chosen, and the stand-in for the encoders. */

const SHARED = new URL('../../../../../shared/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, SHARED));
let tagger: Session;
beforeAll(async () => {
  tagger = await openSession(read('models/imagenet_mobilenet_v2.onnx'));
});
afterAll(() => tagger?.close());

test.each([
  ['photo/kodak_23.png', 'macaw'],
  ['train/budgie-oakland-zoo-otters.jpg', 'otter'],
  ['train/budgie-kitten-on-lawn.jpg', 'mammal'],
  ['special/ADE_val_00000114.jpg', 'shore'],
  ['train/budgie-lake-sherburne.jpg', 'landscape'],
  ['photo/pexels_food.png', 'food'],
])('%s shows %s', needs('../shared'), async (path, term) => {
  expect((await nameSubjects(read(`images/${path}`), { tagger })).map((subject) => subject.term)).toEqual([
    term,
  ]);
});

test.each([
  'artworks/met-436504-giotto-di-bondone-the-adoration-of-the-magi.jpg',
  'artworks/met-437980-vincent-van-gogh-cypresses.jpg',
  'train/getty-mosaic-cat16.jpg',
  'train/nasa-hubble-deep-field.jpg',
])('%s yields no subjects', needs('../shared'), async (path) => {
  expect(await nameSubjects(read(`images/${path}`), { tagger })).toEqual([]);
});

test('every label is a vocabulary term', () => {
  const pictures = picturedSubjects(SUBJECT_TERMS);
  expect(pictures).toHaveLength(192);
  expect(pictures.filter(({ half }) => half === 'held back')).toHaveLength(105);
});

test('the CLIP stand-in model matches colours to their names', needs('../shared'), async () => {
  const graph = read('models/clip_standin.onnx');
  const [texts, pictures] = await Promise.all(
    ['text_embeds', 'image_embeds'].map((output) => openSession(partOfGraph(graph, [output]))),
  );
  const terms = readVocabulary('thing: warm, cold\nwarm: red, orange, yellow\ncold: blue, green');
  const tokenizer = readTokenizer(read('models/clip_tokenizer/tokenizer.json'));
  const vectors = await vectorsOfTerms(texts!, tokenizer, terms);
  for (const [color, group] of [
    ['red', 'warm'],
    ['blue', 'cold'],
  ] as const) {
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: color } })
      .png()
      .toBuffer();
    const shares = await lookForTerms(picture, pictures!, vectors, terms);
    expect(shares.get(color)).toBeGreaterThan(0.9);
    expect(shares.get(group)).toBeGreaterThanOrEqual(shares.get(color)!);
  }
  await Promise.all([texts!.close(), pictures!.close()]);
});
