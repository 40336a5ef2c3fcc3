import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import { readTokenizer } from './tokenizer.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../../../../shared/models/clip_tokenizer/${name}`, import.meta.url));

describe('the CLIP vocabulary', needs('../shared'), () => {
  test('fifteen texts are tokenised as by the reference program', () => {
    const tokenizer = readTokenizer(read('tokenizer.json'));
    const vectors = JSON.parse(read('token_vectors.json').toString()) as { text: string; ids: number[] }[];
    expect(vectors).toHaveLength(15);
    expect(vectors.map(({ text }) => ({ text, ids: tokenizer.encode(text) }))).toEqual(vectors);
  });
});
