import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor, type TestVisitor } from '../../../../tests/support/open_visitor.ts';
import { EXAMPLE_PNG_B64 } from '../../../features/definitions/example_image.ts';

const WALLET = '0x00000000000000000000000000000000000000b7';
let app: TestApp;
let visitor: TestVisitor;
let stranger: TestVisitor;

beforeAll(async () => {
  app = await openTestApp();
  await app.post('/api/wallet/register', { wallet: WALLET });
  visitor = openVisitor(app, WALLET);
  stranger = openVisitor(app);
});
afterAll(async () => {
  await app?.close();
});

const picture = (name = 'meadow.png') =>
  new File([Buffer.from(EXAMPLE_PNG_B64, 'base64')], name, { type: 'image/png' });
const textIn = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('a run is a link that reopens it with its settings', async () => {
  const { goTo } = await visitor.press('resize_image', {
    image: picture(),
    width: '8',
    height: '6',
    mode: 'cover',
  });
  const page = await visitor.ended(goTo);
  expect(goTo).toMatch(
    /^\/tools\/resize_image\?image=upload%3A[\w-]+&width=8&height=6&mode=cover&run=job_\w+$/,
  );
  expect(page).toMatch(/name="width"[^>]* value="8"/);
  expect(page).toMatch(/value="cover" checked/);
  expect(textIn(page)).toContain('PNG, 8 × 6');
});

test('a field has a title for people, and its name in the API on request', async () => {
  const { text } = await stranger.look('/tools/extract_palette');
  expect(text).toMatch(
    /<label for="field-num_colors">Number of colours.*<code class="param">num_colors<\/code>/,
  );
  const refused = await visitor.press('extract_palette', { image: 'sample:pear', num_colors: '99' });
  expect(refused.text).toContain('role="alert">Number of colours must be');
});

test('what is refused is said in the words of the form, and everything is still filled in', async () => {
  const { status, text } = await visitor.press('resize_image', {
    image: picture(),
    width: '99999',
    height: '6',
  });
  expect(status).toBe(400);
  expect(text).toContain('role="alert">Width must be an integer from 1 to 8192 but got 99999.');
  expect(text).toMatch(/aria-invalid="true" autofocus[^>]* value="99999"/);
  expect(text).toMatch(/name="image" value="upload:/);
});

test('without a picture it asks for one', async () => {
  expect((await visitor.press('extract_palette', { image: '' })).text).toContain(
    'role="alert">Choose a picture.',
  );
});

test('the sample runs without anything sent', async () => {
  const { goTo } = await visitor.press('extract_palette', { image: 'sample:pear' });
  expect(await visitor.ended(goTo)).toContain('<svg class="palette"');
});

test('a press that is sent twice starts one run, and with other settings another', async () => {
  const sent = { image: 'sample:pear', press: 'one-press', num_colors: '4' };
  const [first, second] = [
    await visitor.press('extract_palette', sent),
    await visitor.press('extract_palette', sent),
  ];
  const other = await visitor.press('extract_palette', { ...sent, num_colors: '5' });
  expect(second.goTo).toBe(first.goTo);
  expect(new URLSearchParams(other.goTo).get('run')).not.toBe(new URLSearchParams(first.goTo).get('run'));
});

test('what a browser made before is offered to the next tool, and to no other browser', async () => {
  const browser = openVisitor(app);
  const { goTo } = await browser.press('resize_image', { image: 'sample:pear', width: '40', height: '40' });
  await browser.ended(goTo);
  const earlier =
    /<a href="(\/tools\/extract_palette\?image=result%3A[^"]+)"><img src="\/pictures\/result%3A/;
  const [, link] = earlier.exec((await browser.look('/tools/extract_palette')).text)!;
  expect(textIn((await browser.look(link!)).text)).toContain('result:');
  expect((await stranger.look('/tools/extract_palette')).text).not.toMatch(earlier);
});

test('a run of a wallet is offered only to visitors who may see it', async () => {
  const browser = openVisitor(app, WALLET);
  const { goTo } = await browser.press('mockup_image', { image: picture(), size: '500' });
  await browser.ended(goTo);
  expect((await browser.look('/tools/extract_palette')).text).toContain('Earlier results');
  await browser.press('/wallet', { act: 'leave' });
  expect((await browser.look('/tools/extract_palette')).text).not.toContain('Earlier results');
});

