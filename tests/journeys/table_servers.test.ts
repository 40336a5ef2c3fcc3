import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browse.ts';
import { callsTo } from '../support/calls_to.ts';
import { freePort } from '../support/free_port.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { acts, hasItems, tableWith } from '../support/table_visitors.ts';
import { needs } from '../support/test_requirements.ts';

/** A table on two servers with one PostgreSQL: a person at one, an agent at the other. */

const WALLET = '0x00000000000000000000000000000000000000d9';

const judges = { ...needs('PostgreSQL'), ...needs('Chromium') };

describe('a table on two servers', judges, () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-table-'));
  let schema: Schema;
  let one: ServiceProcess;
  let other: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    schema = await newSchema(process.env.TEST_DATABASE_URL!);
    const PUBLIC_URL = `http://127.0.0.1:${await freePort()}`;
    const settings = { DATA_DIR: folder, DATABASE_URL: schema.url, PUBLIC_URL };
    one = await startService(settings);
    other = await startService(settings);
    browser = await openBrowser(new URL(one.url).host);
    await callsTo(one.url).post('/api/wallet/register', { wallet: WALLET });
  });
  afterAll(async () => {
    await browser?.close();
    for (const server of [one, other]) server?.process.kill('SIGKILL');
    await schema?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('shows a person the agent’s actions and the agent the person’s comments across servers', async () => {
    const picture = sharp({ create: { width: 90, height: 60, channels: 3, background: '#765' } });
    const file = { name: 'plain.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() };
    const { page } = await tableWith(browser, one.url, { files: [file], wallet: WALLET });
    const workspace = new URL(page.url()).pathname.split('/').at(-1)!;
    const client = new Client({ name: 'Cutter', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${WALLET}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${other.url}/mcp`), { requestInit }));
    const made = await client.callTool({
      name: 'resize_image',
      arguments: { workspace, image: 'item:1', width: 30, height: 20 },
    });
    expect(made.isError).toBeFalsy();
    await hasItems(page, 2);
    await acts(page).filter({ hasText: '(agent)' }).waitFor();

    await page.locator('#comments > summary').click();
    await page.getByPlaceholder('Comment').fill('Smaller still');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.locator('#comment-list', { hasText: 'Smaller still' }).waitFor();
    const seen = await client.callTool({ name: 'show_workspace', arguments: { workspace } });
    expect(JSON.stringify(seen.content)).toContain('Smaller still');
    await client.close();
  });
});
