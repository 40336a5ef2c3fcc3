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

test('a run has a link that reopens it with its settings', async () => {
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

test('a field has a readable label and its API name on request', async () => {
  const { text } = await stranger.look('/tools/extract_palette');
  expect(text).toMatch(
    /<label for="field-num_colors">Number of colours.*<code class="param">num_colors<\/code>/,
  );
  const refused = await visitor.press('extract_palette', { image: 'sample:pear', num_colors: '99' });
  expect(refused.text).toContain('role="alert">Number of colours must be');
});

test('a rejected form uses field labels in the error and keeps all values', async () => {
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

test('a form without an image asks for one', async () => {
  expect((await visitor.press('extract_palette', { image: '' })).text).toContain(
    'role="alert">Choose an image.',
  );
});

test('the sample image runs without an upload', async () => {
  const { goTo } = await visitor.press('extract_palette', { image: 'sample:pear' });
  expect(await visitor.ended(goTo)).toContain('<svg class="palette"');
});

test('a form submitted twice starts one run, and different settings start another', async () => {
  const sent = { image: 'sample:pear', press: 'one-press', num_colors: '4' };
  const [first, second] = [
    await visitor.press('extract_palette', sent),
    await visitor.press('extract_palette', sent),
  ];
  const other = await visitor.press('extract_palette', { ...sent, num_colors: '5' });
  expect(second.goTo).toBe(first.goTo);
  expect(new URLSearchParams(other.goTo).get('run')).not.toBe(new URLSearchParams(first.goTo).get('run'));
});

test('earlier results are offered as input only to the same browser', async () => {
  const browser = openVisitor(app);
  const { goTo } = await browser.press('resize_image', { image: 'sample:pear', width: '40', height: '40' });
  await browser.ended(goTo);
  const earlier =
    /<a href="(\/tools\/extract_palette\?image=result%3A[^"]+)"><img src="\/pictures\/result%3A/;
  const [, link] = earlier.exec((await browser.look('/tools/extract_palette')).text)!;
  expect(textIn((await browser.look(link!)).text)).toContain('result:');
  expect((await stranger.look('/tools/extract_palette')).text).not.toMatch(earlier);
});

test('a run of a wallet is offered only to visitors with access', async () => {
  const browser = openVisitor(app, WALLET);
  const { goTo } = await browser.press('mockup_image', { image: picture(), size: '500' });
  await browser.ended(goTo);
  expect((await browser.look('/tools/extract_palette')).text).toContain('Earlier results');
  await browser.press('/wallet', { act: 'leave' });
  expect((await browser.look('/tools/extract_palette')).text).not.toContain('Earlier results');
});

/** Uploads a file under a name and returns its handle. */
async function upload(name: string, body: string | File): Promise<string> {
  const url = `http://atelier.test/api/uploads?name=${encodeURIComponent(name)}`;
  const reply = await app.fetch(new Request(url, { method: 'POST', body }));
  return ((await reply.json()) as { uri: string }).uri;
}
const fetched = async (page: string, path: string) => {
  const [, address] = new RegExp(`href="(/${path}[^"]+)"`).exec(page)!;
  const url = `http://atelier.test${address!.replaceAll('&amp;', '&')}`;
  const reply = await app.fetch(new Request(url, { headers: { Cookie: `atelier_wallet=${WALLET}` } }));
  return Buffer.from(await reply.arrayBuffer()).toString('latin1');
};

test('several images run on one page, and their results download as one archive', async () => {
  const handles = [
    await upload('Anna & Bob.jpg', picture()),
    await upload('anna & bob.png', picture()),
    await upload('../../etc/x.gif', picture()),
  ];
  const { goTo } = await visitor.press('resize_image', { image: handles.join(' '), width: '4', height: '4' });
  const page = await visitor.ended(goTo);
  expect(textIn(page)).toContain('All 3 are done.');
  const zip = await fetched(page, 'results.zip');
  expect(zip.slice(0, 4)).toBe('PK\u0003\u0004');
  for (const name of ['Anna & Bob.png', 'anna & bob_2.png']) expect(zip).toContain(name);
  expect(zip).not.toContain('../');
});

test('an invalid file does not stop the others, states its error and can be retried alone', async () => {
  const handles = [
    await upload('=1+1.png', picture()),
    await upload('notes.png', 'no image'),
    await upload('c.png', picture()),
  ];
  const settings = { image: handles.join(' '), width: '4', height: '4' };
  const { goTo } = await visitor.press('resize_image', settings);
  const page = await visitor.ended(goTo);
  expect(textIn(page)).toContain('2 of 3 are done. 1 failed; see the reason beside each.');
  expect(textIn(page)).toMatch(/notes\.png Not started\. .*(image|format)/i);
  const table = await fetched(page, 'results.csv');
  expect(table.split('\r\n')[1]).toMatch(
    /^'=1\+1\.png,succeeded,,=1\+1\.png,|^'=1\+1\.png,succeeded,,'=1\+1\.png,/,
  );
  expect(table).toMatch(/notes\.png,refused,/);
  const [, press] = /name="retry" value="([^"]+)"/.exec(page)!;
  const again = await visitor.press(goTo, { retry: press! });
  // Only that file was retried, and is refused again: the two results stay.
  expect(again.text).toContain('role="alert"');
  const runsOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('run')!.split(',');
  const [first, second, third] = runsOf(goTo);
  const forgotten = goTo.replace(encodeURIComponent(third!), `job_${'0'.repeat(32)}`);
  const mended = await visitor.press(forgotten, { retry: press! });
  expect(runsOf(mended.goTo).slice(0, 2)).toEqual([first, second]);
  expect(await visitor.ended(mended.goTo)).toContain('2 of 3 are done.');
});

