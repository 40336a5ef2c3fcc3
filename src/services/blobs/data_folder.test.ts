import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needs } from '../../../tests/support/judge.ts';
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

test('a system that takes no folder ends in a sentence', needs('Linux'), () => {
  expect(() => makeDataFolder('/proc/nope/deeper')).toThrow(
    'Set DATA_DIR to a folder this user may write to',
  );
});

test('a start on a full disk is refused with what to free', () => {
  const full = () => ({ bsize: 4096, blocks: 1000, bavail: 1 });
  expect(() => makeDataFolder(join(place, 'a'), full)).toThrow(
    /is full, and a start needs 16 MiB\. .*\/a\/uploads/,
  );
  makeDataFolder(join(place, 'a'), () => ({ bsize: 0, blocks: 0, bavail: 0 }));
});