test('several pictures are runs of one page, and their results one file', async () => {
  const handles = await Promise.all(
    [0, 1].map(async () => {
      const reply = await app.fetch(
        new Request('http://atelier.test/api/uploads', { method: 'POST', body: picture() }),
      );
      return ((await reply.json()) as { uri: string }).uri;
    }),
  );
  const { goTo } = await visitor.press('resize_image', { image: handles.join(' '), width: '4', height: '4' });
  const page = await visitor.ended(goTo);
  const [, zip] = /href="(\/results\.zip[^"]+)"/.exec(page)!;
  const reply = await app.fetch(
    new Request(`http://atelier.test${zip}`, { headers: { Cookie: `atelier_wallet=${WALLET}` } }),
  );
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect(textIn(page)).toContain('All are done.');
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(bytes.toString('latin1')).toContain('resize_image_2_4x3.png');
});

test('a picture of several that was not taken is said, and the call is that of one', async () => {
  const handles = 'upload:nothere-1 upload:nothere-2';
  const { text } = await visitor.look(`/tools/resize_image?image=${handles}&width=4&height=4&run=job_gone`);
  expect(text).toContain('1 of 2 are done, 1 could not be started.');
  expect(text).toContain('&quot;image&quot;: &quot;upload:nothere-1&quot;');
});

test('runs of the same picture are laid beside each other', async () => {
  const first = await visitor.press('resize_image', { image: 'sample:pear', width: '40', height: '40' });
  const beside = new URLSearchParams(first.goTo.split('?')[1]).get('run')!;
  const second = await visitor.press('resize_image', {
    image: 'sample:pear',
    width: '20',
    height: '20',
    beside,
  });
  expect((await visitor.ended(second.goTo)).match(/<figure class="made">/g)).toHaveLength(2);
});

test('a run of a wallet is not shown to others', async () => {
  const { goTo } = await visitor.press('mockup_image', { image: picture(), size: '500' });
  expect(await visitor.ended(goTo)).toContain('Done.');
  expect((await stranger.look(goTo)).text).toContain('This run is forgotten.');
});

test('a visitor without a wallet learns what a paid tool needs and where to get it', async () => {
  const page = textIn((await stranger.look('/tools/mockup_image?image=sample:pear')).text);
  expect(page).toContain('This needs 1 credit. Open a wallet ; a new one has 10.');
  expect((await stranger.press('mockup_image', { image: picture() })).text).toContain('To your wallet');
});

test('a wallet is shown what remains of it', async () => {
  expect(textIn((await visitor.look('/tools/mockup_image?image=sample:pear')).text)).toMatch(
    /Price \d of your [\d.]+ credits?/,
  );
});

test('what a caller sends is text, never markup', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'';
  const query = new URLSearchParams({ payload: hostile, image: hostile, run: hostile });
  const { text } = await visitor.look(`/tools/watermark_embed?${query}`);
  const posted = await visitor.press('watermark_embed', { payload: hostile, image: hostile });
  expect(text + posted.text).not.toContain('<img src=x');
});

test('a canceled run says so', async () => {
  const { goTo } = await visitor.press('resize_image', {
    image: 'sample:pear',
    width: '8000',
    height: '8000',
  });
  const run = new URLSearchParams(goTo.split('?')[1]).get('run')!;
  const { status, goTo: back } = await visitor.press(goTo, { cancel: run });
  expect([status, back]).toEqual([303, goTo]);
  expect(await visitor.ended(goTo)).toMatch(/Canceled\.|Done\./);
});

test('while a run is not over, browsers without programs ask again', async () => {
  const { goTo } = await visitor.press('resize_image', {
    image: 'sample:pear',
    width: '7000',
    height: '7000',
  });
  const { text } = await visitor.look(goTo);
  expect(text.includes('data-live')).toBe(text.includes('<noscript><meta http-equiv="refresh"'));
});

test('a picture that only a locked wallet may open is not shown to others', async () => {
  expect((await stranger.look('/pictures/asset%3Anothing')).status).toBeGreaterThanOrEqual(400);
  expect((await stranger.look('/pictures/https%3A%2F%2Felsewhere.test%2Fa.png')).status).toBe(400);
});
