import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colorEncoders } from '../../../../tests/fixtures/color_encoders.ts';
import { tinyVocabulary } from '../../../../tests/fixtures/tiny_vocabulary.ts';
import { vectorOf } from '../../../../tests/support/vector_of.ts';
import { openSession } from '../onnx/open_session.ts';
import { partOfGraph } from '../onnx/part_of_graph.ts';
import type { Session } from '../onnx/session.ts';
import { readTokenizer } from './clip/tokenizer.ts';
import { lookForTerms, vectorsOfTerms } from './look_for_terms.ts';
import { readVocabulary } from './vocabulary.ts';

const TERMS = readVocabulary(
  'thing: warm, cold\nwarm: red "red"\ncold: blue "blue"\nscene: reddish "red red"',
);
let [texts, pictures]: Session[] = [];
beforeAll(async () => {
  const graph = colorEncoders();
  texts = await openSession(partOfGraph(graph, ['text_embeds']));
  pictures = await openSession(partOfGraph(graph, ['image_embeds']));
});
afterAll(() => Promise.all([texts?.close(), pictures?.close()]));

const vectors = () => vectorsOfTerms(texts!, readTokenizer(tinyVocabulary()), TERMS);
const plain = (background: string) =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer();

test('a red image scores red and warm, and kinds are scored independently', async () => {
  const shares = await lookForTerms(await plain('red'), pictures!, await vectors(), TERMS);
  expect(shares.get('red')).toBeGreaterThan(0.99);
  expect(shares.get('warm')).toBeGreaterThanOrEqual(shares.get('red')!);
  expect(shares.get('blue')).toBeLessThan(0.01);
  expect(shares.get('reddish')).toBe(1);
});

test('vectors of a different vocabulary or model are rejected', async () => {
  const own = await vectors();
  const encoderOfNothing = { runNamed: async () => vectorOf(1, 0, 0) };
  const red = await plain('red');
  for (const wrong of [own.slice(1), own.map(() => new Float32Array(2))])
    await expect(lookForTerms(red, encoderOfNothing, wrong, TERMS)).rejects.toThrow('another vocabulary');
});

test('NaN model output gives equal scores', async () => {
  const encoder = { runNamed: async () => vectorOf(Number.NaN, 0, 0) };
  const shares = await lookForTerms(await plain('red'), encoder, await vectors(), TERMS);
  expect(shares.get('red')).toBeCloseTo(1 / 4);
});
