import { createHash, generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCatalogue } from '../src/catalog/create_catalogue.ts';
import { AtelierError } from '../src/core/errors/atelier_error.ts';
import { createIdempotencyStore } from '../src/core/idempotency/answers.ts';
import type { JobLimits, JobWork } from '../src/core/queue/types.ts';
import { createPayments } from '../src/features/billing/payments.ts';
import { createReceipts } from '../src/features/billing/receipts/receipts.ts';
import type { Receipts } from '../src/features/billing/receipts/types.ts';
import { createSimulated } from '../src/features/billing/simulated/simulated.ts';
import type { Payments } from '../src/features/billing/types.ts';
import { credits } from '../src/features/definitions/price.ts';
import { type AnyTool, type CallContext, defineTool } from '../src/features/definitions/tool.ts';
import { LIST_PRICES } from '../src/features/operator/prices/prices.ts';
import type { Services } from '../src/features/services.ts';
import { createWallets } from '../src/features/wallets/wallets.ts';
import { runJob } from '../src/pipeline/jobs.ts';
import { callTool } from '../src/pipeline/pipeline.ts';
import type { Client, PipelineContext } from '../src/pipeline/types.ts';
import { forEachDatabase, type Open } from './support/for_each_database.ts';
import { closeJobServices, ended, jobService } from './support/job_service.ts';
import { memoryTexts } from './support/memory_texts.ts';
import { plainContext } from './support/plain_context.ts';

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
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}],
  limit: { name: 'walls', calls: 30, perSeconds: 3600 },
  run: async ({ color }, _services: object, call) => {
    runs += 1;
    await work(call);
    return { painted: color };
  },
});

/** Changes something that stays when its caller has gone. */
const hang = { ...paint, name: 'hang', effects: { ...paint.effects, readOnly: false } };

const breach = { ...paint, name: 'breach', run: async () => ({ painted: 'red', secret: 1 }) };

