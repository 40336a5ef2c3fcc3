import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { postTo } from '../support/post_to.ts';
import { spawnProgram } from '../support/spawn_program.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** A server of an earlier version goes on beside one of this version, on tables that this one has changed: docs/operating/upgrade.md. */

const EARLIER = process.env.TEST_EARLIER_VERSION;
const WALLET = `0x${'a'.repeat(40)}`;
const AS_WALLET = { Authorization: `Bearer ${WALLET}` };

describe('with PostgreSQL', needs('PostgreSQL'), () => {
  describe('an earlier version and the current one', needs('an earlier version'), () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'atelier-versions-'));
    let schema: Schema;
    let earlier: ServiceProcess;
    let later: ServiceProcess;
    const settings = () => ({
      DATA_DIR: dataDir,
      DATABASE_URL: schema.url,
      PUBLIC_URL: 'http://127.0.0.1:8080',
    });
    const startEarlier = () => startService(settings(), EARLIER);
    const stop = async ({ process }: ServiceProcess) => {
      process.kill('SIGTERM');
      await once(process, 'exit');
    };
    beforeAll(async () => {
      schema = await newSchema(process.env.TEST_DATABASE_URL!);
      earlier = await startEarlier();
      later = await startService(settings());
      await postTo(earlier.url, '/api/wallet/register', { wallet: WALLET });
    });
    afterAll(async () => {
      for (const service of [earlier, later]) if (service) await stop(service);
      await schema?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    });

    const call = (by: ServiceProcess, tool: string, input: object, headers: Record<string, string> = {}) =>
      postTo(by.url, `/api/tools/${tool}`, { wallet: WALLET, ...input }, { ...AS_WALLET, ...headers });
    const get = async (from: ServiceProcess, path: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: answers of another process
      (await (await fetch(`${from.url}${path}`, { headers: AS_WALLET })).json()) as any;
    const ways = () =>
      [
        ['earlier', earlier, later],
        ['later', later, earlier],
      ] as const;

    test('a call answered by one version is replayed by the other and charged once', async () => {
      for (const [key, one, other] of ways()) {
        const save = { key, data: EXAMPLE_PNG_B64 };
        const paid = await call(one, 'save_asset', save, { 'Idempotency-Key': key });
        const again = await call(other, 'save_asset', save, { 'Idempotency-Key': key });
        expect(paid?.status).toBe(200);
        expect(again).toMatchObject({ status: 200, isReplay: true, text: paid!.text });
        expect((await call(other, 'get_asset', { key }))?.body.data).toBe(EXAMPLE_PNG_B64);
        const [here, there] = [await call(one, 'check_balance', {}), await call(other, 'check_balance', {})];
        expect(there?.body.balance).toBe(here?.body.balance);
      }
    });

    test('an asset saved by one version is replaced and deleted by the other', async () => {
      for (const [key, one, other] of ways()) {
        await call(one, 'save_asset', { key, data: EXAMPLE_PNG_B64 });
        const replaced = await call(other, 'save_asset', {
          key,
          data: 'b3RoZXI=',
          content_type: 'text/plain',
        });
        expect(replaced?.body).toMatchObject({ overwritten: true, content_type: 'text/plain' });
        expect((await call(other, 'delete_asset', { key }))?.status).toBe(200);
        expect((await call(one, 'get_asset', { key }))?.status).toBe(404);
      }
    });

    test('jobs accepted by either version are completed by either', async () => {
      const picture = { image: EXAMPLE_PNG_B64 };
      for (const [, one, other] of ways()) {
        const accepted = await Promise.all(
          Array.from({ length: 4 }, () => call(one, 'extract_palette', picture, { Prefer: 'respond-async' })),
        );
        for (const job of accepted)
          await vi.waitFor(
            async () => expect((await get(other, `/api/jobs/${job!.body.job_id}`)).state).toBe('succeeded'),
            { timeout: 240_000, interval: 250 },
          );
      }
    });

    test('posts to one version appear in both, and the earlier command line can hide them', async () => {
      for (const [name, one, other] of ways()) {
        const { body } = (await postTo(one.url, '/api/cafe/post', { name, message: `of the ${name} one` }))!;
        const shown = async () =>
          (await get(other, '/api/cafe/feed')).posts.map(({ id }: { id: string }) => id);
        expect(await shown()).toContain(body.post.id);
        const words = ['src/interfaces/cli/main.ts', 'admin', 'hide', body.post.id, 'a test'];
        expect(await once(spawnProgram(words, settings(), EARLIER), 'exit')).toEqual([0, null]);
        expect(await shown()).not.toContain(body.post.id);
      }
    });

    test('the earlier version restarts on the same data, and the ledger balances', async () => {
      await stop(earlier);
      earlier = await startEarlier();
      for (const [, one] of ways()) {
        expect((await get(one, '/health')).status).toBe('ok');
        expect((await get(one, '/api/ledger/invariants')).balanced).toBe(true);
      }
    });
  });
});
