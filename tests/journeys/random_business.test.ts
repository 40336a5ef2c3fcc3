import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '../../src/core/database/types.ts';
import type { Hold } from '../../src/features/wallets/types.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { Model } from '../ledger/model.ts';
import { forEachDatabase } from '../support/for_each_database.ts';

/** Half a minute of random business: thousands of operations in runs of up to sixty, on three wallets each. */
const RUNS = 60;
const EVENTS_PER_RUN_MAX = 60;

const wallet = fc.nat({ max: 2 });
/** Which of the calls so far; folded into their number. */
const call = fc.nat({ max: 99 });
const amount = fc.oneof(fc.integer({ min: 1, max: 12_000 }), fc.constantFrom(1000, 2000, 15_000));

const event = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('register' as const), wallet }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      wallet,
      amount,
      minutes: fc.nat({ max: 20 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('settle' as const), call }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), call }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat hold' as const), call }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle and release at once' as const), call }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.nat({ max: 10 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const) }) },
  // The process dies: calls under way are never heard of again, and the next one starts with what is in the tables.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Plays events on the real ledger and on the model, and compares after each. */
class Play {
  readonly #model = new Model();
  readonly #database: Database;
  readonly #run: number;
  readonly #calls: { hold: Hold; expiresAtMs: number }[] = [];
  #nowMs = Date.parse('2026-01-01T00:00:00Z');
  #wallets: ReturnType<typeof createWallets>;

  constructor(database: Database, run: number) {
    this.#database = database;
    this.#run = run;
    this.#wallets = this.#open();
  }

  #open() {
    return createWallets(this.#database, () => new Date(this.#nowMs));
  }

  async play(event: Event): Promise<void> {
    if ('call' in event) {
      const found = this.#calls[event.call % this.#calls.length];
      if (found) await this.#onCall(event.kind, found);
    } else if (event.kind === 'register') {
      const { alreadyRegistered } = await this.#wallets.register(this.#address(event.wallet));
      expect(alreadyRegistered).toBe(!this.#model.register(this.#address(event.wallet)));
    } else if (event.kind === 'hold') {
      const hold = {
        id: `${this.#run}.${this.#calls.length}`,
        wallet: this.#address(event.wallet),
        amount: event.amount,
        tool: `t${event.minutes % 3}`,
      };
      await this.#hold(hold, this.#nowMs + event.minutes * 60_000);
    } else if (event.kind === 'wait') {
      this.#nowMs += event.minutes * 60_000;
    } else if (event.kind === 'expire') {
      expect(await this.#wallets.expireHolds(new Date(this.#nowMs))).toBe(
        this.#model.expire(this.#nowMs, false),
      );
    } else {
      this.#wallets = this.#open();
      expect(await this.#wallets.expireHolds(new Date(this.#nowMs), true)).toBe(
        this.#model.expire(this.#nowMs, true),
      );
    }
    await this.compare();
  }

  async #onCall(
    kind: Event['kind'],
    { hold, expiresAtMs }: { hold: Hold; expiresAtMs: number },
  ): Promise<void> {
    if (kind === 'repeat hold') return this.#hold(hold, expiresAtMs);
    if (kind === 'settle and release at once') {
      const [settled] = await Promise.allSettled([this.#wallets.settle(hold), this.#wallets.release(hold)]);
      if (settled.status === 'fulfilled') expect(this.#model.settle(hold.id, this.#nowMs)).toBe('settled');
      else this.#model.release(hold.id);
    } else if (kind === 'settle') {
      const outcome = await this.#wallets.settle(hold).then(
        () => 'settled',
        () => 'refused',
      );
      expect(outcome).toBe(this.#model.settle(hold.id, this.#nowMs));
    } else {
      await this.#wallets.release(hold);
      this.#model.release(hold.id);
    }
  }

  async #hold(hold: Hold, expiresAtMs: number): Promise<void> {
    const outcome = await this.#wallets.hold({ ...hold, expiresAt: new Date(expiresAtMs) }).then(
      () => 'held',
      (error) => error.code,
    );
    expect(outcome).toBe(this.#model.hold(hold.id, hold.wallet, hold.amount, expiresAtMs));
    if (outcome === 'held' && !this.#calls.some((known) => known.hold.id === hold.id))
      this.#calls.push({ hold, expiresAtMs });
  }

  /** Every wallet has what the model says, never less than nothing, and so much as its history adds up to. */
  async compare(): Promise<void> {
    for (const [address, { balance, spent, creditBack }] of this.#model.wallets) {
      const found = (await this.#wallets.find(address))!;
      const held = this.#model.held(address);
      expect(found).toMatchObject({
        balance,
        held,
        available: balance - held,
        totals: { granted: 10_000, spent, creditBack },
      });
      expect(found.available).toBeGreaterThanOrEqual(0);
    }
  }

  async finish(): Promise<void> {
    await this.#wallets.expireHolds(new Date(this.#nowMs), true);
    for (const [address, { balance }] of this.#model.wallets) {
      const history = await this.#wallets.history(address, 1000);
      expect(history.reduce((sum, entry) => sum + entry.amount, 0)).toBe(balance);
      expect(history[0]?.balanceAfter).toBe(balance);
    }
    expect((await this.#wallets.audit()).problems).toEqual([]);
  }

  #address(number: number): string {
    return `0x${(this.#run * 3 + number).toString(16).padStart(40, '0')}`;
  }
}

forEachDatabase((_name, open) => {
  // fast-check prints the seed, and the shortest run of events that fails.
  test('random business events match a reference model after every event', async () => {
    const database = await open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 20, maxLength: EVENTS_PER_RUN_MAX, size: 'max' }),
        async (events) => {
          run += 1;
          const play = new Play(database, run);
          for (const event of events) await play.play(event);
          await play.finish();
        },
      ),
      { numRuns: RUNS },
    );
  });
});
