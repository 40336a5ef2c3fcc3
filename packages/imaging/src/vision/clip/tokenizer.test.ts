import { expect, test } from 'vitest';
import { tinyVocabulary } from '../../../../../tests/fixtures/tiny_vocabulary.ts';
import { CLIP_TOKENS_MAX, readTokenizer } from './tokenizer.ts';

const tokenizer = readTokenizer(tinyVocabulary());
const START = 0;
const END = 1;

test.each([
  ['red', ['red</w>']],
  ['  RED \n Cats ', ['red</w>', 'cat', 's</w>']],
  ["it's 12", ['i', 't</w>', "'", 's</w>', '1</w>', '2</w>']],
  ['é', ['Ã', '©</w>']],
  ['e\u0301', ['Ã', '©</w>']],
])('%j is %j', (text, symbols) => {
  const { model } = JSON.parse(Buffer.from(tinyVocabulary()).toString());
  expect(tokenizer.encode(text)).toEqual([START, ...symbols.map((symbol) => model.vocab[symbol]), END]);
});

test('merges can be written as pairs', () => {
  expect(readTokenizer(tinyVocabulary({ asPairs: true })).encode('red cats')).toEqual(
    tokenizer.encode('red cats'),
  );
});

test('empty, special, unknown and very long texts are tokenised within the limit', () => {
  expect(tokenizer.encode('')).toEqual([START, END]);
  expect(tokenizer.encode('<|endoftext|>').length).toBeGreaterThan(3);
  const long = tokenizer.encode('x'.repeat(1e6));
  expect([long.length, long.at(-1)]).toEqual([CLIP_TOKENS_MAX, END]);
});

test.each([
  '',
  '{',
  '[]',
  '{"model":{"type":"WordPiece"}}',
  '{"model":{"type":"BPE","vocab":{"a":"b"},"merges":[]}}',
])('%j is not a vocabulary', (text) =>
  expect(() => readTokenizer(Buffer.from(text))).toThrow('not a CLIP vocabulary'),
);
