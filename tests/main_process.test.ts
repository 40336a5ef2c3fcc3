import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const APP = join(import.meta.dirname, '../src/app.ts');
const LIST = `await import(${JSON.stringify(APP)});
process.report.excludeNetwork = true;
console.log(process.report.getReport().sharedObjects.join('\\n'));`;

test('the main process loads no decoders and no models', () => {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', LIST], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout.split('\n').filter((path) => /vips|sharp|onnxruntime/.test(path))).toEqual([]);
});
