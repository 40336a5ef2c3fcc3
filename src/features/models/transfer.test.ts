import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { writeSafetensors } from '@atelier/imaging/upscale/weights/safetensors.ts';
import tar from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noiseWeights } from '../../../tests/support/noise_weights.ts';
import { MANIFEST } from './manifest.ts';
import { createModels } from './service.ts';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-transfer-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modelsIn = (name: string) => createModels({ folder: at(name), provider: 'cpu', fetch });
const NOISE = writeSafetensors(noiseWeights(MANIFEST.realesr_animevideov3.architecture));

/** A server with one network, an unofficial one. */
async function withNoise() {
  const models = modelsIn('here');
  writeFileSync(at('noise.safetensors'), NOISE);
  await models.add(at('noise.safetensors'), { accept: true });
  return models;
}
async function archive(...entries: { name: string; bytes?: Uint8Array; type?: 'symlink' }[]) {
  const pack = tar.pack();
  for (const { name, bytes = NOISE, type } of entries)
    if (type) pack.entry({ name, type, linkname: '/etc/passwd' });
    else pack.entry({ name }, Buffer.from(bytes));
  pack.finalize();
  writeFileSync(at('given.tar'), await buffer(pack));
  return at('given.tar');
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    ({ name, message }: Error) => `${name}: ${message}`,
  );

test('an export of one server is imported and recognised by another', async () => {
  const here = await withNoise();
  expect((await here.exportTo(at('all.tar'))).map(({ name }) => name)).toEqual(['realesr_animevideov3']);
  const there = modelsIn('there');
  expect(await there.importFrom(at('all.tar'), { accept: false })).toMatchObject([
    { name: 'realesr_animevideov3', problem: expect.stringContaining('but is unofficial') },
  ]);
  const [taken] = await there.importFrom(at('all.tar'), { accept: true });
  expect(taken!.installed).toMatchObject({ origin: 'unofficial' });
  expect(readFileSync(taken!.installed!.path)).toEqual(Buffer.from(NOISE));
});

test('an export is atomic, readable only by its owner, and overwrites nothing', async () => {
  const here = await withNoise();
  await here.exportTo(at('all.tar'));
  expect(statSync(at('all.tar')).mode & 0o077).toBe(0);
  expect(await refusal(here.exportTo(at('all.tar')))).toContain('exists');
  rmSync((await here.upscaler('realesr_animevideov3')).path);
  await expect(here.exportTo(at('other.tar'))).rejects.toThrow('ENOENT');
  expect(readdirSync(folder).filter((name) => name.startsWith('other'))).toEqual([]);
});

test('exporting without installed networks is rejected', async () => {
  expect(await refusal(modelsIn('none').exportTo(at('x.tar')))).toContain('nothing to export');
});

test.each([
  ['a path upwards', { name: '../realesr_animevideov3.safetensors' }],
  ['a link', { name: 'realesr_animevideov3.safetensors', type: 'symlink' as const }],
  ['a file of no network', { name: 'passwd.json' }],
])('an archive with %s is rejected', async (_what, entry) => {
  const given = await archive(entry);
  expect(await refusal(modelsIn('there').importFrom(given, { accept: true }))).toContain(
    'not an export of models',
  );
  expect(readdirSync(at('there'))).toEqual([]);
});

test('a mislabelled network is rejected, and the others are installed', async () => {
  const given = await archive(
    { name: 'u2netp.onnx', bytes: Buffer.alloc(2000, 1) },
    { name: 'realesr_animevideov3.safetensors' },
  );
  const imported = await modelsIn('there').importFrom(given, { accept: true });
  expect(imported.map(({ name, installed }) => [name, installed !== undefined])).toEqual([
    ['u2netp', false],
    ['realesr_animevideov3', true],
  ]);
});

test.each([
  ['that breaks off', (bytes: Buffer) => bytes.subarray(0, 5000)],
  ['that is no archive', () => Buffer.alloc(3000, 65)],
  ['that is empty', () => Buffer.alloc(0)],
])('a file %s is rejected', async (_what, change) => {
  const given = await archive({ name: 'realesr_animevideov3.safetensors' });
  writeFileSync(given, change(readFileSync(given)));
  expect(await refusal(modelsIn('there').importFrom(given, { accept: true }))).toMatch(/^WeightsError: /);
});
