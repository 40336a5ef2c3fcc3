import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVocabulary } from '@atelier/imaging/vision/vocabulary.ts';
import { afterAll, expect, test } from 'vitest';
import { readLabels } from './subjects.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-labels-'));
afterAll(() => rmSync(folder, { recursive: true }));
const TERMS = readVocabulary('thing: animal, sea\nanimal: dog');
const MANY = Array.from({ length: 60 }, (_, at) => `${at}.png: dog`);

function read(lines: readonly string[]) {
  const path = join(folder, 'labels.txt');
  writeFileSync(path, lines.join('\n'));
  return readLabels(path, folder, TERMS);
}

test('a label line names an image and its terms in any spelling, and includes broader terms', async () => {
  writeFileSync(join(folder, 'a.png'), 'bytes');
  const [first, ...others] = await read(['# mine', '', 'a.png: Dogs, the sea', ...MANY]);
  expect([first!.file, [...first!.terms]]).toEqual(['a.png', ['dog', 'animal', 'sea']]);
  expect(Buffer.from(await first!.read()).toString()).toBe('bytes');
  expect(new Set(others.map(({ half }) => half))).toEqual(new Set(['chosen on', 'held back']));
});

test.each([
  [['a.png dog'], 'Line 1 is no label. A line is'],
  [['', 'a.png: dog, unicorn'], 'Line 2: "unicorn" is none of the terms'],
  [['a.png: dog', 'a.png: sea'], 'Line 2: a.png is there twice'],
  [MANY.slice(1), 'labels 59 pictures; it takes 60'],
])('%j is rejected with a fix', async (lines, words) => {
  await expect(read(lines)).rejects.toThrow(words);
});

test('missing and oversized files are reported', async () => {
  await expect(readLabels(join(folder, 'none'), folder, TERMS)).rejects.toThrow('There is no file');
  const [first] = await read(MANY);
  await expect(first!.read()).rejects.toThrow('There is no file');
});
