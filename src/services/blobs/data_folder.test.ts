import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataFolder } from './data_folder.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'atelier-data-'));
});
afterEach(() => rmSync(place, { recursive: true }));

test('every missing level is made, and a second time is harmless', () => {
  const folder = join(place, 'a/b/c');
  makeDataFolder(folder);
  makeDataFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

test('a file in the place of a folder is named', () => {
  writeFileSync(join(place, 'file'), '');
  expect(() => makeDataFolder(join(place, 'file'))).toThrow('it is a file');
  expect(() => makeDataFolder(join(place, 'file/deeper'))).toThrow('cannot be used');
});

test.skipIf(!existsSync('/proc/self'))(
  'a system that takes no folder ends in a sentence (skipped without /proc)',
  () => {
    expect(() => makeDataFolder('/proc/nope/deeper')).toThrow(
      'Set DATA_DIR to a folder this user may write to',
    );
  },
);
