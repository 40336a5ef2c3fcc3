import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type CallKit, callTool } from '../src/call/call_tool.ts';
import type { Caller } from '../src/call/caller.ts';
import { createCatalogue } from '../src/catalogue/index.ts';
import { AtelierError } from '../src/errors.ts';
import { createAnswers } from '../src/services/answers/index.ts';
import type { Blobs } from '../src/services/blobs/index.ts';
import { createMemoryLimiter } from '../src/services/limiter/index.ts';
import type { Services } from '../src/services/services.ts';
import { createWallets } from '../src/services/wallets/index.ts';
import { credits } from '../src/tools/price.ts';
import { type AnyTool, type CallContext, defineTool } from '../src/tools/tool.ts';
import { forEachDatabase } from './support/for_each_database.ts';

/** The path of a call with a tool we control, on the real ledger. */

const WALLET = '0x00000000000000000000000000000000000000a1';
let runs = 0;
let work: (call: CallContext) => Promise<object> = async () => ({});

const paint = defineTool({
  name: 'paint',
  title: 'Paint',
  category: 'creative',
  summary: 'Paints a wall in a colour, for two credits.',
  price: credits(2),
  input: z.object({ color: z.enum(['red', 'blue']).default('red') }),
  output: z.object({ painted: z.string() }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  examples: [{}],
  limit: { name: 'walls', calls: 30, perSeconds: 3600 },
  run: async ({ color }, _services: object, call) => {
    runs += 1;
    await work(call);
    return { painted: color };
  },
});

const breach = { ...paint, name: 'breach', run: async () => ({ painted: 'red', secret: 1 }) };

forEachDatabase((name, open) =>
  describe(`a call, ${name}`, () => {
    let wallets: Services['wallets'];
    let answers: CallKit['answers'];
    let kit: CallKit;

    beforeAll(async () => {
      const database = await open();
      wallets = createWallets(database);
      answers = createAnswers(database, memoryBlobs());
    });
    beforeEach(() => {
      runs = 0;
      work = async () => ({});
      kit = kitOf({ wallets, answers });
    });

    const payer = async (): Promise<string> => {
      const wallet = `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;
      await wallets.register(wallet);
      return wallet;
    };
    const call = (wallet: string, raw: object = {}, more: Partial<Caller> = {}) =>
      callTool(kit, 'paint', raw, callerOf(wallet, more));

    test('charges its price, brings credit back and says so', async () => {
      const wallet = await payer();
      const { body } = await call(wallet);
      expect(body).toMatchObject({
        painted: 'red',
        cost: { credit: 2, usd: 0.2 },
        payment: { method: 'credits', credit_back: 0.1 },
      });
      expect(await wallets.find(wallet)).toMatchObject({ balance: 8100, held: 0 });
    });

    test('holds the credits while the tool runs', async () => {
      const wallet = await payer();
      let during: unknown;
      work = async () => {
        during = await wallets.find(wallet);
        return {};
      };
      await call(wallet);
      expect(during).toMatchObject({ balance: 10_000, held: 2000, available: 8000 });
    });

    test.each([
      ['throws', async () => Promise.reject(new Error('paint ran out')), 'Error'],
      ['refuses', async () => Promise.reject(new AtelierError('unsuitable_image')), 'unsuitable_image'],
    ])('a tool that %s costs nothing', async (_how, failing, expected) => {
      const wallet = await payer();
      work = failing;
      const error = await call(wallet).catch((failure) => failure);
      expect(error.code ?? error.name).toBe(expected);
      expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
    });

    test('a tool that breaks its own contract costs nothing', async () => {
      const wallet = await payer();
      await expect(callTool(kit, 'breach', {}, callerOf(wallet))).rejects.toThrow('broke its own contract');
      expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
    });

    test('a tool that never ends is stopped and costs nothing', async () => {
      const wallet = await payer();
      kit = { ...kit, deadlineMs: 30 };
      work = () => new Promise(() => {});
      await expect(call(wallet)).rejects.toMatchObject({ code: 'timed_out' });
      expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
    });

    test('a caller who hangs up pays nothing, and the tool is told', async () => {
      const wallet = await payer();
      const connection = new AbortController();
      let told = false;
      work = ({ signal }) => new Promise(() => signal.addEventListener('abort', () => (told = true)));
      const calling = call(wallet, {}, { signal: connection.signal });
      while (runs === 0) await sleep(1);
      connection.abort();
      await expect(calling).rejects.toMatchObject({ code: 'timed_out' });
      expect({ told, held: (await wallets.find(wallet))?.held }).toEqual({ told: true, held: 0 });
    });

    test('with credits for one call, of twenty at once exactly one runs', async () => {
      const wallet = await payer();
      for (let spent = 0; spent < 4; spent += 1) await call(wallet);
      runs = 0;
      const calls = await Promise.allSettled(Array.from({ length: 20 }, () => call(wallet)));
      expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(runs).toBe(1);
    });

    test('bad input with payment is told before money is touched', async () => {
      const wallet = await payer();
      await expect(call(wallet, { color: 'green' })).rejects.toMatchObject({ code: 'invalid_input' });
      expect(runs).toBe(0);
    });

    test('a repeat under the same key runs once, charges once, answers the same text', async () => {
      const wallet = await payer();
      const key = { idempotencyKey: crypto.randomUUID() };
      const [first, second] = [await call(wallet, {}, key), await call(wallet, {}, key)];
      expect(second.text).toBe(first.text);
      expect({ runs, balance: (await wallets.find(wallet))?.balance }).toEqual({ runs: 1, balance: 8100 });
    });

    test('a key whose call failed may be used again', async () => {
      const wallet = await payer();
      const key = { idempotencyKey: crypto.randomUUID() };
      work = async () => Promise.reject(new AtelierError('busy'));
      await call(wallet, {}, key).catch(() => {});
      work = async () => ({});
      expect((await call(wallet, {}, key)).body).toMatchObject({ painted: 'red' });
    });

    test('another caller’s key is another key', async () => {
      const [one, two] = [await payer(), await payer()];
      const key = { idempotencyKey: 'same' };
      await Promise.all([call(one, {}, key), call(two, {}, key)]);
      expect(runs).toBe(2);
    });

    test('failed calls do not count against the tool’s own limit', async () => {
      const wallet = await payer();
      work = async () => Promise.reject(new AtelierError('busy'));
      for (let failed = 0; failed < 40; failed += 1) await call(wallet).catch(() => {});
      work = async () => ({});
      expect((await call(wallet)).headers.RateLimit).toMatch(/^"walls";r=29;/);
    });

    test('a request id chosen twice is not a free call', async () => {
      const wallet = await payer();
      await call(wallet, {}, { requestId: 'mine' });
      await call(wallet, {}, { requestId: 'mine' });
      expect((await wallets.find(wallet))?.balance).toBe(6200);
    });

    test('without payment nothing runs, with an unknown wallet nothing either', async () => {
      const nobody = callTool(kit, 'paint', {}, callerOf(undefined));
      await expect(nobody).rejects.toMatchObject({ code: 'payment_required' });
      await expect(call(WALLET)).rejects.toMatchObject({ code: 'wallet_not_registered' });
      expect(runs).toBe(0);
    });
  }),
);

const callerOf = (bearer: string | undefined, more: Partial<Caller> = {}): Caller => ({
  requestId: 'req_test',
  address: '127.0.0.1',
  bearer,
  signal: new AbortController().signal,
  ...more,
});

function kitOf({ wallets, answers }: { wallets: Services['wallets']; answers: CallKit['answers'] }): CallKit {
  const catalogue = createCatalogue([paint, breach] as unknown as AnyTool[]);
  return {
    services: {
      wallets,
      ownership: NOTHING_LOCKED,
      catalogue,
      site: { publicUrl: 'http://atelier.test' },
    } as unknown as Services,
    answers,
    limiter: createMemoryLimiter(),
    rates: { 'free-tools': 1e6, 'paid-tools': 1e6, mcp: 1e6 },
    jobDeadlineMs: 60_000,
    deadlineMs: 10_000,
  };
}

const NOTHING_LOCKED = { lockedAt: async () => undefined };

function memoryBlobs(): Blobs {
  const kept = new Map<string, Uint8Array>();
  return {
    put: async (bytes) => {
      const name = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
      kept.set(name, bytes);
      return name;
    },
    get: async (name) => kept.get(name)!,
    sweep: async () => 0,
  };
}
