import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import {
  EXPIRED,
  MINUTES,
  openX402,
  PURCHASE,
  UNKNOWN,
  USED_UP,
} from '../../../../tests/support/open_x402.ts';
import { NETWORK } from '../../../../tests/support/x402_payer.ts';
import { upsertAsset } from '../../assets/store.ts';
import { blobsInUse } from '../../operator/backups/blobs_in_use.ts';

/** Payments over time: crashed calls, and facilitators that never respond. With a test clock. */

forEachDatabase((_name, open) => {
  test('a settled payment is recorded once in the ledger, and the ledger balances', async () => {
    const { x402, wallets, payment, payer, income } = await openX402(open);
    await wallets.register(payer.wallet);
    const taken = await x402.take(await payment(), PURCHASE);
    expect(await income()).toBe(0);
    await x402.settle(taken, undefined);
    await expect(x402.settle(taken, undefined)).rejects.toThrow('no longer');
    expect(await income()).toBe(2000);
    expect((await wallets.find(payer.wallet))?.totals).toMatchObject({ spent: 0, creditBack: 100 });
    expect(await wallets.audit()).toMatchObject({ balanced: true, outstanding: 10_100 });
    expect(await x402.receipt(taken.transferId)).toEqual({
      version: 2,
      settlement: { success: true, transaction: '0xdone', network: NETWORK, payer: payer.wallet },
    });
  });

  test('of forty concurrent calls, one claims a payment', async () => {
    const { x402, payment } = await openX402(open);
    const one = await payment();
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => x402.take(one, PURCHASE)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : []));
    expect(new Set(codes)).toEqual(new Set(['payment_in_use']));
  });

  test('a call that lost its claim cannot settle the payment', async () => {
    const { x402, payment, pass, asked } = await openX402(open);
    const one = await payment();
    const dead = await x402.take(one, PURCHASE);
    pass(16 * MINUTES);
    const heir = await x402.take(one, PURCHASE);
    await expect(x402.settle(dead, undefined)).rejects.toThrow('no longer');
    await x402.release(dead);
    await x402.settle(heir, undefined);
    expect(asked).toHaveLength(1);
  });

  test('after a restart, payments claimed by crashed calls are free at once', async () => {
    const { x402, payment } = await openX402(open);
    const one = await payment();
    await x402.take(one, PURCHASE);
    await expect(x402.take(one, PURCHASE)).rejects.toMatchObject({ code: 'payment_in_use' });
    await x402.recover();
    expect(await x402.take(one, PURCHASE)).toBeDefined();
  });

  test('after a crash during settlement, the payment is rechecked and booked, and response and receipt stored', async () => {
    const { database, answers, payment, payer, says, pass, now, income, receipts, x402 } =
      await openX402(open);
    const place = { principal: 'p', route: 'r', key: 'k' };
    const body = {
      ...place,
      calls: 'call_11111111-1',
      bodySha256: 'b'.repeat(64),
      runningUntil: new Date(now().getTime() + 15 * MINUTES),
    };
    await answers.claim(body);
    says(UNKNOWN, UNKNOWN);
    const one = await payment();
    const taken = await x402.take(one, PURCHASE);
    const kept = { ...place, answerSha256: 'a'.repeat(64) };
    const receipt = { id: 'rcpt_1', jws: 'a.b.c' };
    await expect(x402.settle(taken, kept, receipt)).rejects.toMatchObject({ code: 'payment_unconfirmed' });
    expect(await receipts()).toEqual([]);
    await answers.abandon(body);
    expect(await blobsInUse(database, [kept.answerSha256, 'c'.repeat(64)])).toEqual(
      new Set([kept.answerSha256]),
    );
    await x402.recover();
    pass(1);
    expect(await x402.sweep(now())).toBe(1);
    expect(await income()).toBe(2000);
    expect(await answers.claim(body)).toMatchObject({ state: 'kept', text: 'kept' });
    expect(await receipts()).toEqual([{ id: 'rcpt_1', wallet: payer.wallet, receipt: 'a.b.c' }]);
    await expect(x402.take(one, PURCHASE)).rejects.toMatchObject({ code: 'payment_used' });
  });

  test('one cleanup run checks every settlement with an unknown outcome', async () => {
    const { x402, payment, says, pass, now, income, asked } = await openX402(open);
    for (let call = 0; call < 8; call += 1) {
      says(UNKNOWN, UNKNOWN);
      await x402.settle(await x402.take(await payment(), PURCHASE), undefined).catch(() => {});
    }
    pass(MINUTES);
    const before = asked.length;
    expect(await x402.sweep(now())).toBe(8);
    expect([asked.length - before, await income()]).toEqual([8, 8 * 2000]);
  });

  test('a used authorization counts as paid if the chain has the transfer', async () => {
    const { x402, payment, says, chainSays, income } = await openX402(open);
    says(UNKNOWN, USED_UP);
    chainSays({ fate: 'paid', transaction: '0xseen' });
    const taken = await x402.take(await payment(), PURCHASE);
    await x402.settle(taken, undefined);
    expect(await income()).toBe(2000);
    expect((await x402.receipt(taken.transferId))?.settlement.transaction).toBe('0xseen');
  });

  test('if the chain shows another use of the authorization, nothing is paid and the payer is informed', async () => {
    const { x402, payment, says, chainSays, pass, now, income } = await openX402(open);
    says(UNKNOWN, UNKNOWN, USED_UP);
    const one = await payment();
    await x402.settle(await x402.take(one, PURCHASE), undefined).catch(() => {});
    chainSays({ fate: 'not_paid' });
    pass(MINUTES);
    expect(await x402.sweep(now())).toBe(0);
    await expect(x402.take(one, PURCHASE)).rejects.toMatchObject({ code: 'payment_refused' });
    expect(await income()).toBe(0);
  });

  test('if no node knows the transaction, nothing is delivered and it is checked until it expires', async () => {
    const { x402, payment, says, pass, now, income } = await openX402(open);
    says(UNKNOWN, USED_UP, USED_UP, USED_UP, USED_UP);
    const one = await payment();
    const settling = x402.settle(await x402.take(one, PURCHASE), undefined);
    await expect(settling).rejects.toMatchObject({ code: 'payment_unconfirmed' });
    pass(MINUTES);
    expect(await x402.sweep(now())).toBe(0);
    expect(await income()).toBe(0);
    pass(10 * MINUTES);
    await x402.sweep(now());
    await expect(x402.take(one, PURCHASE)).rejects.toMatchObject({
      code: 'payment_unconfirmed',
      message: expect.stringMatching(/on the chain: if it is there.*if you cancelled.*new payment/),
    });
    expect(await income()).toBe(0);
  });

  test('a nonce used by the facilitator’s own retry is accepted if the chain has the transfer', async () => {
    const { x402, payment, says, chainSays, income } = await openX402(open);
    says(USED_UP);
    chainSays({ fate: 'paid', transaction: '0xfirst' });
    await x402.settle(await x402.take(await payment(), PURCHASE), undefined);
    expect(await income()).toBe(2000);
  });

  test('an authorization used before it was first sent is rejected', async () => {
    const { x402, payment, says, income, warnings } = await openX402(open);
    says({ outcome: 'refused', reason: 'invalid_exact_evm_nonce_already_used' });
    const taken = await x402.take(await payment(), PURCHASE);
    await expect(x402.settle(taken, undefined)).rejects.toMatchObject({ code: 'payment_not_settled' });
    expect(await income()).toBe(0);
    expect(warnings).toMatchObject([{ payment: taken.id, outcome: 'refused' }]);
  });

  test('an unresolved payment is reported to the operator, and the payer is not asked to pay again', async () => {
    const { database, x402, payment, says, pass, now, warnings, income } = await openX402(open);
    says(UNKNOWN, UNKNOWN, UNKNOWN, EXPIRED);
    const one = await payment();
    const taken = await x402.take(one, PURCHASE);
    await expect(x402.settle(taken, undefined)).rejects.toMatchObject({ code: 'payment_unconfirmed' });
    pass(4 * MINUTES);
    expect(await x402.sweep(now())).toBe(0);
    pass(10 * MINUTES);
    await x402.sweep(now());
    expect(warnings.at(-1)).toMatchObject({ payment: one.id, reason: EXPIRED.reason });
    await expect(x402.take(one, PURCHASE)).rejects.toMatchObject({ code: 'payment_unconfirmed' });
    pass(48 * 60 * MINUTES);
    expect(await x402.sweep(now())).toBe(0);
    expect(await income()).toBe(0);
    // As on the operator page when the transfer is found on the chain.
    await database.query(`select settle_x402_payment($1, '0xfound', now(), now() + interval '24 hours')`, [
      one.id,
    ]);
    expect(await income()).toBe(2000);
  });

  test('stored files of a call are deleted with its claim, and stay while the payment is unconfirmed', async () => {
    const { database, wallets, x402, payer, payment, says, pass, now } = await openX402(open);
    const stored = async (hold: string) => {
      const row = { wallet: payer.wallet, sha256: 'a'.repeat(64), hold, metadata: null };
      await upsertAsset(database, { ...row, key: hold, size_bytes: 1, content_type: 'text/plain' });
      return hold;
    };
    const left = async () =>
      (await database.query<{ key: string }>('select key from assets order by created_at')).map(
        ({ key }) => key,
      );
    const claimed = async (more?: Awaited<ReturnType<typeof payment>>) => {
      const taken = await x402.take(more ?? (await payment()), PURCHASE);
      await stored(taken.claim);
      return taken;
    };
    const settling = (taken: Awaited<ReturnType<typeof claimed>>) => x402.settle(taken, undefined);

    const paid = await claimed();
    await settling(paid);
    await x402.release(await claimed());
    says(
      { outcome: 'refused', reason: 'insufficient_funds' },
      { outcome: 'not_sent', reason: 'ECONNREFUSED' },
    );
    await settling(await claimed()).catch(() => {});
    await settling(await claimed()).catch(() => {});
    expect(await left()).toEqual([paid.claim]);

    says(UNKNOWN, UNKNOWN, UNKNOWN, EXPIRED);
    const unknown = await claimed();
    await settling(unknown).catch(() => {});
    const again = await payment();
    const dead = await claimed(again);
    // Another server resolves it; on the embedded database the next start does.
    pass(16 * MINUTES);
    const heir = await claimed(again);
    await expect(stored(dead.claim)).rejects.toMatchObject({ constraint: 'asset_hold_is_open' });
    expect(await left()).toEqual([paid.claim, unknown.claim, heir.claim]);
    await wallets.expireHolds(now(), true);
    await x402.recover();
    expect(await left()).toEqual([paid.claim, unknown.claim]);
    await x402.sweep(now());
    pass(10 * MINUTES);
    await x402.sweep(now());
    const states = await database.query(`select 1 from x402_payments where state = 'unresolved'`);
    expect([states.length, await left()]).toEqual([1, [paid.claim, unknown.claim]]);
    expect((await wallets.audit()).problems).toEqual([]);

    // As on the operator page when no transfer is found on the chain.
    await database.query(
      `update x402_payments set state = 'refused', claim = null, changed_at = now() where id = $1 and state = 'unresolved'`,
      [unknown.id],
    );
    expect(await left()).toEqual([paid.claim]);
    expect((await wallets.audit()).problems).toEqual([]);
  });

  test('the ledger audit detects a claim without its hold', async () => {
    const { database, wallets, x402, payment } = await openX402(open);
    const { claim } = await x402.take(await payment(), PURCHASE);
    expect((await wallets.audit()).problems).toEqual([]);
    await database.query(`select end_hold('hold:' || $1, 'void', now())`, [claim]);
    expect((await wallets.audit()).problems).toEqual([
      `hold:${claim} is claimed by a payment, but is not open`,
    ]);
  });

  test('a payment whose request was never sent can be retried', async () => {
    const { x402, payment, says } = await openX402(open);
    says({ outcome: 'not_sent', reason: 'ECONNREFUSED' });
    const one = await payment();
    const taken = await x402.take(one, PURCHASE);
    await expect(x402.settle(taken, undefined)).rejects.toMatchObject({ code: 'payment_check_failed' });
    expect(await x402.take(one, PURCHASE)).toBeDefined();
  });

  test('an unsettled payment is deleted long after it expires; a settled one never', async () => {
    const { x402, payment, pass, now, database } = await openX402(open);
    const [unused, used] = [await payment(), await payment()];
    await x402.release(await x402.take(unused, PURCHASE));
    await x402.settle(await x402.take(used, PURCHASE), undefined);
    pass(25 * 60 * MINUTES);
    expect(await x402.sweep(now())).toBe(1);
    const left = await database.query<{ id: string }>('select id from x402_payments');
    expect(left.map(({ id }) => id)).toEqual([used.id]);
  });

  test.each([`update x402_payments set state = 'released', transfer_id = null`, 'delete from x402_payments'])(
    'the database rejects: %s',
    async (statement) => {
      const { x402, payment, database } = await openX402(open);
      await x402.settle(await x402.take(await payment(), PURCHASE), undefined);
      await expect(database.query(statement)).rejects.toMatchObject({ constraint: 'settled_payments_stay' });
    },
  );

  test('a payment row cannot become settled without a transfer in the ledger', async () => {
    const { x402, payment, database } = await openX402(open);
    await x402.take(await payment(), PURCHASE);
    const forged = database.query(`update x402_payments set state = 'settled'`);
    await expect(forged).rejects.toMatchObject({ constraint: 'booked_when_settled' });
  });

  test('a signature is deleted once it is no longer needed', async () => {
    const { x402, payment, database } = await openX402(open);
    await x402.release(await x402.take(await payment(), PURCHASE));
    await x402.settle(await x402.take(await payment(), PURCHASE), undefined);
    const rows = await database.query<{ request: unknown }>('select request from x402_payments');
    expect(rows.map(({ request }) => request)).toEqual([null, null]);
  });

  test('concurrent x402 and credit payments of one wallet do not deadlock', async () => {
    const { x402, wallets, payer, payment, now } = await openX402(open);
    await wallets.register(payer.wallet);
    const byCredits = async (at: number) => {
      const expiresAt = new Date(now().getTime() + MINUTES);
      await wallets.settle(
        await wallets.hold({ id: `c${at}`, wallet: payer.wallet, amount: 500, tool: 'try', expiresAt }),
      );
    };
    const byX402 = async () => x402.settle(await x402.take(await payment(), PURCHASE), undefined);
    await Promise.all(Array.from({ length: 10 }, (_, at) => [byCredits(at), byX402()]).flat());
    expect(await wallets.audit()).toMatchObject({ balanced: true, spent: 5000, problems: [] });
    expect((await wallets.find(payer.wallet))?.totals.creditBack).toBe(10 * 25 + 10 * 100);
  });
});
