import { expect, test } from 'vitest';
import { decodeCharacters, readCharacters } from './decode_characters.ts';

const CHARACTERS = ['a', 'b'];
/** Outputs: nothing, a, b, space. */
const OUTPUTS = 4;
const scores = (...steps: readonly (readonly [number, number, number, number])[]) =>
  Float32Array.from(steps.flat());
const [NOTHING, A, B, SPACE] = [
  [0.9, 0, 0, 0],
  [0.1, 0.8, 0, 0],
  [0.1, 0, 0.8, 0],
  [0, 0, 0, 0.9],
] as const;

test('repetitions are one letter, unless nothing lies between them', () => {
  const { text, confidence } = decodeCharacters(scores(A, A, NOTHING, A, B), OUTPUTS, CHARACTERS);
  expect(text).toBe('aab');
  expect(confidence).toBeCloseTo(0.8);
});

test('a space that was likelier than within words is put back', () => {
  const between = (space: number) => scores(A, [0.9, 0, 0, space], B);
  expect(decodeCharacters(between(0.03), OUTPUTS, CHARACTERS).text).toBe('a b');
  expect(decodeCharacters(between(0.01), OUTPUTS, CHARACTERS).text).toBe('ab');
});

test('a space that was read is not doubled, and none stands at the ends', () => {
  const line = scores(SPACE, A, [0.9, 0, 0, 0.5], SPACE, B, SPACE);
  expect(decodeCharacters(line, OUTPUTS, CHARACTERS).text).toBe('a b');
});

test('nothing has no confidence', () => {
  expect(decodeCharacters(scores(NOTHING), OUTPUTS, CHARACTERS)).toEqual({
    text: '',
    confidence: 0,
    unsure: 0,
  });
});

test('unsure characters are counted', () => {
  const half = scores(A, NOTHING, [0.3, 0, 0.7, 0]);
  expect(decodeCharacters(half, OUTPUTS, CHARACTERS).unsure).toBe(0.5);
});

test('the list of characters may end with a line break', () => {
  expect(readCharacters(Buffer.from('a\r\nb\n'))).toEqual(['a', 'b']);
});
