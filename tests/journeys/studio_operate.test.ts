import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openBackups } from '../../src/features/operator/backups/backups.ts';
import { OPERATOR_SCOPES } from '../../src/features/operator/routes/keys.ts';
import { openOperator } from '../../src/features/operator/service.ts';
import { findBarriers, openBrowser, PAGE_MS_MAX } from '../support/browse.ts';
import { type FakeMuseums, startFakeMuseums } from '../support/fake_museums.ts';
import { SITE } from '../support/open_studio.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';
import { startIssuer } from '../support/token_issuer.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';

/** What an operator does in a browser. The museum is a server of this machine, and the service a process of its own. */

const DATA = 'media.githubusercontent.com/media/ClevelandMuseumArt/openaccess/master/data.csv';
const FIXTURE = join(import.meta.dirname, '../fixtures/museums/cleveland/data.csv');
/** More than the starter catalogue has of it. */
const WORKS = 60;

/** A file in the museum's form with so many works in it. */
function museumFile(): string {
  const [heads, first] = readFileSync(FIXTURE, 'utf8').split(/\r?\n/) as [string, string];
  const rows = Array.from({ length: WORKS }, (_, at) => first.replace(/^[^,]*/, String(900_000 + at)));
  return [heads, ...rows, ''].join('\n');
}

describe('operator pages in a browser', needs('Chromium'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-operate-'));
  let museum: FakeMuseums;
  let service: ServiceProcess;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    museum = await startFakeMuseums();
    museum.says(DATA, { code: 200, headers: { 'content-type': 'text/csv' }, body: museumFile() });
    issuer = await startIssuer();
    const settings = { ...issuer.settings, MUSEUM_MIRROR: museum.url, PUBLIC_URL: SITE };
    service = await startService({ DATA_DIR: folder, ...settings });
    browser = await openBrowser(new URL(service.url).host);
    const { operators, close } = await openOperator(readConfig({ DATA_DIR: folder, DATABASE_URL: '' }));
    const wanted = { name: 'ada', scopes: OPERATOR_SCOPES, expiresAt: new Date(Date.now() + 3_600_000) };
    token = (await operators.createToken({ who: 'command line', why: 'on call' }, wanted)).token;
    await close();
  });
  afterAll(async () => {
    await browser?.close();
    service?.process.kill('SIGKILL');
    museum?.close();
    await issuer?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Goes from one thing to the next by the keyboard until what is spoken of it begins so. */
  async function tabTo(page: Page, spoken: string): Promise<void> {
    for (let step = 0; step < 200; step += 1) {
      await page.keyboard.press('Tab');
      const said = await page.evaluate(
        'const it = document.activeElement; (it.labels?.[0] ?? it).textContent.replace(/\\s+/g, " ").trim()',
      );
      if (String(said).startsWith(spoken)) return;
    }
    throw new Error(`the keyboard does not lead to "${spoken}"`);
  }
  async function signIn(page: Page): Promise<void> {
    await page.goto(`${SITE}/operate`);
    await tabTo(page, 'Token');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'All systems operational' }).waitFor();
  }
  const post = async (message: string) => {
    const body = JSON.stringify({ name: 'Eve', message });
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(`${service.url}/api/cafe/post`, { method: 'POST', body, headers });
    return ((await reply.json()) as { post: { id: string } }).post.id;
  };
  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  test('a museum is fetched by keyboard alone, with progress on the page', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await signIn(page);
    await tabTo(page, 'Museums');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Museums' }).waitFor();
    await tabTo(page, 'Fetch cleveland');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Fetch' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('cleveland');
    await tabTo(page, 'Reason');
    await page.keyboard.type('an exhibition');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await tabTo(page, 'Go to overview');
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: 'cleveland downloaded.' })
      .waitFor({ timeout: WAIT_MS_MAX });
    await page.goto(`${SITE}/operate/museums`);
    expect(await row(page, 'Cleveland Museum').textContent()).toMatch(/60\s*full export imported/);
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(`${SITE}/operate/actions`);
    expect(await row(page, 'an exhibition').textContent()).toContain('token ada');
    await page.close();
  });

  test('the last backup is shown with its age, location and the next command', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await signIn(page);
    await page.goto(`${SITE}/operate/backup`);
    await page.getByText('No backup of this database yet.').waitFor();
    const place = join(folder, 'copies');
    await openBackups(readConfig({ DATA_DIR: folder, DATABASE_URL: '' })).make(place, {});
    await page.reload();
    expect(await row(page, place).textContent()).toMatch(/UTC \d+ s ago.*complete when created/s);
    expect(await page.locator('main').textContent()).toContain(`atelier backup ${place}`);
    await page.close();
  });

  test('a post is hidden without JavaScript and logged as hidden', async () => {
    const id = await post('Buy now');
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${SITE}/operate`);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Posts' }).click();
    await row(page, 'Buy now').getByRole('link', { name: 'Hide' }).click();
    await page.getByLabel('Reason').fill('spam');
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('link', { name: 'Audit log' }).click();
    expect(await row(page, 'spam').textContent()).toContain(`hide${id}`);
    await page.getByRole('link', { name: 'Posts' }).click();
    expect(await row(page, 'Buy now').textContent()).toContain('hidden');
    expect(await (await fetch(`${service.url}/api/cafe/feed`)).text()).not.toContain('Buy now');
    await context.close();
  });

  test('an operator signs in at the external provider and returns signed in', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${SITE}/operate`);
    await page.getByRole('link', { name: 'Sign in' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'All systems operational' }).waitFor();
    expect(page.url()).toBe(`${SITE}/operate`);
    expect(await page.evaluate('document.cookie')).not.toContain('atelier');
    await page.getByRole('link', { name: 'Actions' }).click();
    expect(await row(page, 'sign_in').first().textContent()).toContain('oidc ada');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.close();
  });

  test('irreversible actions require confirmation, and operator pages have no accessibility violations', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await signIn(page);
    const wallet = `0x${'d2'.repeat(20)}`;
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${service.url}/api/wallet/register`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ wallet }),
    });
    await page.goto(`${SITE}/operate/acts/grant?about=${wallet}`);
    await page.getByLabel('Credits').fill('2');
    await page.getByLabel('Reason').fill('sorry');
    await page.evaluate('document.querySelector("form.ticket").noValidate = true');
    await page.getByRole('button', { name: 'Grant' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('cannot be undone');
    await page.getByLabel('I understand that this cannot be undone').check();
    await page.getByRole('button', { name: 'Grant' }).click();
    expect(await page.getByRole('status').textContent()).toContain('received 2 credits');
    for (const path of [
      `wallets?wallet=${wallet}`,
      'wallets?wallet=x',
      'acts/token',
      'health?deep=1',
      'log',
      'actions',
      'limits',
    ])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${SITE}/operate/${path}`);
        expect([path, await findBarriers(page)]).toEqual([path, []]);
      }
    await page.close();
  });
});
