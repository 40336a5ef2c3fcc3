import { readFile } from 'node:fs/promises';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { expectNoBarrier } from '../support/expect_no_barrier.ts';
import { openStudio, SECURE_SITE as SITE, type TestStudio } from '../support/open_studio.ts';
import { needs } from '../support/test_requirements.ts';

/** People without an account: what they can do, how many actions it takes, and where their key is. */

describe('one-click account', needs('Chromium'), () => {
  let studio: TestStudio;
  let photo: { name: string; mimeType: string; buffer: Buffer };

  beforeAll(async () => {
    studio = await openStudio({ GUEST_BONUSES_PER_DAY: '100' }, SITE);
    const block = { create: { width: 140, height: 110, channels: 3, background: '#a33' } } as const;
    const buffer = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#eee' } })
      .composite([{ input: block }])
      .png()
      .toBuffer();
    photo = { name: 'block.png', mimeType: 'image/png', buffer };
  });
  afterAll(() => studio?.close());

  /** Counts what a person does after opening the address. */
  function person(page: Page) {
    let actions = 0;
    const act = async (work: Promise<unknown>) => {
      actions += 1;
      await work;
    };
    return {
      click: (selector: string) => act(page.locator(selector).first().click()),
      press: (name: RegExp) => act(page.getByRole('button', { name }).click()),
      drop: () => act(page.locator('at-drop input[type=file]').first().setInputFiles(photo)),
      download: async () => {
        const saved = page.waitForEvent('download');
        await act(page.getByRole('link', { name: 'Download', exact: true }).click());
        return readFile(await (await saved).path());
      },
      actions: () => actions,
    };
  }
  async function visit(
    run: (page: Page, context: BrowserContext) => Promise<void>,
    { width = 1440, passkeys = false } = {},
  ): Promise<void> {
    const context = await studio.browser.newContext({
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    const said = listenToConsole(page);
    if (passkeys) await addAuthenticator(page);
    await run(page, context);
    expect(said).toEqual([]);
    await context.close();
  }
  const open = (page: Page, path: string) => page.goto(SITE + path);
  const openAccount = (page: Page) => page.getByRole('button', { name: 'Open an account (free)' }).click();

  test('an uploaded photo is cut out and downloaded in three actions', () =>
    visit(async (page) => {
      await open(page, '/');
      const { click, drop, download, actions } = person(page);
      await click('a[href^="/tools/remove_background"]');
      await page.locator('#ticket[data-at-once]').waitFor();
      await drop();
      const { channels, width } = await sharp(await download()).metadata();
      expect([actions(), channels, width]).toEqual([3, 4, 320]);
    }));

  test('a first paid upscale without an account takes five actions and keeps form values', () =>
    visit(async (page) => {
      await open(page, '/');
      const { click, drop, press, actions } = person(page);
      await click('a[href="/tools#enlarge"]');
      await click('a[href^="/tools/upscale_image"]');
      await drop();
      await page.getByRole('status').filter({ hasText: 'block.png' }).waitFor();
      await press(/^Open an account/);
      await page.getByRole('link', { name: '10 credits' }).waitFor();
      await press(/^Upscale an image \(\d credits\)$/);
      await page.getByText('Done.', { exact: true }).waitFor();
      expect(actions()).toBeLessThanOrEqual(5);
      await page.getByRole('link', { name: /^8\.\d+ credits$/ }).waitFor();
    }));

  test('a key is saved as a file, and opens the account in another browser', () =>
    visit(async (page) => {
      await open(page, '/wallet');
      await openAccount(page);
      await page.getByText('You have not saved a copy').waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save copy' }).click();
      const file = await readFile(await (await saved).path(), 'utf8');
      await page.getByText('Copy saved. Store the file').waitFor();
      const wallet = await page.locator('at-key').getAttribute('data-wallet');
      const [key] = /0x[0-9a-f]{64}/.exec(file)!;
      expect(privateKeyToAccount(key as `0x${string}`).address.toLowerCase()).toBe(wallet);
      await visit(async (other) => {
        await open(other, '/wallet');
        const buffer = Buffer.from(file);
        await other
          .locator('#bring-key input[type=file]')
          .setInputFiles({ name: 'k.txt', mimeType: 'text/plain', buffer });
        await other.getByRole('button', { name: 'Sign in', exact: true }).click();
        await other.getByRole('heading', { name: '10 credits' }).waitFor();
        expect(await other.locator('at-key').getAttribute('data-wallet')).toBe(wallet);
      });
      // The address alone opens nothing.
      const reply = await studio.app.post(
        '/api/tools/list_assets',
        { wallet },
        { Authorization: `Bearer ${wallet}` },
      );
      expect(reply.status).toBe(401);
    }));

  test('a browser with a key signs in and opens no second account', () =>
    visit(async (page, context) => {
      await open(page, '/wallet');
      await openAccount(page);
      await page.getByRole('heading', { name: '10 credits' }).waitFor();
      const wallet = (await page.locator('at-key').getAttribute('data-wallet'))!;
      await context.clearCookies();
      await open(page, '/tools/upscale_image?image=sample:pear');
      await page.getByRole('button', { name: `Sign in as ${wallet.slice(0, 6)}` }).click();
      await page.getByRole('link', { name: '10 credits' }).waitFor();
    }));

  test('a passkey encrypts the key on devices that have one', () =>
    visit(
      async (page, context) => {
        await open(page, '/wallet');
        await openAccount(page);
        await page.getByText('protected by a passkey of this device').waitFor();
        const stored = await page.evaluate(STORED_BY);
        expect(stored).toEqual([['passkey']]);
        await context.clearCookies();
        await open(page, '/wallet');
        await page.getByRole('button', { name: /^Sign in as 0x/ }).click();
        await page.getByRole('heading', { name: '10 credits' }).waitFor();
      },
      { passkeys: true },
    ));

  test('an account held by the server is claimed once, with one click', () =>
    visit(async (page) => {
      const { claim_url, wallet } = (await studio.app.post('/api/tools/open_account', {})).body;
      await page.goto(claim_url);
      await page.getByRole('button', { name: 'Claim in this browser' }).click();
      await page.getByRole('heading', { name: '10 credits' }).waitFor();
      expect(await page.locator('at-key').getAttribute('data-wallet')).toBe(wallet);
      await page.getByText('You have not saved a copy').waitFor();
      await page.goto(claim_url);
      await page.getByRole('heading', { name: 'Nothing to take over' }).waitFor();
    }));

  test('after a payment, one click runs the filled-in form', () =>
    visit(async (page) => {
      await open(page, '/wallet');
      await openAccount(page);
      await page.getByRole('heading', { name: '10 credits' }).waitFor();
      const pictures = Array.from({ length: 6 }, () => photo);
      await open(page, '/tools/upscale_image');
      await page.locator('at-drop input[type=file]').first().setInputFiles(pictures);
      await page.getByLabel('Times larger').fill('3');
      await page.getByRole('link', { name: 'Buy credits' }).click();
      await page.getByRole('link', { name: '50 credits for 5 USD' }).click();
      await page.getByRole('button', { name: /^Pay 5\.00 USD/ }).click();
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Upscale an image' }).waitFor();
      expect(await page.getByLabel('Times larger').inputValue()).toBe('3');
      await page.getByRole('button', { name: 'Upscale an image 6 times (12 credits)' }).click();
      await page.getByText(/of 6 are done|All 6 are done/).waitFor();
    }));

  test.each([390, 1440])('account pages have no accessibility violations at %i px', (width) =>
    visit(
      async (page) => {
        await open(page, '/wallet');
        await expectNoBarrier(page);
        await openAccount(page);
        await page.getByText('You have not saved a copy').waitFor();
        await page.getByRole('button', { name: 'Show key' }).click();
        await page.locator('at-key pre').waitFor();
        await expectNoBarrier(page);
        await open(page, '/recipes/new?from=photo_to_print');
        await page.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        await expectNoBarrier(page);
        await open(page, '/tools/resize_image');
        const text = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no image') };
        await page
          .locator('at-drop input[type=file]')
          .first()
          .setInputFiles([photo, text, { ...photo, name: 'second.png' }]);
        await page.getByLabel('Width').fill('40');
        await page.getByLabel('Height').fill('30');
        await page.getByRole('button', { name: 'Resize an image 3 times (free)' }).click();
        await page.getByText('2 of 3 are done. 1 failed; see the reason beside each.').waitFor();
        await expectNoBarrier(page);
        const saved = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Download table (CSV)' }).click();
        expect(await readFile(await (await saved).path(), 'utf8')).toMatch(
          /block\.png,succeeded[\s\S]*notes\.png,refused/,
        );
      },
      { width },
    ),
  );
});

/** What each stored key is encrypted with. */
const STORED_BY = `new Promise((resolve) => {
  const opening = indexedDB.open('atelier');
  opening.onsuccess = () => {
    const asked = opening.result.transaction('keys').objectStore('keys').getAll();
    asked.onsuccess = () => resolve(asked.result.map(({ by }) => Object.keys(by)));
  };
})`;

/** A device that confirms every request and has the pseudo-random function. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
    },
  });
}
