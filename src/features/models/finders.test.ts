import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createModels } from './service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-finders-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The networks of a server that has these on its disk. */
function modelsWith(...names: string[]) {
  const facts = { form: 'onnx', bytes: 1, sha256: 'a'.repeat(64), origin: 'official' };
  for (const name of names)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ file: `${name}.onnx`, ...facts }));
  return createModels({ folder, provider: 'cpu', fetch });
}

test('MediaPipe replaces YuNet, which takes precedence when both are installed', async () => {
  expect((await modelsWith('face_full_range').eyes()).faces?.name).toBe('face_full_range');
  const both = modelsWith('yunet');
  expect((await both.eyes()).faces?.name).toBe('yunet');
  expect((await both.placeFinders()).faces?.name).toBe('yunet');
});

test('text recognition requires all three PP-OCR files', async () => {
  const some = modelsWith('ppocr_detection', 'ppocr_recognition');
  expect(await some.textReader()).toBeUndefined();
  const all = modelsWith('ppocr_keys');
  expect(await all.textReader()).toMatchObject({ characters: { name: 'ppocr_keys', provider: 'cpu' } });
  expect((await all.placeFinders()).reader?.detection.name).toBe('ppocr_detection');
});
