import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { createModels } from '../service.ts';
import { holdModels, openBackground, wantedOf } from './open_background.ts';
import { pullInBackground } from './pull_in_background.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-background-'));
afterAll(() => rmSync(folder, { recursive: true }));

const wanted = (setting?: string) =>
  wantedOf(readConfig(setting === undefined ? {} : { MODELS_PULL: setting }));

test('by default a server downloads the recommended networks for its tools', () => {
  expect(wanted()).toEqual(wanted('recommended'));
  expect(wanted()).toEqual(
    expect.arrayContaining([
      'isnet_general',
      'realesrgan_x4plus',
      'realesr_general_x4v3',
      'ppocr_recognition',
      'content_rating',
    ]),
  );
  expect(wanted().filter((name) => /anime|span/.test(name))).toEqual([]);
});

test('none, all and names are accepted; other values are rejected with the valid choices', () => {
  expect([wanted('none'), wanted('u2netp, yunet')]).toEqual([[], ['u2netp', 'yunet']]);
  expect(wanted('all')).toContain('birefnet_general_lite');
  expect(() => wanted('none,u2netp')).toThrow('cannot be combined');
  expect(() => wanted('u2net')).toThrow('Available: none, recommended, all,');
});

test('one startup line lists networks, sizes, licences and how to disable the download', async () => {
  const models = createModels({ folder: join(folder, 'none'), provider: 'cpu', fetch });
  const line = (setting: string) =>
    openBackground(readConfig({ DATA_DIR: folder, MODELS_PULL: setting }), {
      models,
    } as never).announcement();
  expect(await line('ppocr_keys,ppocr_detection,u2netp')).toBe(
    'Downloading 3 networks in the background (19 MB, licences Apache-2.0): u2netp, ppocr_detection, ppocr_keys. MODELS_PULL=none turns this off.',
  );
  expect(await line('none')).toBeUndefined();
});

test('of two servers sharing a folder one downloads, and the other detects the result', async () => {
  const here = new Set<string>();
  let running = 0;
  const ran: string[] = [];
  const server = () =>
    pullInBackground({
      wanted: ['isnet_general', 'u2netp'],
      logger: { info() {}, error() {} },
      here: async () => here,
      hold: () => holdModels(folder),
      async run(name) {
        running += 1;
        ran.push(`${name} ${running}`);
        await sleep(20);
        here.add(name);
        running -= 1;
        return { ok: true, said: '' };
      },
      wait: () => sleep(5),
    });
  const servers = [server(), server()];
  for (const { start } of servers) start();
  while (!servers.every(({ states }) => Object.values(states()).every((state) => state === 'here')))
    await sleep(5);
  await Promise.all(servers.map(({ stop }) => stop()));
  expect(ran).toEqual(['isnet_general 1', 'u2netp 1']);
});
