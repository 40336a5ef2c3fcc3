import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { closeDataFolder, makeDataFolder } from './data_folder.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'atelier-data-'));
});
afterEach(() => rmSync(place, { recursive: true }));

test('every missing parent folder is created, and repeating it is harmless', () => {
  const folder = join(place, 'a/b/c');
  makeDataFolder(folder);
  makeDataFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

test('the error names a file that occupies the path of the folder', () => {
  writeFileSync(join(place, 'file'), '');
  expect(() => makeDataFolder(join(place, 'file'))).toThrow('it is a file');
  expect(() => makeDataFolder(join(place, 'file/deeper'))).toThrow('cannot be used');
});

test('a folder that cannot be created causes an error with the remedy', needs('Linux'), () => {
  expect(() => makeDataFolder('/proc/nope/deeper')).toThrow(
    'Set DATA_DIR to a folder that this user can write to',
  );
});

test('a start on a full disk is refused with advice on what to delete', () => {
  const full = () => ({ bsize: 4096, blocks: 1000, bavail: 1 });
  expect(() => makeDataFolder(join(place, 'a'), full)).toThrow(
    /is full\. Starting needs 16 MiB\. .*\/a\/uploads/,
  );
  makeDataFolder(join(place, 'a'), () => ({ bsize: 0, blocks: 0, bavail: 0 }));
});

test.each([
  [0o755, 0o700],
  [0o775, 0o700],
  [0o777, 0o700],
  [0o750, 0o750],
  [0o2770, 0o2770],
  [0o700, 0o700],
])('a data folder with mode %o has mode %o after startup', needs('Linux'), (before, after) => {
  const folder = join(place, 'data');
  mkdirSync(join(folder, 'database'), { recursive: true });
  chmodSync(folder, before);
  expect(closeDataFolder(folder)).toBeUndefined();
  expect(statSync(folder).mode & 0o7777).toBe(after);
});

test('a folder with other contents keeps its mode, and the operator is shown the command', () => {
  writeFileSync(join(place, 'letter.txt'), '');
  chmodSync(place, 0o755);
  expect(closeDataFolder(place)).toMatch(/has mode 0755, so other users .* Run: chmod 0700 \//);
  expect(statSync(place).mode & 0o777).toBe(0o755);
});
