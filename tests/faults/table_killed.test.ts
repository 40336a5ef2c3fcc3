import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browse.ts';
import { freePort } from '../support/free_port.ts';
import { noise } from '../support/job_calls.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { acts, apply, hasItems, isDone, tableWith } from '../support/table_visitors.ts';
import { needs } from '../support/test_requirements.ts';

/** A server that is killed while a person works on a table. */

const SLOW = 'tool=vectorize_image&color_precision=10&filter_speckle=0&force=true';
const NOISE_SIDE_PX = 120;

describe('a killed server', { ...needs('Chromium'), timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-table-'));
  let settings: Record<string, string>;
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    settings = { DATA_DIR: folder, PORT: String(await freePort()) };
    service = await startService(settings);
    browser = await openBrowser(new URL(service.url).host);
  });
  afterAll(async () => {
    await browser?.close();
    service?.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('loses no acknowledged change, and the table run resumes after the restart', async () => {
    const plain = sharp({ create: { width: 90, height: 60, channels: 3, background: '#765' } });
    const files = [
      { name: 'noise.png', mimeType: 'image/png', buffer: Buffer.from(await noise(NOISE_SIDE_PX), 'base64') },
      { name: 'plain.png', mimeType: 'image/png', buffer: await plain.png().toBuffer() },
    ];
    const { page } = await tableWith(browser, service.url, { files });
    await page.locator('#comments > summary').click();
    await page.getByPlaceholder('Comment').fill('Make this a drawing');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.locator('#comment-list', { hasText: 'Make this a drawing' }).waitFor();
    await page.goto(`${page.url().split('?')[0]}?items=1&${SLOW}`);
    await page.locator('at-table[data-ready]').waitFor();
    await apply(page);
    const running = page.locator('#acts > li[data-state=running]');
    await running.waitFor();
    // The press was answered: the job is stored.
    await page.locator('#said', { hasText: 'Vectorize an image: running' }).waitFor();
    service.process.kill('SIGKILL');
    await page.getByText('No connection to the server').waitFor();
    expect(await running.count()).toBe(1);

    service = await startService(settings);
    // "Reconnected" gives way to the end of the run, soon on a quiet machine.
    await page.getByText('No connection to the server').waitFor({ state: 'hidden' });
    expect(await acts(page).count()).toBe(1);
    await isDone(page, 1);
    await hasItems(page, 3);
    await page.reload();
    await page.locator('#comments > summary').click();
    await page.locator('#comment-list', { hasText: 'Make this a drawing' }).waitFor();
    await hasItems(page, 3);
  });
});
