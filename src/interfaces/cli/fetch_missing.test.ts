import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { Models } from '../../features/models/types.ts';
import { fetchMissing } from './fetch_missing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-missing-'));
  mkdirSync(join(folder, 'models'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the download before a call, and returns the models downloaded and the output. */
async function before(
  tool: string,
  input: Record<string, unknown>,
  { pull = 'recommended', here = [] as string[], failing = false } = {},
) {
  const [fetched, said] = [[] as string[], [] as string[]];
  const names = ['isnet_general', 'realesrgan_x2plus', 'realesrgan_x4plus', 'realesrgan_x4plus_anime'];
  const models = {
    list: async () =>
      names.map((name) => ({
        name,
        bytes: 113e6,
        licence: 'Apache-2.0',
        installed: here.includes(name) || undefined,
      })),
    async pull(name: string) {
      fetched.push(name);
      if (failing) throw new Error('The registry cannot be reached.');
    },
  } as unknown as Models;
  const stderr = {
    isTTY: false,
    columns: 80,
    hasColors: () => false,
    write: (text: string) => said.push(text),
  };
  const world = {
    openModels: async () => models,
    terminal: { stderr } as never,
    signal: new AbortController().signal,
  };
  await fetchMissing({ tool, input }, readConfig({ DATA_DIR: folder, MODELS_PULL: pull }), world);
  return { fetched, said: said.join('') };
}

test('a missing model is downloaded before the first call, stating size, licence and opt-out', async () => {
  const { fetched, said } = await before('remove_background', {});
  expect(fetched).toEqual(['isnet_general']);
  expect(said).toMatch(/isnet_general.*113\.0 MB, Apache-2\.0\. Set MODELS_PULL=none to disable this\./);
});

test('the downloaded model depends on the input', async () => {
  expect((await before('upscale_image', { scale: 4 })).fetched).toEqual(['realesrgan_x4plus']);
  expect((await before('upscale_image', {})).fetched).toEqual(['realesrgan_x2plus']);
});

test.each([
  ['it is here', 'remove_background', {}, { here: ['isnet_general'] }],
  ['MODELS_PULL is none', 'remove_background', {}, { pull: 'none' }],
  ['MODELS_PULL does not name it', 'upscale_image', { model: 'realesrgan_x4plus_anime' }, {}],
  ['the tool runs none', 'resize_image', {}, {}],
])('no model is downloaded when %s', async (_why, tool, input, options) => {
  expect(await before(tool, input, options)).toEqual({ fetched: [], said: '' });
});

test('a failed download is reported, the call continues, and later calls do not retry it', async () => {
  const { said } = await before('remove_background', {}, { failing: true });
  expect(said).toContain('isnet_general was not downloaded. The registry cannot be reached.');
  expect((await before('remove_background', {})).fetched).toEqual([]);
});
