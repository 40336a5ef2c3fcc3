import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { givenConsents } from '../../../../tests/support/given_consents.ts';
import type { Database } from '../../../core/database/types.ts';
import type { HoldConsent } from '../types.ts';
import {
  APPROVALS_OPEN_MAX,
  APPROVALS_OPEN_PER_ADDRESS_MAX,
  CONSENT_LIFETIME_MS,
  CONSENT_MEMORY_MS,
} from './limits.ts';

/** Spending rules and approvals, enforced at the hold, in the database. */

const PARAMS = 'a'.repeat(64);

forEachDatabase((_name, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  /** A wallet that requires approval above four credits; `hold` returns the outcome of a hold of five. */
  async function given() {
    const owner = await givenConsents(database);
    const { consents, wallets, wallet, call } = owner;
    await consents.setRules(wallet, { approvalAbove: 4000 });
    const hold = (consent?: HoldConsent, amount = 5000) =>
      wallets.hold({ ...call(amount), ...(consent && { consent }) }).then(
        (held) => held,
        (error) => error.code as string,
      );
    const ask = async () => (await consents.askApproval(owner.question())).id;
    return {
      ...owner,
      hold,
      ask,
      approved: (approval: string): HoldConsent => ({ approval, paramsSha256: PARAMS }),
    };
  }

  test('amounts up to the threshold need no approval; above it every hold is rejected', async () => {
    const { hold, wallets, wallet } = await given();
    expect(await hold(undefined, 4000)).toMatchObject({ amount: 4000 });
    expect(await hold(undefined, 4001)).toBe('approval_required');
    expect(await wallets.find(wallet)).toMatchObject({ held: 4000 });
  });

  test('pending approvals are listed first, then the newest, for this wallet only', async () => {
    const { ask, answer, consents, wallet } = await given();
    const first = await ask();
    await answer(first);
    const second = await ask();
    await (await given()).ask();
    const listed = await consents.listApprovals(wallet);
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      [second, 'waiting'],
      [first, 'approved'],
    ]);
  });

  test('an approval pays for one call and is reported as used for a second', async () => {
    const { hold, ask, answer, approved, wallets } = await given();
    const id = await ask();
    expect(await hold(approved(id))).toBe('approval_waiting');
    await answer(id);
    const many = await Promise.all(Array.from({ length: 5 }, () => hold(approved(id))));
    const held = many.filter((one) => typeof one === 'object');
    expect(held).toHaveLength(1);
    await wallets.settle(held[0]!);
    expect(await hold(approved(id), 5000)).toBe('approval_used');
  });

  test('a failed call does not use up its approval', async () => {
    const { hold, ask, answer, approved, wallets } = await given();
    const id = await ask();
    await answer(id);
    await wallets.release((await hold(approved(id))) as { id: string });
    expect(await hold(approved(id))).toMatchObject({ amount: 5000 });
  });

  test.each([
    ['another amount', { amount: 4500 }, 'approval_differs'],
    ['other parameters', { paramsSha256: 'b'.repeat(64) }, 'approval_differs'],
    ['another tool', { tool: 'draw' }, 'approval_differs'],
    ['another wallet', { wallet: `0x${'1'.repeat(40)}` }, 'approval_not_found'],
  ])('an approval for %s is not accepted', async (_what, more, code) => {
    const { hold, answer, approved, consents, question, wallet } = await given();
    const { id } = await consents.askApproval(question(more));
    if (!('wallet' in more)) await answer(id);
    expect(await hold(approved(id))).toBe(code);
    expect(await consents.rules(wallet)).toMatchObject({ approvalAbove: 4000 });
  });

  test('a denied, expired or forged approval authorises no hold', async () => {
    const { hold, ask, answer, approved, time } = await given();
    const refused = await ask();
    await answer(refused, false);
    const approvedId = await ask();
    await answer(approvedId);
    time.now += CONSENT_LIFETIME_MS;
    expect(await hold(approved(refused))).toBe('approval_refused');
    expect(await hold(approved(approvedId))).toBe('approval_expired');
    expect(await hold(approved('0'.repeat(32)))).toBe('approval_not_found');
  });

  test('a request signed by the owner needs no other approval', async () => {
    const { hold } = await given();
    expect(await hold({ isSigned: true })).toMatchObject({ amount: 5000 });
  });

  test('only the owner decides, once, and only as the signed message states', async () => {
    const { ask, answer, consents, account } = await given();
    const id = await ask();
    const stranger = privateKeyToAccount(generatePrivateKey());
    await expect(answer(id, true, stranger)).rejects.toMatchObject({ code: 'invalid_signature' });
    const signature = await account.signMessage({
      message: await consents.approvalMessage(id, { isGranted: false, chainId: 1 }),
    });
    await expect(
      consents.decideApproval(id, { isGranted: true, chainId: 1, signature }),
    ).rejects.toMatchObject({ code: 'invalid_signature' });
    await answer(id, false);
    await expect(answer(id)).rejects.toMatchObject({ code: 'consent_over' });
  });

  test('an identical pending request is reused, and open requests are limited', async () => {
    const { ask, consents, question } = await given();
    expect(await ask()).toBe(await ask());
    for (let asked = 1; asked < APPROVALS_OPEN_MAX; asked += 1)
      await consents.askApproval(question({ amount: 5000 + asked, address: `192.0.2.${asked % 10}` }));
    await expect(consents.askApproval(question({ amount: 9999 }))).rejects.toMatchObject({
      code: 'too_many_requests',
    });
  });

  test('one network address cannot use up all open approval requests', async () => {
    const { consents, question } = await given();
    const ask = (amount: number, address: string) => consents.askApproval(question({ amount, address }));
    for (let asked = 0; asked < APPROVALS_OPEN_PER_ADDRESS_MAX; asked += 1)
      await ask(5000 + asked, '192.0.2.1');
    await expect(ask(9999, '192.0.2.1')).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await ask(9999, '192.0.2.2')).toHaveProperty('id');
  });

  test('the kill switch blocks every new hold at once, and existing holds continue', async () => {
    const { hold, consents, wallet, wallets, key, ownership, call } = await given();
    const running = (await hold(undefined, 1000)) as {
      id: string;
      wallet: string;
      amount: number;
      tool: string;
    };
    const made = await key();
    const both = await Promise.all([
      ...Array.from({ length: 4 }, () => hold(undefined, 1000)),
      consents.setRules(wallet, { isStopped: true }),
    ]);
    expect(both).toHaveLength(5);
    expect(await hold(undefined, 1)).toBe('spending_stopped');
    expect(await hold({ isSigned: true })).toBe('spending_stopped');
    await expect(ownership.hold(made.key.id, call(1))).rejects.toMatchObject({ code: 'spending_stopped' });
    expect(await wallets.settle(running)).toMatchObject({ creditBack: 50 });
    await consents.setRules(wallet, { isStopped: false });
    expect(await hold(undefined, 1)).toMatchObject({ amount: 1 });
    expect(await consents.rules(wallet)).toEqual({ stoppedAt: null, approvalAbove: 4000 });
  });

  test('a key also needs approval, and its budget keeps unspent credits', async () => {
    const { key, keyNow, ownership, call, ask, answer, approved } = await given();
    const made = await key({ maxTotal: 6000 });
    await expect(ownership.hold(made.key.id, call(5000))).rejects.toMatchObject({
      code: 'approval_required',
    });
    expect((await keyNow(made.key.id)).spent).toBe(0);
    const id = await ask();
    await answer(id);
    await ownership.hold(made.key.id, { ...call(5000), consent: approved(id) });
    expect((await keyNow(made.key.id)).spent).toBe(5000);
  });

  test('expired approvals are deleted after a day', async () => {
    const { ask, consents, time } = await given();
    const id = await ask();
    time.now += CONSENT_LIFETIME_MS;
    expect(await consents.findApproval(id)).toMatchObject({ state: 'expired' });
    expect(await consents.sweep(new Date(time.now + CONSENT_MEMORY_MS))).toBeGreaterThan(0);
    expect(await consents.findApproval(id)).toBeUndefined();
  });
});
