import { expect, test } from 'vitest';
import { decodeCharacters, readCharacters } from './decode_characters.ts';

const CHARACTERS = ['a', 'b'];
/** Outputs: blank, a, b, space. */
const OUTPUTS = 4;
const scores = (...steps: readonly (readonly [number, number, number, number])[]) =>
  Float32Array.from(steps.flat());
const [NOTHING, A, B, SPACE] = [
  [0.9, 0, 0, 0],
  [0.1, 0.8, 0, 0],
  [0.1, 0, 0.8, 0],
  [0, 0, 0, 0.9],
] as const;

test('repeated characters collapse unless separated by a blank', () => {
  const { text, confidence } = decodeCharacters(scores(A, A, NOTHING, A, B), OUTPUTS, CHARACTERS);
  expect(text).toBe('aab');
  expect(confidence).toBeCloseTo(0.8);
});

test('a likely space between words is restored', () => {
  const between = (space: number) => scores(A, [0.9, 0, 0, space], B);
  expect(decodeCharacters(between(0.03), OUTPUTS, CHARACTERS).text).toBe('a b');
  expect(decodeCharacters(between(0.01), OUTPUTS, CHARACTERS).text).toBe('ab');
});

test('a decoded space is not doubled, and edge spaces are trimmed', () => {
  const line = scores(SPACE, A, [0.9, 0, 0, 0.5], SPACE, B, SPACE);
  expect(decodeCharacters(line, OUTPUTS, CHARACTERS).text).toBe('a b');
});

test('an empty text has zero confidence', () => {
  expect(decodeCharacters(scores(NOTHING), OUTPUTS, CHARACTERS)).toEqual({
    text: '',
    confidence: 0,
    unsure: 0,
  });
});

test('low-confidence characters are counted', () => {
  const half = scores(A, NOTHING, [0.3, 0, 0.7, 0]);
  expect(decodeCharacters(half, OUTPUTS, CHARACTERS).unsure).toBe(0.5);
});

test('the character list can end with a line break', () => {
  expect(readCharacters(Buffer.from('a\r\nb\n'))).toEqual(['a', 'b']);
});