test('failed images of a batch are counted, and the example call has one image', async () => {
  const handles = 'upload:nothere-1 upload:nothere-2';
  const { text } = await visitor.look(`/tools/resize_image?image=${handles}&width=4&height=4&run=job_gone`);
  expect(text).toContain('0 of 2 are done. 2 failed; see the reason beside each.');
  expect(text).toContain('&quot;image&quot;: &quot;upload:nothere-1&quot;');
});

test('runs of the same image are compared side by side', async () => {
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
  expect((await stranger.look(goTo)).text).toContain('This run has expired.');
});

test('a visitor without a wallet sees the price and a link to open an account', async () => {
  const page = textIn((await stranger.look('/tools/mockup_image?image=sample:pear')).text);
  expect(page).toContain(
    'This costs 1 credit. A new account has 10 credits and needs no email address or card.',
  );
  expect((await stranger.press('mockup_image', { image: picture() })).text).toContain(
    'Open an account below',
  );
});

test('a signed-in visitor sees the price and the balance', async () => {
  expect(textIn((await visitor.look('/tools/mockup_image?image=sample:pear')).text)).toMatch(
    /Price \d credits? \(balance [\d.]+\)/,
  );
});

test('submitted values are HTML-escaped', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'';
  const query = new URLSearchParams({ payload: hostile, image: hostile, run: hostile });
  const { text } = await visitor.look(`/tools/watermark_embed?${query}`);
  const posted = await visitor.press('watermark_embed', { payload: hostile, image: hostile });
  expect(text + posted.text).not.toContain('<img src=x');
});

test('a canceled run is shown as canceled', async () => {
  const { goTo } = await visitor.press('resize_image', {
    image: 'sample:pear',
    width: '8000',
    height: '8000',
  });
  const run = new URLSearchParams(goTo.split('?')[1]).get('run')!;
  const { status, goTo: back } = await visitor.press(goTo, { cancel: run });
  expect([status, back]).toEqual([303, goTo]);
  expect(await visitor.ended(goTo)).toMatch(/Cancelled\.|Done\./);
});

test('browsers without JavaScript refresh the page while a run is in progress', async () => {
  const { goTo } = await visitor.press('resize_image', {
    image: 'sample:pear',
    width: '7000',
    height: '7000',
  });
  const { text } = await visitor.look(goTo);
  expect(text.includes('data-live')).toBe(text.includes('<noscript><meta http-equiv="refresh"'));
});

test('an image in a wallet is not shown to other visitors', async () => {
  expect((await stranger.look('/pictures/asset%3Anothing')).status).toBeGreaterThanOrEqual(400);
  expect((await stranger.look('/pictures/https%3A%2F%2Felsewhere.test%2Fa.png')).status).toBe(400);
});

test('without JavaScript, object fields are filled in individually and their files become uploads', async () => {
  const { goTo } = await visitor.press('print_ready', {
    image: picture(),
    'layout.kind': 'booklet',
    'layout.images': picture('back.png'),
    'layout.creep_mm': '0.5',
    cut: '',
    'cut.offset_mm': '2',
  });
  const { layout, cut } = Object.fromEntries(new URLSearchParams(goTo.split('?')[1]));
  expect(JSON.parse(layout!)).toEqual({
    kind: 'booklet',
    images: [expect.stringMatching(/^upload:/)],
    creep_mm: 0.5,
  });
  expect(cut).toBeUndefined();
  expect((await visitor.look(goTo)).text).toMatch(/name="layout.creep_mm"[^>]* value="0.5"/);
});

test('an invalid object field is named by its label and marked', async () => {
  const { text } = await visitor.press('print_ready', {
    image: picture(),
    'layout.kind': 'n_up',
    'layout.copies': '0',
  });
  expect(text).toContain('role="alert">Copies must be');
  expect(text).toMatch(/name="layout.copies"[^>]*aria-invalid="true"/);
  expect(text).toContain('<details class="more" open>');
});
