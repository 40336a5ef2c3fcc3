import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openTesseract } from './open_tesseract.ts';

/** Substitute for tesseract.js-core: "recognises" its language and page mode, and stores the image it receives. */
const CORE = `
module.exports = async () => {
  const files = new Map();
  return {
    FS: { writeFile: (path, data) => files.set(path, data) },
    TessBaseAPI: class {
      Init(_, code) { this.code = code; return files.has(code + '.traineddata') ? 0 : -1; }
      SetVariable(name, value) { this[name] = value; }
      SetImageFile() { return 0; }
      Recognize() { globalThis.shownToTesseract = files.get('/input'); }
      GetUTF8Text() { return ' ' + this.code + '\\n\u202e' + this.tessedit_pageseg_mode + ' '; }
      MeanTextConf() { return 87; }
    },
  };
};`;

const folder = mkdtempSync(join(tmpdir(), 'tesseract-'));
writeFileSync(join(folder, 'core.cjs'), CORE);
writeFileSync(join(folder, 'deu.gz'), gzipSync(Buffer.from('trained')));
const language = { code: 'deu', dataPath: join(folder, 'deu.gz'), corePath: join(folder, 'core.cjs') };
/** A line of 40 px in a strip of 320, in one grey except for a letter of another. */
function stripOf(ground: number, letter: number) {
  const data = new Float32Array(3 * 48 * 320);
  for (let at = 0; at < data.length; at++)
    data[at] = at % 320 >= 10 && at % 320 < 20 && Math.floor(at / 320) % 48 > 20 ? letter : ground;
  return { data, width: 320, inkWidth: 40 };
}

test('a line is recognised as one line in its language', async () => {
  const readLine = await openTesseract(language);
  expect(await readLine(stripOf(1, -1))).toEqual({ text: 'deu 7', confidence: 0.87, unsure: 0 });
});

test.each([
  [1, -1],
  [-1, 1],
])('Tesseract receives the line dark on light with a margin', async (ground, letter) => {
  const readLine = await openTesseract(language);
  await readLine(stripOf(ground, letter));
  const { shownToTesseract } = globalThis as unknown as { shownToTesseract: Uint8Array };
  const { data, info } = await sharp(shownToTesseract).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([40 + 24, 48 + 24]);
  expect(data[0]).toBe(255);
});
