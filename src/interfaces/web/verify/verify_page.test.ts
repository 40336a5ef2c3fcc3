import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor, type TestVisitor } from '../../../../tests/support/open_visitor.ts';
import { scene } from '../../../../tests/support/scene.ts';

const WALLET = '0x00000000000000000000000000000000000000f3';
const TITLE = '<img src=x onerror=alert(1)>\u202Egnp';

let app: TestApp;
let visitor: TestVisitor;
let picture: Buffer;
beforeAll(async () => {
  app = await openTestApp();
  visitor = openVisitor(app);
  picture = await scene(1);
  await app.post('/api/wallet/register', { wallet: WALLET });
  const sent = { image: picture.toString('base64'), title: TITLE, artist: 'Ada' };
  await app.post('/api/tools/register_hash', sent, { Authorization: `Bearer ${WALLET}` });
});
afterAll(() => app?.close());

const fileOf = (bytes: Uint8Array, name = 'copy.jpg') =>
  new File([new Uint8Array(bytes)], name, { type: 'image/jpeg' });
const press = (values: Record<string, string | File>) => visitor.press('/verify', values);
const answerFor = async (bytes: Uint8Array) => visitor.look((await press({ image: fileOf(bytes) })).goTo);

test('a crop of a registered image is recognised, with its position and HTML-escaped title', async () => {
  const part = await sharp(picture).extract({ left: 60, top: 40, width: 500, height: 380 }).jpeg().toBuffer();
  const { status, text } = await answerFor(part);
  expect([status, /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]]).toEqual([
    200,
    'This is part of an image registered on this server.',
  ]);
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt; gnp');
  expect(text).not.toContain('\u202E');
  expect(text).toMatch(/<svg class="place"[\s\S]*<image href="\/pictures\/upload/);
});

test('the evidence file states the same findings as text with the file hash', async () => {
  const { goTo } = await press({ image: fileOf(picture) });
  const { headers, text } = await app.get(goTo.replace('/verify?', '/verify/evidence?'));
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="evidence_[0-9a-f]{12}\.txt"$/);
  expect(text).toMatch(/SHA-256: [0-9a-f]{64}\n[\s\S]*RESULT\nThis file is identical to a registered file\./);
  expect(text).not.toContain('\u202E');
});

test('a sample image is checked by link alone', async () => {
  expect((await visitor.look('/verify?image=sample:badge')).text).toContain(
    'This image is not registered on this server.',
  );
});

test('a marked sample shows its watermark, metadata and signer', async () => {
  const { text } = await visitor.look('/verify?image=sample:telling_pear');
  expect(text).toContain('You have looked closely. I am not ripe yet.');
  expect(text).toMatch(/Its watermark says “A pear, drawn for Atelier”/);
  expect(text).toContain('Signed together with these pixels by a signer unknown to this server.');
});

test('a URL is fetched only through the form, never from a link', async () => {
  const url = 'https://pictures.example/a.png';
  const { status, text } = await visitor.look(`/verify?image=${encodeURIComponent(url)}`);
  expect([status, text.includes('Use the form to check a file or URL.')]).toEqual([400, true]);
  expect(text).toContain(`value="${url}"`);
});

test.each<[number, string, Record<string, string | File>]>([
  [400, 'Choose an image.', {}],
  [400, 'Choose an image.', { image: '  ' }],
  [404, 'upload:gone', { image: 'upload:gone' }],
  [422, 'role="alert"', { image: fileOf(Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1'), '<script>.png') }],
  [413, 'The limit is 25 MB.', { image: fileOf(Buffer.alloc(26 * 1024 * 1024)) }],
])('an invalid image returns %i, with "%s" and the form', async (status, words, values) => {
  const sent = await press(values);
  const shown = sent.goTo ? await visitor.look(sent.goTo) : sent;
  expect([shown.status, shown.text.includes(words), shown.text.includes('id="check"')]).toEqual([
    status,
    true,
    true,
  ]);
  expect(shown.text).not.toContain('<script>.png');
});
