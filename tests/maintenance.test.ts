import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import type { MaintenanceSwitch } from '../src/core/cluster/maintenance/types.ts';
import { openMaintenance } from '../src/features/operator/maintenance/maintenance.ts';
import { newSchema } from './support/new_schema.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { needs } from './support/test_requirements.ts';
import { WAIT_MS_MAX } from './support/wait_ms_max.ts';

const WALLET = `0x${'a'.repeat(40)}`;

describe('embedded', () => suite(async () => ({ url: undefined, drop: async () => {} })));
describe('postgresql', needs('PostgreSQL'), () => suite(() => newSchema(process.env.TEST_DATABASE_URL!)));

/** Maintenance, as another process begins and ends it. */
function suite(open: () => Promise<{ url: string | undefined; drop(): Promise<void> }>) {
  let app: TestApp;
  let maintenance: MaintenanceSwitch;
  let drop: () => Promise<void>;
  const folder = mkdtempSync(join(tmpdir(), 'atelier-maintenance-'));
  const register = () => app.post('/api/wallet/register', { wallet: WALLET });
  const state = async () => (await app.get('/health')).body;
  beforeAll(async () => {
    const place = await open();
    drop = place.drop;
    const settings = {
      DATA_DIR: folder,
      ...(place.url && { DATABASE_URL: place.url }),
    };
    app = await openTestApp(settings);
    maintenance = await openMaintenance(readConfig(settings));
    await maintenance.begin('new disks');
    await vi.waitFor(async () => expect(await state()).toHaveProperty('maintenance'), WAIT_MS_MAX);
  });
  afterAll(async () => {
    await maintenance.close();
    await app.close();
    await drop();
    rmSync(folder, { recursive: true });
  });

  test('writes are rejected with the reason and Retry-After', async () => {
    const { status, headers, body } = await register();
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(body).toMatchObject({ code: 'maintenance', detail: expect.stringContaining('(new disks)') });
  });

  test.each([
    [
      'a tool that stores a file',
      () => app.post('/api/tools/resize_image', { image: 'x', width: 1, height: 1 }),
    ],
    ['a post by GET', () => app.get('/api/cafe/post?name=a&message=b')],
    ['an upload', () => app.post('/api/uploads', 'x')],
    ['a deletion', () => app.fetch(new Request('http://atelier.test/api/jobs/job_1', { method: 'DELETE' }))],
  ])('%s waits', async (_what, send) => {
    expect((await send()).status).toBe(503);
  });

  test.each([
    ['a feed', () => app.get('/api/cafe/feed')],
    ['a search', () => app.post('/api/tools/search_tools', { query: 'resize' })],
    ['a document', () => app.get('/pricing.json')],
    ['a dry run', () => app.post('/api/tools/extract_palette', { dry_run: true, image: 'x' })],
  ])('%s is answered', async (_what, send) => {
    expect((await send()).status).not.toBe(503);
  });

  test('/health reports maintenance mode and that reads work', async () => {
    expect(await app.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'degraded', maintenance: { why: 'new disks', since: expect.any(String) } },
    });
  });

  test('accepted jobs are counted, and everything continues afterwards', async () => {
    expect(await maintenance.liveJobs()).toBe(0);
    expect([await maintenance.end(), await maintenance.end()]).toEqual([true, false]);
    await vi.waitFor(async () => expect((await register()).status).toBe(200), WAIT_MS_MAX);
    expect(await state()).not.toHaveProperty('maintenance');
  });
}
