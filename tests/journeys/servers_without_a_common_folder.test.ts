import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePicture } from '../support/fake_museums.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { postTo } from '../support/post_to.ts';
import { forEachS3Server } from '../support/s3_servers.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** Two servers share a database and a bucket, and no folder: what one keeps, the other reads. */

const WALLET = `0x${'b'.repeat(40)}`;
const AS_WALLET = { Authorization: `Bearer ${WALLET}` };
const KEYS = {
  PUBLIC_URL: 'https://atelier.test',
  SIGNING_SECRET: 'a secret of both servers, long enough to be one',
  RECEIPT_KEY: 'MC4CAQAwBQYDK2VwBCIEII/iToaZ4WcKoOUpaXAz1YmhuJmijquyRs8UdIdWAR4Z',
};

describe('servers without a shared folder', needs('PostgreSQL'), () => {
  forEachS3Server((_name, settings) => {
    const folders: string[] = [];
    const running: ServiceProcess[] = [];
    let schema: Schema;
    const start = async (more: Record<string, string> = KEYS) => {
      const DATA_DIR = mkdtempSync(join(tmpdir(), 'atelier-bucket-'));
      folders.push(DATA_DIR);
      const service = await startService({ DATA_DIR, DATABASE_URL: schema.url, ...settings(), ...more });
      running.push(service);
      return service.url;
    };
    let first: string;
    let second: string;
    beforeAll(async () => {
      schema = await newSchema(process.env.TEST_DATABASE_URL!);
      [first, second] = [await start(), await start()];
      await postTo(first, '/api/wallet/register', { wallet: WALLET });
    });
    afterAll(async () => {
      await Promise.all(
        running.map(({ process }) => {
          process.kill('SIGTERM');
          return once(process, 'exit');
        }),
      );
      await schema.drop();
      for (const folder of folders) rmSync(folder, { recursive: true });
    });

    test('an asset saved on one server is read from the other byte for byte', async () => {
      const data = Buffer.from('Grüße').toString('base64');
      await postTo(first, '/api/tools/save_asset', { wallet: WALLET, key: 'k', data }, AS_WALLET);
      const { body } = (await postTo(
        second,
        '/api/tools/get_asset',
        { wallet: WALLET, key: 'k' },
        AS_WALLET,
      ))!;
      expect(body).toMatchObject({ data });
    });

    test('a result made on one server is served by the other, whole and by range', async () => {
      const picture = await makePicture(400, 300);
      const sent = await fetch(`${first}/api/uploads`, { method: 'POST', body: picture });
      const { uri } = (await sent.json()) as { uri: string };
      const made = await postTo(
        second,
        '/api/tools/resize_image',
        { image: uri, width: 40, height: 30 },
        AS_WALLET,
      );
      const link = String(made!.body.result_url).replace(KEYS.PUBLIC_URL, first);
      const whole = Buffer.from(await (await fetch(link)).arrayBuffer());
      expect(whole.toString('base64')).toBe(made!.body.image_b64);
      const part = await fetch(link, { headers: { Range: 'bytes=10-19' } });
      expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, whole.subarray(10, 20)]);
    });

    test('a paid call repeated on the other server is replayed without a charge', async () => {
      const call = (url: string) =>
        postTo(
          url,
          '/api/tools/save_asset',
          { wallet: WALLET, key: 'once', data: 'AAAA' },
          { ...AS_WALLET, 'Idempotency-Key': 'once' },
        );
      const [one, two] = [await call(first), await call(second)];
      expect([one!.isReplay, two!.isReplay, two!.body.sha256]).toEqual([false, true, one!.body.sha256]);
    });

    test('no files are stored in local folders, and both servers are healthy', async () => {
      for (const url of [first, second])
        expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
          status: 'ok',
          checks: { storage: 'ok' },
        });
      for (const folder of folders)
        expect(readdirSync(folder).filter((name) => /blobs|results|uploads|storage_id/.test(name))).toEqual(
          [],
        );
    });

    test('a server with different keys, or without the bucket, does not start', async () => {
      await expect(start({ PUBLIC_URL: KEYS.PUBLIC_URL })).rejects.toThrow('did not start');
      await expect(start({ ...KEYS, STORAGE_URL: '' })).rejects.toThrow('did not start');
      await expect(start({ ...KEYS, STORAGE_SECRET_KEY: 'wrong' })).rejects.toThrow('did not start');
    });
  });
});
