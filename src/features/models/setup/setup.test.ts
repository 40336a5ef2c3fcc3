import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { openSetup } from './setup.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-setup-'));
/** A port of this machine on which nothing listens. */
const CLOSED = 'http://127.0.0.1:9';
const signal = new AbortController().signal;
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

test('offline sources are detected without opening a database, and sizes are estimates', async () => {
  vi.stubEnv('npm_config_registry', CLOSED);
  vi.stubEnv('npm_config_cache', join(folder, 'npm'));
  const setup = await openSetup(
    readConfig({ DATA_DIR: join(folder, 'data'), MODEL_MIRROR: CLOSED, MUSEUM_MIRROR: CLOSED }),
  );
  expect(await setup.unreachable(signal)).toContain('to install offline, use "atelier models add <file>"');
  const met = (await setup.offers(signal)).find(({ name }) => name === 'met');
  await setup.close();
  expect(met).toMatchObject({ isHere: false, isEstimate: true });
  expect(existsSync(join(folder, 'data/database'))).toBe(false);
});
