import { AtelierProblem, ConnectionError, createClient } from '@atelier/client/create_client.ts';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';

/** The client package against the whole service. */

let app: TestApp;
let photo: Buffer;
const sent: Request[] = [];
beforeAll(async () => {
  app = await openTestApp();
  photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#806040' } })
    .png()
    .toBuffer();
});
afterAll(() => app?.close());

const clientOf = (bearer?: string, fetch = app.fetch) =>
  createClient({
    url: 'http://atelier.test/',
    retries: 2,
    ...(bearer && { bearer }),
    fetch: async (request) => {
      sent.push(request.clone());
      return fetch(request);
    },
  });
/** Fails so often, then goes through. */
const breaking = (times: number, fail: () => Response) => {
  let left = times;
  return async (request: Request) => {
    const answer = await app.fetch(request);
    left -= 1;
    return left >= 0 ? fail() : answer;
  };
};
const gone = (): Response => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
};

test('accepts bytes, returns a typed response, and downloads its file', async () => {
  const client = clientOf();
  const answer = await client.resize_image({ image: photo, width: 30, height: 30, output: 'url' });
  const bytes = await client.download(answer);
  expectTypeOf(answer.width).toEqualTypeOf<number>();
  expectTypeOf(answer.cost.credit).toEqualTypeOf<number>();
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 20 });
});

test('the result of one call is the image of the next', async () => {
  const client = clientOf();
  const { result } = await client.resize_image({ image: photo, width: 30, height: 30, output: 'url' });
  expect((await client.extract_palette({ image: result, num_colors: 3 })).colors[0]?.hex).toBe('#806040');
});

test('bytes in a non-image field are sent as base64', async () => {
  const data = new TextEncoder().encode('notes') as never;
  await clientOf()
    .save_asset({ wallet: `0x${'a'.repeat(40)}`, key: 'notes.txt', data })
    .catch(() => {});
  expect(await sent.at(-1)!.json()).toMatchObject({ data: btoa('notes') });
});

test('a rejected call is an error with the message and code of the service', async () => {
  const problem = await clientOf()
    .resize_image({ image: 'x', width: 0, height: 5 })
    .catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(AtelierProblem);
  expect(problem).toMatchObject({ code: 'invalid_input', status: 400, isRetryable: false });
});

test('a paid call whose response is lost is retried and charged once', async () => {
  const { wallet } = await newOwner(app);
  const client = clientOf(wallet, breaking(1, gone));
  const note = { wallet, key: 'note', data: 'aGVsbG8=', content_type: 'text/plain' };
  sent.length = 0;
  const answer = await client.save_asset(note);
  const keys = sent.map((request) => request.headers.get('idempotency-key'));
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  expect(await clientOf(wallet).check_balance({ wallet })).toMatchObject({ totals: { spent: 1 } });
  expect(answer.payment?.method).toBe('credits');
});

test('after a refusal that will pass it comes again, and gives up in the end', async () => {
  const busy = () =>
    Response.json({ code: 'busy', detail: 'Full.', retryable: true, retry_after_s: 0 }, { status: 503 });
  await expect(
    clientOf(undefined, breaking(2, busy)).search_tools({ query: 'colour' }),
  ).resolves.toBeDefined();
  await expect(
    clientOf(undefined, breaking(3, busy)).search_tools({ query: 'colour' }),
  ).rejects.toMatchObject({ code: 'busy' });
});

test('a missing server is reported', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', retries: 0 });
  await expect(client.search_tools({ query: 'x' })).rejects.toBeInstanceOf(ConnectionError);
});

test('a job returns the same response, with progress', async () => {
  const seen: number[] = [];
  const answer = await clientOf().resize_image(
    { image: photo, width: 30, height: 30 },
    { asJob: true, onProgress: (fraction) => seen.push(fraction) },
  );
  expect(answer.height).toBe(20);
});

test('a job that another wallet pays for is followed as that wallet', async () => {
  const { wallet: payer } = await newOwner(app);
  const input = { wallet: payer, key: 'job', data: 'aGVsbG8=', content_type: 'text/plain', payer };
  expect((await clientOf().save_asset(input, { asJob: true })).key).toBe('job');
});

test('a quote runs nothing', async () => {
  const { wallet } = await newOwner(app);
  const { quote } = await clientOf(wallet).quote('save_asset', { wallet, key: 'k', data: 'aGVsbG8=' });
  expect(quote).toMatchObject({ credit: 1, affordable: true });
});

test('cancelling returns immediately', async () => {
  const busy = () => Response.json({ code: 'busy', retryable: true, retry_after_s: 30 }, { status: 503 });
  const signal = AbortSignal.timeout(100);
  const call = clientOf(undefined, breaking(9, busy)).search_tools({ query: 'x' }, { signal });
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
});
