import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import {
  positiveInteger,
  timeStampRequest,
} from '@atelier/imaging/provenance/timestamp/time_stamp_request.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { c2paProblems } from '../../../../tests/support/c2pa_problems.ts';
import { control, developmentCertificate, openManifests } from '../../../../tests/support/open_manifests.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import {
  type Authority,
  type AuthorityServer,
  answering,
  type Handler,
  makeAuthority,
  serveAuthority,
} from '../../../../tests/support/time_stamp_authority.ts';
import { createTimeStamps, readTrustList, type TimeStamps } from './timestamps.ts';

const MESSAGE = Buffer.from('A head of the log');
const logger = { warn: () => {} };
const digest = createHash('sha256').update(MESSAGE).digest();

describe('time stamps from an authority', needs('OpenSSL'), () => {
  let authority: Authority;
  const servers: AuthorityServer[] = [];
  beforeAll(() => {
    authority = makeAuthority();
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => authority.remove());

  async function serve(...handlers: Handler[]) {
    const started = await Promise.all(handlers.map(serveAuthority));
    servers.push(...started);
    return started.map(({ url }) => url);
  }
  const open = (urls: readonly string[], more: object = {}) =>
    createTimeStamps({ urls, trust: [authority.root], logger, ...more });
  const stampedBy = async (handle: Handler, more: object = {}) =>
    open(await serve(handle), more).stamp(MESSAGE);

  test('a time stamp is obtained, trusted, and verifiable by OpenSSL', async () => {
    const { result, token } = await stampedBy(answering(authority));
    expect(result).toMatchObject({ status: 'trusted', authority: 'Test TSA' });
    authority.verify(token!, MESSAGE);
    expect(open([]).check(token!, MESSAGE).status).toBe('trusted');
    expect(open([]).check(token!, Buffer.from('Another')).status).toBe('invalid');
  });

  test('the next authority is tried when one fails', async () => {
    const urls = await serve((_, response) => void response.writeHead(503).end(), answering(authority));
    expect((await open(urls).stamp(MESSAGE)).result.status).toBe('trusted');
    expect(servers.map(({ count }) => count())).toEqual([1, 1]);
  });

  /** Responds with a stamp for another request. */
  const instead =
    (change: (request: Buffer) => Buffer): Handler =>
    (request, response) =>
      void response.writeHead(200).end(authority.reply(change(request)));
  const ofAnotherMessage = (request: Buffer) => {
    const changed = Buffer.from(request);
    changed.fill(7, changed.indexOf(digest), changed.indexOf(digest) + digest.length);
    return changed;
  };

  const refusal = (reason: RegExp) => ({
    time: null,
    authority: null,
    status: 'none',
    reason: expect.stringMatching(reason),
  });

  test.each<[string, Handler, RegExp]>([
    ['stamps another message', instead(ofAnotherMessage), /another message/],
    [
      'repeats another nonce',
      instead(() => timeStampRequest({ digest, nonce: Buffer.of(1) })),
      /nonce differs/,
    ],
    [
      'sends a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /page/,
    ],
    [
      'sends anything',
      (_, response) => void response.writeHead(200).end('anything'),
      /an invalid time-stamp response/,
    ],
    [
      'announces 100 MB',
      (_, response) => void response.writeHead(200, { 'content-length': 104_857_600 }).write('x'),
      /more than 65536 bytes/,
    ],
    [
      'sends without an end',
      (_, response) => {
        const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
        response.once('close', () => clearInterval(timer));
      },
      /more than 65536 bytes/,
    ],
    ['fails', (_, response) => void response.writeHead(500).end(), /status 500/],
    [
      'redirects',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      /redirects are not followed/,
    ],
    ['hangs up', (_, response) => void response.destroy(), /could not be reached/],
  ])(
    'an authority that %s gives no time stamp, and the response gives the reason',
    async (_what, handle, reason) => {
      const { result, token } = await stampedBy(handle);
      expect(token).toBeUndefined();
      expect(result).toEqual(refusal(reason));
    },
  );

  test('a slow authority gives no time stamp, and the response gives the timeout', async () => {
    const { result } = await stampedBy(() => {}, { timeoutMs: 200 });
    expect(result).toEqual(refusal(/did not respond within 0.2 s/));
  });

  test('a time stamp with a wrong clock, policy or trust list is rejected', async () => {
    const handle = answering(authority);
    const late = () => new Date(Date.now() + 3_600_000);
    expect((await stampedBy(handle, { clock: late })).result.reason).toContain('apart');
    expect((await stampedBy(handle, { policy: '1.9.9.9' })).result.reason).toContain('policy');
    const other = makeAuthority();
    expect((await stampedBy(answering(other))).result.reason).toContain('TSA_TRUST');
    other.remove();
  });

  test('several slow authorities together stay within the total timeout', async () => {
    const silent: Handler = () => {};
    const urls = await serve(silent, silent, silent, silent);
    const { result } = await open(urls, { timeoutMs: 400, totalMs: 600 }).stamp(MESSAGE);
    expect(result.reason).toContain('No time was left');
    expect(servers.map(({ count }) => count())).toEqual([1, 1, 0, 0]);
  });

  test('without an authority there is no time stamp; without a trust list none is trusted', async () => {
    expect((await open([]).stamp(MESSAGE)).result.reason).toContain('TSA_URL is not set');
    expect((await stampedBy(answering(authority), { trust: [] })).result).toMatchObject({
      status: 'untrusted',
      reason: expect.stringContaining('not checked against a trust list'),
    });
  });

  test('a trust list is read from files, and an unreadable file is named', () => {
    expect(readTrustList([authority.rootPath])).toEqual([new Uint8Array(authority.root)]);
    const empty = join(import.meta.dirname, 'timestamps.ts');
    expect(() => readTrustList([empty])).toThrow('contains no PEM certificate');
    expect(() => readTrustList(['/nowhere.pem'])).toThrow('/nowhere.pem cannot be read');
    writeFileSync(
      `${authority.rootPath}.bad`,
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    );
    expect(() => readTrustList([`${authority.rootPath}.bad`])).toThrow('certificate 1');
  });

  describe('in a C2PA manifest', () => {
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#246' } });
    const certificate = developmentCertificate();
    async function sign(
      format: 'png' | 'jpeg' | 'webp' | 'tiff',
      timeStamps: Pick<TimeStamps, 'stamp' | 'trust'>,
    ) {
      const bytes = await picture.clone().toFormat(format).toBuffer();
      const manifests = openManifests(certificate, timeStamps);
      const about = { bytes, before: bytes, type: `image/${format}`, title: 'Sea' };
      return { manifests, ...(await manifests.sign!(about, control)) };
    }

    test.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
      'of a %s is read back, also by the C2PA library',
      async (format) => {
        const stamps = open(await serve(answering(authority)));
        const { manifests, bytes, timeStamp } = await sign(format, stamps);
        const reading = await manifests.read(bytes, control);
        expect(reading).toMatchObject({ state: 'valid', problems: [], timeStamp });
        expect(timeStamp).toMatchObject({ status: 'trusted', authority: 'Test TSA' });
        // The claim is signed just before it is stamped, possibly in the previous second.
        const stampedAfterMs = Date.parse(timeStamp.time!) - Date.parse(reading!.signer!.time!);
        expect(stampedAfterMs).toBeGreaterThanOrEqual(0);
        expect(stampedAfterMs).toBeLessThan(60_000);
      },
    );

    test('has the message imprint that c2pa-ts expects', async () => {
      // c2pa-ts reads a whole response in sigTst2, where C2PA 2.2 (10.3.2.5.4) and c2pa-rs store the token.
      const stampWith = (
        change: (message: Uint8Array) => Uint8Array,
      ): Pick<TimeStamps, 'stamp' | 'trust'> => ({
        trust: [],
        stamp: async (message) => {
          const hash = createHash('sha256').update(change(message)).digest();
          const token = authority.reply(timeStampRequest({ digest: hash, nonce: positiveInteger(hash) }));
          return { token, result: { time: null, authority: null, status: 'untrusted' } };
        },
      });
      expect(
        await c2paProblems(
          (
            await sign(
              'png',
              stampWith((message) => message),
            )
          ).bytes,
        ),
      ).toEqual([]);
      const wrong = await sign(
        'png',
        stampWith(() => Buffer.from('Another')),
      );
      expect(await c2paProblems(wrong.bytes)).toEqual(['timeStamp.mismatch']);
    });

    test('of another signature is invalid, and the manifest remains valid', async () => {
      const other = await open(await serve(answering(authority))).stamp(MESSAGE);
      const { manifests, bytes } = await sign('png', { trust: [authority.root], stamp: async () => other });
      expect(await manifests.read(bytes, control)).toMatchObject({
        timeStamp: { status: 'invalid', time: null, reason: 'The time stamp was made for another message.' },
      });
    });

    test('is omitted when it does not fit, and the response states this', async () => {
      const token = Buffer.alloc(16_000);
      const result = { time: null, authority: null, status: 'trusted' } as const;
      const signed = await sign('png', { trust: [], stamp: async () => ({ token, result }) });
      expect(signed.timeStamp).toMatchObject({
        status: 'none',
        reason: expect.stringContaining('larger than'),
      });
      expect(await signed.manifests.read(signed.bytes, control)).toMatchObject({
        state: 'valid',
        timeStamp: { status: 'none' },
      });
    });

    test('is found in a JPEG whose manifest spans several segments', async () => {
      const stamps = open(await serve(answering(authority)));
      const before = await sign('jpeg', stamps);
      let { bytes } = before;
      // Each manifest includes the previous ones, so signatures end up on both sides of the 64 kB segment
      // boundary.
      for (let round = 0; round < 5; round += 1) {
        const about = { bytes, before: bytes, type: 'image/jpeg', title: 'Sea'.repeat(round * 700 + 1) };
        ({ bytes } = await before.manifests.sign!(about, control));
        expect(await before.manifests.read(bytes, control)).toMatchObject({
          state: 'valid',
          timeStamp: { status: 'trusted' },
        });
      }
      expect(bytes.length).toBeGreaterThan(2 * 65_536);
    });
  });
});
