import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../../../../../tests/support/open_embedded_database.ts';
import { forEachS3Server, type StorageSettings } from '../../../../../tests/support/s3_servers.ts';
import { readConfig, type SettingTexts } from '../../../../config/config.ts';
import { openStore } from '../objects.ts';
import type { DirectBlob, DirectTerms } from '../types.ts';
import { createS3Client } from './s3_client.ts';

const TERMS: DirectTerms = {
  contentType: 'image/svg+xml',
  contentDisposition: 'attachment; filename="a drawing.svg"',
  cacheControl: 'private, max-age=60',
};
const database = await openEmbeddedDatabase();
afterAll(() => database.close());
const openDirect = (settings: SettingTexts) =>
  openStore(readConfig({ DATA_DIR: 'unused', STORAGE_LINKS: 'store', ...settings }), database);

/** A CDN that fetches its objects from the bucket. */
async function startCdn(bucketUrl: string) {
  const cdn = createServer((asked, answer) => {
    asked.resume();
    const options = { headers: { ...asked.headers, host: new URL(bucketUrl).host } };
    request(bucketUrl + asked.url, options, (from) => {
      answer.writeHead(from.statusCode!, from.headers);
      from.pipe(answer);
    }).end();
  });
  cdn.listen(0, '127.0.0.1');
  await once(cdn, 'listening');
  return { url: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`, close: () => cdn.close() };
}

forEachS3Server((name, settings) => {
  const kept = async (more: Partial<StorageSettings & { STORAGE_PUBLIC_URL: string }> = {}) => {
    const objects = (await openDirect({ ...settings(), ...more })).objectsOf('things');
    const name = `2c/${randomUUID()}`;
    await objects.write(name, Buffer.from('<svg>0123</svg>'));
    return (await objects.open(name)) as DirectBlob;
  };

  test('the presigned URL returns the bytes with the requested headers, whole and in ranges', async () => {
    const address = await (await kept()).addressFor(TERMS);
    const whole = await fetch(address);
    expect(await whole.text()).toBe('<svg>0123</svg>');
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': TERMS.contentType,
      'content-disposition': TERMS.contentDisposition,
      'cache-control': TERMS.cacheControl,
    });
    const part = await fetch(address, { headers: { Range: 'bytes=5-8' } });
    expect([part.status, await part.text()]).toEqual([206, '0123']);
  });

  test.each([
    ['for another object', (address: URL) => address.href.replace(/2c\/./, '2c/g')],
    ['with another content type', (address: URL) => address.href.replace('svg', 'html')],
    ['with a longer lifetime', (address: URL) => address.href.replace(/(X-Amz-Expires=)\d+/, '$186400')],
  ])('a modified presigned URL is refused: %s', async (_what, changed) => {
    const address = await (await kept()).addressFor(TERMS);
    expect((await fetch(changed(new URL(address)))).status).toBeGreaterThanOrEqual(400);
  });

  test('a publicly readable bucket is refused, and a private one is accepted', async () => {
    const probed = openDirect(settings()).then(({ remote }) => remote!.probe());
    // s3rver allows public reads.
    if (name === 's3rver')
      await expect(probed).rejects.toThrow(/is publicly readable: .*STORAGE_LINKS=server/);
    else await expect(probed).resolves.toBeDefined();
  });

  test('the presigned URL expires after five minutes', async () => {
    const { STORAGE_URL, STORAGE_KEY_ID, STORAGE_SECRET_KEY } = settings();
    const [bucketUrl, key] = STORAGE_URL.split(/(?<=[^/]\/atelier)\//);
    const place = { region: 'us-east-1', keyId: STORAGE_KEY_ID, secretKey: STORAGE_SECRET_KEY };
    const before = createS3Client({ bucketUrl: bucketUrl!, ...place }, { now: () => Date.now() - 301_000 });
    await kept();
    expect((await fetch(await before.addressOf(`${key}/2c/a`, TERMS))).status).toBe(403);
  });

  test('the presigned URL works through a CDN in front of the bucket', async () => {
    const cdn = await startCdn(settings().STORAGE_URL.match(/.*\/atelier/)![0]);
    try {
      const address = await (await kept({ STORAGE_PUBLIC_URL: `${cdn.url}/` })).addressFor(TERMS);
      expect(address.startsWith(`${cdn.url}/`)).toBe(true);
      expect(await (await fetch(address)).text()).toBe('<svg>0123</svg>');
    } finally {
      cdn.close();
    }
  });
});

test.each([
  [{ STORAGE_LINKS: 'store' }, /STORAGE_LINKS=store requires STORAGE_URL/],
  [{ STORAGE_LINKS: 'server', STORAGE_PUBLIC_URL: 'https://cdn.test' }, /requires STORAGE_LINKS=store/],
])('incomplete or contradictory settings are refused: %j', async (settings, problem) => {
  await expect(openDirect(settings)).rejects.toThrow(problem);
});