forEachDatabase((name, open) =>
  describe(`a call, ${name}`, () => {
    let database: Awaited<ReturnType<Open>>;
    let wallets: Services['wallets'];
    let answers: PipelineContext['answers'];
    let payments: Payments;
    let receipts: Receipts;
    let context: PipelineContext;

    beforeAll(async () => {
      database = await open();
      wallets = createWallets(database);
      answers = createIdempotencyStore(database, memoryTexts());
      const publicUrl = 'http://atelier.test';
      const { privateKey: key } = generateKeyPairSync('ed25519');
      receipts = await createReceipts({ database, key, publicUrl });
      const processor = createSimulated({ database, publicUrl });
      const logger = { info: () => {}, warn: () => {} };
      payments = createPayments({ database, processor, publicUrl, logger });
    });
    beforeEach(() => {
      runs = 0;
      work = async () => ({});
      context = contextOf({ wallets, answers, receipts, payments });
    });

    const payer = async (): Promise<string> => {
      const wallet = `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;
      await wallets.register(wallet);
      return wallet;
    };
    const call = (wallet: string, raw: object = {}, more: Partial<Client> = {}) =>
      callTool(context, 'paint', raw, callerOf(wallet, more));

    test('charges its price and reports the credit-back', async () => {
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
      await expect(callTool(context, 'breach', {}, callerOf(wallet))).rejects.toThrow(
        'broke its own contract',
      );
      expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
    });

    test('a tool that never ends is stopped and costs nothing', async () => {
      const wallet = await payer();
      context = { ...context, deadlineMs: 30 };
      work = () => new Promise(() => {});
      await expect(call(wallet)).rejects.toMatchObject({ code: 'timed_out' });
      expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
    });

    test('a disconnected client is not charged, and the tool is cancelled', async () => {
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

    test('a client that disconnects after a change is charged', async () => {
      const wallet = await payer();
      const connection = new AbortController();
      work = async () => {
        connection.abort();
        await sleep(10);
        return {};
      };
      await callTool(context, 'hang', {}, callerOf(wallet, { signal: connection.signal }));
      expect(await wallets.find(wallet)).toMatchObject({ held: 0, totals: { spent: 2000 } });
    });

    test('with credits for one call, exactly one of 20 simultaneous calls runs', async () => {
      const wallet = await payer();
      for (let spent = 0; spent < 4; spent += 1) await call(wallet);
      runs = 0;
      const calls = await Promise.allSettled(Array.from({ length: 20 }, () => call(wallet)));
      expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(runs).toBe(1);
    });

    test('of 200 simultaneous calls, as many succeed as the wallet can pay for', async () => {
      const wallet = await payer();
      context = { ...context, rates: { ...context.rates, walls: 1e6 } };
      const calls = await Promise.allSettled(Array.from({ length: 200 }, () => call(wallet)));
      const refused = calls.filter((outcome) => outcome.status === 'rejected');
      expect([runs, refused.length]).toEqual([5, 195]);
      expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['insufficient_credits']));
      expect(await wallets.find(wallet)).toMatchObject({ balance: 500, held: 0 });
    });

    test('invalid input with a payment is rejected before anything is charged', async () => {
      const wallet = await payer();
      await expect(call(wallet, { color: 'green' })).rejects.toMatchObject({ code: 'invalid_input' });
      expect(runs).toBe(0);
    });

    test('a tool may waive its price: the call succeeds, costs nothing, and its repeat is the same', async () => {
      const wallet = await payer();
      const key = { idempotencyKey: crypto.randomUUID() };
      work = async ({ waive }) => {
        waive('Painted before.');
        return {};
      };
      const [first, second] = [await call(wallet, {}, key), await call(wallet, {}, key)];
      expect(first.body).toMatchObject({
        painted: 'red',
        cost: { credit: 0, usd: 0, note: 'Painted before.' },
      });
      expect(first.body).not.toHaveProperty('payment');
      expect({ runs, same: second.text === first.text }).toEqual({ runs: 1, same: true });
      expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
    });

    test('a call that finds less than quoted is free and says so', async () => {
      const wallet = await payer();
      work = async ({ charge }) => {
        charge({ credits: 1, why: 'Half a wall.' });
        return {};
      };
      const { body } = await call(wallet, {});
      expect(body.cost).toEqual({
        credit: 0,
        usd: 0,
        note: expect.stringMatching(/^Half a wall\. .*less was taken/),
      });
      expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
    });

    test('a repeat with the same key runs once, charges once and returns the same text', async () => {
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

    test('keys of different clients are independent', async () => {
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

    describe('paid by a card', () => {
      const paidIntent = async (tool = 'paint'): Promise<string> => {
        const { intent } = await payments.createIntent({ tool, price: 2000, quantity: 1 });
        await payments.desk!.pay(intent.id, '4242424242424242');
        return intent.id;
      };
      const byCard = (intent: string, tool = 'paint', more: Partial<Client> = {}) =>
        callTool(context, tool, {}, callerOf(undefined, { paymentIntent: intent, ...more }));

      test('runs, and reports the card charge and the remaining calls', async () => {
        const { body } = await byCard(await paidIntent());
        expect(body).toMatchObject({
          cost: { credit: 2, usd: 0.2, note: 'Paid by card. No credits were charged.' },
          payment: { method: 'card', charged_usd: 0.5, calls_left: 1, livemode: false },
        });
      });

      test('for another tool it does not run, and the 402 names every way to pay', async () => {
        const refused = await byCard(await paidIntent('breach')).catch((error) => error);
        expect(refused).toMatchObject({ code: 'payment_intent_tool_mismatch', status: 402 });
        expect(refused.details.members).toMatchObject({
          tool: 'paint',
          payment_options: [{ type: 'credits' }, { type: 'card_per_call' }],
        });
        expect(runs).toBe(0);
      });

      test.each([
        ['throws', async () => Promise.reject(new Error('paint ran out')), {}],
        ['refuses', async () => Promise.reject(new AtelierError('unsuitable_image')), {}],
        ['never ends', () => new Promise<object>(() => {}), {}],
      ])('a tool that %s leaves the intent as it was, also after its capture', async (_how, failing) => {
        const intent = await paidIntent();
        const fails = async () => {
          work = failing;
          context = { ...context, deadlineMs: 300 };
          await expect(byCard(intent)).rejects.toThrow();
          work = async () => ({});
          context = { ...context, deadlineMs: 10_000 };
        };
        await fails();
        expect((await payments.findIntent(intent))?.state).toBe('open');
        await byCard(intent);
        await fails();
        expect((await byCard(intent)).body.payment).toMatchObject({ calls_left: 0 });
        await expect(byCard(intent)).rejects.toMatchObject({ code: 'payment_intent_used' });
      });

      test('a tool that breaks its own contract charges no card', async () => {
        const intent = await paidIntent('breach');
        await expect(byCard(intent, 'breach')).rejects.toThrow('broke its own contract');
        expect((await payments.desk!.find(intent))?.status).toBe('requires_capture');
      });

      test('a disconnected client is not charged by card', async () => {
        const connection = new AbortController();
        const intent = await paidIntent();
        work = () => new Promise(() => {});
        const calling = byCard(intent, 'paint', { signal: connection.signal });
        while (runs === 0) await sleep(1);
        connection.abort();
        await expect(calling).rejects.toMatchObject({ code: 'timed_out' });
        expect((await payments.findIntent(intent))?.state).toBe('open');
      });

      test('the card is charged before the response is sent', async () => {
        const intent = await paidIntent();
        let during: unknown;
        work = async () => {
          during = (await payments.desk!.find(intent))?.status;
          return {};
        };
        await byCard(intent);
        expect([during, (await payments.desk!.find(intent))?.status]).toEqual([
          'requires_capture',
          'succeeded',
        ]);
      });

      test('a dry run needs no paid intent and touches none', async () => {
        const { body } = await callTool(
          context,
          'paint',
          { dry_run: true },
          callerOf(undefined, { paymentIntent: 'pi_1' }),
        );
        expect(body).toMatchObject({ dry_run: true });
        expect(runs).toBe(0);
      });
    });

    describe('as a job', () => {
      const workOf = async (more: Partial<JobWork> = {}): Promise<JobWork & { wallet: string }> => {
        const wallet = await payer();
        const id = `job_${crypto.randomUUID().replaceAll('-', '')}`;
        const expiresAt = new Date(Date.now() + 60_000);
        await wallets.hold({ id, wallet, amount: 2000, tool: 'hang', expiresAt });
        return {
          id,
          wallet,
          tool: 'hang',
          held: 2000,
          input: {},
          pictures: {},
          warnings: [],
          answer: undefined,
          caller: { countedAs: wallet, wallet, address: '127.0.0.1', requestId: 'req_test' },
          signal: new AbortController().signal,
          mayRequeue: false,
          isWaived: false,
          onProgress: () => {},
          keep: async () => {},
          ...more,
        };
      };

      test('keeps the characters its receipt is of, and the receipt with the charge', async () => {
        let kept = '';
        const job = await workOf({
          keep: async (answer) => {
            kept = answer;
          },
        });
        await runJob(context, job);
        const { payment } = JSON.parse(kept);
        const claims = JSON.parse(Buffer.from(payment.receipt.split('.')[1], 'base64url').toString());
        const unsigned = createHash('sha256').update(kept.replace(payment.receipt, ''));
        expect(claims.answer_sha256).toBe(unsigned.digest('hex'));
        expect(await receipts.find(job.wallet, payment.receipt_id)).toMatchObject({ jws: payment.receipt });
        expect(await wallets.find(job.wallet)).toMatchObject({ held: 0, totals: { spent: 2000 } });
      });

      test('a job whose server crashed after storing the response is settled with its receipt', async () => {
        let answer = '';
        const job = await workOf({
          keep: async (kept) => {
            answer = kept;
            throw new Error('killed');
          },
        });
        await expect(runJob(context, job)).rejects.toThrow('killed');
        await runJob(context, { ...job, answer });
        const { receipt_id, receipt } = JSON.parse(answer).payment;
        expect(runs).toBe(1);
        expect(await receipts.find(job.wallet, receipt_id)).toMatchObject({ jws: receipt });
        expect(
          (await wallets.statement(job.wallet, { limit: 9 })).find(({ id }) => id === `post:${job.id}`),
        ).toMatchObject({ receiptId: receipt_id });
      });

      test('a waived job releases its hold, also after a server crash', async () => {
        let answer = '';
        const job = await workOf({
          keep: async (kept, terms) => {
            answer = kept;
            expect(terms).toEqual({ taken: 0 });
            throw new Error('killed');
          },
        });
        work = async ({ waive }) => {
          waive('Painted before.');
          return {};
        };
        await expect(runJob(context, job)).rejects.toThrow('killed');
        await runJob(context, { ...job, answer });
        expect(JSON.parse(answer).cost).toMatchObject({ credit: 0 });
        expect(await wallets.find(job.wallet)).toMatchObject({ balance: 10_000, held: 0 });
      });

      test('a cancelled job with side effects ends without a charge', async () => {
        const canceling = new AbortController();
        const job = await workOf({ signal: canceling.signal });
        work = () => new Promise(() => {});
        const running = runJob(context, job);
        while (runs === 0) await sleep(1);
        canceling.abort();
        await expect(running).rejects.toThrow();
        expect(await wallets.find(job.wallet)).toMatchObject({ held: 2000, totals: { spent: 0 } });
      });

      test('a job retried by an operator is free and gives the reason', async () => {
        let kept = '';
        const wallet = await payer();
        const keep = async (answer: string) => {
          kept = answer;
        };
        const { caller, ...more } = await workOf({ held: undefined, isWaived: true, keep });
        await runJob(context, { ...more, caller: { ...caller, countedAs: wallet, wallet } });
        expect(JSON.parse(kept)).toMatchObject({
          cost: { credit: 0, note: 'The job failed on the server before, and the operator retried it.' },
        });
        expect(JSON.parse(kept)).not.toHaveProperty('payment');
        expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0, totals: { spent: 0 } });
      });

      test('counts for the estimates of dry runs', async () => {
        await runJob(context, await workOf());
        expect(context.durations.estimate({ tool: 'hang', credit: 2 })).toMatchObject({ runs: 1 });
      });

      test('that is refused when its turn comes leaves a line in the log', async () => {
        const lines: object[] = [];
        const services = { ...context.services, ownership: LOCKED as unknown as Services['ownership'] };
        const audit = { recordRefusal: (line: object) => void lines.push(line) };
        await expect(runJob({ ...context, services, audit }, await workOf())).rejects.toThrow('locked');
        expect(lines).toMatchObject([{ code: 'wallet_locked', about: 'hang', requestId: 'req_test' }]);
      });
    });

    describe('that is long', () => {
      /** Refuses the first run as the callback does; the second, that of the job, succeeds. */
      const firstly = (first: (call: CallContext) => Promise<object>) => {
        work = (call) => (runs === 1 ? first(call) : Promise.resolve({}));
      };
      const never = () => new Promise<object>(() => {});
      const tooLong = () =>
        Promise.reject(
          new AtelierError('image_too_large', 'It needs 90 s.', {
            members: { as_job: true, estimated_seconds: 90 },
          }),
        );
      const takingJobs = async (limits: Partial<JobLimits> = {}) => {
        const { jobs } = await jobService(database, {
          limits,
          release: async (tx, id) => void (await wallets.release({ id }, tx)),
          run: (job) => runJob(context, job),
        });
        const site = { publicUrl: 'http://atelier.test' };
        context = {
          ...context,
          deadlineMs: 300,
          services: { ...context.services, jobs, site, pixels: {} } as unknown as Services,
        };
        return jobs;
      };
      afterEach(closeJobServices);

      test('becomes a job at its deadline, which is charged once', async () => {
        const wallet = await payer();
        const jobs = await takingJobs();
        firstly(never);
        const { status, body, headers } = await call(wallet, {}, { longCalls: 'at_deadline' });
        const { state } = await ended(jobs, String(body.job_id));

        expect({ status, location: headers.Location }).toEqual({
          status: 202,
          location: `/api/jobs/${body.job_id}`,
        });
        expect(state).toBe('succeeded');
        expect(await wallets.find(wallet)).toMatchObject({ held: 0, totals: { spent: 2000 } });
      });

      test('is the same job when it is sent again with its key', async () => {
        const wallet = await payer();
        const jobs = await takingJobs();
        firstly(never);
        const terms = { longCalls: 'at_deadline' as const, idempotencyKey: 'once' };
        const first = await call(wallet, {}, terms);
        const again = await call(wallet, {}, terms);
        await ended(jobs, String(first.body.job_id));

        expect(again).toMatchObject({ status: 202, body: { job_id: first.body.job_id } });
        expect(await wallets.find(wallet)).toMatchObject({ totals: { spent: 2000 } });
      });

      test('fails as before if no more jobs are accepted', async () => {
        const wallet = await payer();
        await takingJobs({ perCaller: 0 });
        firstly(never);
        const calling = call(wallet, {}, { longCalls: 'at_deadline' });

        await expect(calling).rejects.toMatchObject({ code: 'timed_out' });
        expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
      });

      test('becomes a job before it runs if earlier calls took long', async () => {
        const wallet = await payer();
        const jobs = await takingJobs();
        context.durations.record({ tool: 'paint', credit: 2, ms: 30_000 });
        const { status, body } = await call(wallet, {}, { longCalls: 'when_expected' });
        await ended(jobs, String(body.job_id));

        expect({ status, estimate: body.estimate, runs }).toEqual({
          status: 202,
          estimate: { seconds_left: 30, late: false },
          runs: 1,
        });
      });

      test('becomes a job if it is too long for a synchronous call and the client accepts jobs', async () => {
        const [one, other] = [await payer(), await payer()];
        const jobs = await takingJobs();
        firstly(tooLong);
        const { status, body } = await call(one, {}, { longCalls: 'when_expected' });
        await ended(jobs, String(body.job_id));
        runs = 0;

        expect({ status, estimate: body.estimate }).toEqual({
          status: 202,
          estimate: { seconds_left: 90, late: false },
        });
        await expect(call(other, {}, { longCalls: 'at_deadline' })).rejects.toThrow('90 s');
      });

      test('does not become a job if its client has disconnected', async () => {
        const wallet = await payer();
        await takingJobs();
        const connection = new AbortController();
        firstly(never);
        const calling = call(wallet, {}, { longCalls: 'at_deadline', signal: connection.signal });
        while (runs === 0) await sleep(1);
        connection.abort();

        await expect(calling).rejects.toMatchObject({ code: 'timed_out' });
        expect(await wallets.find(wallet)).toMatchObject({ balance: 10_000, held: 0 });
      });
    });

    test('without payment nothing runs, with an unknown wallet nothing either', async () => {
      const anonymous = callTool(context, 'paint', {}, callerOf(undefined));
      await expect(anonymous).rejects.toMatchObject({ code: 'payment_required' });
      await expect(call(WALLET)).rejects.toMatchObject({ code: 'wallet_not_registered' });
      expect(runs).toBe(0);
    });
  }),
);

const callerOf = (bearer: string | undefined, more: Partial<Client> = {}): Client => ({
  requestId: 'req_test',
  address: '127.0.0.1',
  bearer,
  signal: new AbortController().signal,
  ...more,
});

function contextOf({
  wallets,
  answers,
  receipts,
  payments,
}: Pick<Services, 'wallets' | 'receipts' | 'payments'> & Pick<PipelineContext, 'answers'>): PipelineContext {
  const catalogue = createCatalogue([paint, hang, breach] as unknown as AnyTool[]);
  return {
    ...plainContext(),
    services: {
      wallets,
      ownership: NOTHING_LOCKED,
      receipts,
      payments,
      prices: LIST_PRICES,
      catalogue,
      site: { publicUrl: 'http://atelier.test' },
      webhooks: { tell: async () => {} },
      workspaces: { actOfJob: async () => undefined },
    } as unknown as Services,
    answers,
  };
}

const NOTHING_LOCKED = { lockedAt: async () => undefined };
const LOCKED = { lockedAt: async () => new Date() };
