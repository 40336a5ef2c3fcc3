import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WELCOME_CREDITS } from '../../src/config/limits.ts';
import { listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { giveWallet } from '../support/browser_wallet.ts';
import { expectNoBarrier } from '../support/expect_no_barrier.ts';
import { hasFocus, type InputMode, keyboard, pointer } from '../support/keyboard.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { newOwner } from '../support/owner.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';

/** What people come to the studio for, from beginning to end, with a pointer and with the keyboard alone. */

const OWNER = '0x00000000000000000000000000000000000000a7';

describe('studio user journeys', needs('Chromium'), () => {
  let studio: TestStudio;
  let copy: { name: string; mimeType: string; buffer: Buffer };

  beforeAll(async () => {
    studio = await openStudio();
    const picture = await scene(1);
    await studio.app.post('/api/wallet/register', { wallet: OWNER });
    const sent = { image: picture.toString('base64'), title: 'Discs', artist: 'Ada' };
    await studio.app.post('/api/tools/register_hash', sent, { Authorization: `Bearer ${OWNER}` });
    const buffer = await sharp(picture)
      .extract({ left: 60, top: 40, width: 500, height: 380 })
      .jpeg()
      .toBuffer();
    copy = { name: 'copy.jpg', mimeType: 'image/jpeg', buffer };
  });
  afterAll(() => studio?.close());

  async function visit(run: (page: Page, said: string[]) => Promise<void>, width = 1440): Promise<void> {
    const context = await studio.browser.newContext({
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await run(page, listenToConsole(page));
    await context.close();
  }
  const HANDS: readonly [string, (page: Page) => InputMode][] = [
    ['a pointer', () => pointer],
    ['the keyboard alone', keyboard],
  ];

  describe.each(HANDS)('with %s', (_name, handsOf) => {
    test('a tool runs within three actions from the home page', () =>
      visit(async (page, said) => {
        const hands = handsOf(page);
        await page.goto(SITE);
        await hands.press(page.getByRole('link', { name: 'Extract a palette' }).first());
        await page.waitForURL(/image=sample/);
        await hands.press(page.getByRole('button', { name: /^Extract a palette/ }));
        await page.locator('svg.palette').waitFor();
        expect([await page.getByText('Done.', { exact: true }).count(), said]).toEqual([1, []]);
      }));

    test('a credit pack is bought with the test card, shown and spent', () =>
      visit(async (page, said) => {
        const hands = handsOf(page);
        const account = privateKeyToAccount(generatePrivateKey());
        await page.goto(`${SITE}/wallet`);
        await hands.press(page.getByText(/^Other ways/));
        await hands.type(page.getByLabel('Address', { exact: true }), account.address);
        await hands.press(page.getByRole('button', { name: /^Register address/ }));
        await page.getByRole('heading', { name: `${WELCOME_CREDITS} credits` }).waitFor();
        await hands.press(page.getByRole('link', { name: '50 credits for 5 USD' }));
        await hands.press(page.getByRole('button', { name: /^Pay 5\.00 USD/ }));
        await page.waitForURL(/\/paid/);
        await hands.press(page.getByRole('link', { name: 'Go to wallet' }));
        await page.getByRole('heading', { name: `${WELCOME_CREDITS + 50} credits` }).waitFor();
        await page.goto(`${SITE}/tools/mockup_image?image=sample:badge`);
        await hands.press(page.getByRole('button', { name: /\(\d+ credits?\)$/ }));
        await page.getByText('Done.', { exact: true }).waitFor({ timeout: 240_000 });
        // Mockups cost a credit, of which a twentieth comes back.
        await page.getByRole('link', { name: `${WELCOME_CREDITS + 50 - 0.95} credits` }).waitFor();
        expect(said).toEqual([]);
      }));

    test('a cropped copy is reported without leaving the page', () =>
      visit(async (page, said) => {
        const hands = handsOf(page);
        await page.goto(`${SITE}/verify`);
        const chooser = page.waitForEvent('filechooser');
        await hands.press(page.locator('input[type=file]'));
        await (await chooser).setFiles(copy);
        await page
          .getByRole('heading', { name: 'This is part of an image registered on this server.' })
          .waitFor();
        expect(await hasFocus(page.locator('h1'))).toBe(true);
        const saved = page.waitForEvent('download');
        await hands.press(page.getByRole('link', { name: 'Download evidence sheet' }));
        expect((await saved).suggestedFilename()).toMatch(/^evidence_[0-9a-f]{12}\.txt$/);
        await page.goBack();
        await page.getByRole('heading', { name: 'Check where an image comes from' }).waitFor();
        expect(said).toEqual([]);
      }));

    test('a wallet is verified by signature, locked and unlocked', () =>
      visit(async (page, said) => {
        const hands = handsOf(page);
        const account = privateKeyToAccount(generatePrivateKey());
        await giveWallet(page, account);
        await page.goto(`${SITE}/wallet`);
        await hands.press(page.getByRole('button', { name: 'Connect' }));
        await hands.press(page.getByRole('button', { name: 'Lock wallet' }));
        await page.getByText('The wallet is locked').waitFor();
        const wallet = account.address.toLowerCase();
        const asked = () =>
          studio.app.post('/api/tools/list_assets', { wallet }, { Authorization: `Bearer ${wallet}` });
        expect((await asked()).status).toBe(401);
        await hands.press(page.getByRole('button', { name: 'Unlock wallet' }));
        await page.getByText('The wallet is not locked').waitFor();
        expect([(await asked()).status, said]).toEqual([200, []]);
      }));
  });

  test.each([390, 820, 1440])('results and wallet pages have no accessibility violations at %i px', (width) =>
    visit(async (page) => {
      await page.goto(`${SITE}/verify`);
      await page.locator('input[type=file]').setInputFiles(copy);
      await page
        .getByRole('heading', { name: 'This is part of an image registered on this server.' })
        .waitFor();
      await expectNoBarrier(page);
      const owner = await newOwner(studio.app);
      const session = await owner.signIn();
      const cookie = session.Authorization!.replace('Bearer ', '');
      await page.context().addCookies([{ name: 'atelier_wallet', value: cookie, url: SITE }]);
      const file = { wallet: owner.wallet, data: copy.buffer.toString('base64'), content_type: 'image/jpeg' };
      for (const key of ['kept', 'kept', 'gone'])
        await studio.app.post('/api/tools/save_asset', { ...file, key }, session);
      await studio.app.post('/api/tools/delete_asset', { wallet: owner.wallet, key: 'gone' }, session);
      await owner.makeKey({ max_credits: 5, tools: ['upscale_image'] });
      const { trash } = (await studio.app.get(`/api/assets/trash?wallet=${owner.wallet}`, session)).body;
      for (const path of [
        '/wallet',
        `/wallet/files?forget=${trash[0].id}`,
        '/wallet/versions?key=kept',
        '/wallet/leave?closing=yes',
      ]) {
        await page.goto(SITE + path);
        await page.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        await expectNoBarrier(page);
      }
    }, width),
  );
});
