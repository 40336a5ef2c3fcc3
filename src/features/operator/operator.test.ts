import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { Database, Queryable } from '../../core/database/types.ts';
import { createCommunity } from '../community/community.ts';
import { createWallets } from '../wallets/wallets.ts';
import { createOperator, createOperators } from './service.ts';

const words = { name: 'Ada', category: 'general', message: 'Buy now', agentModel: '', wallet: '' };
const WALLET = `0x${'a7'.repeat(20)}`;
const by = (why: string) => ({ who: 'token ada', why });

function given(database: Database) {
  const community = createCommunity(database);
  const wallets = createWallets(database);
  const ended: string[] = [];
  const end = async (_: Queryable, id: string) => id.endsWith('live') && ended.push(id) > 0;
  const clock = () => new Date(0);
  const operator = createOperator({
    database,
    community,
    wallets,
    clock,
    revokeSigner: end,
    requireFetchable: async () => {},
    endings: { job: end, key: end },
    keys: { key: ['wallet key', end] },
  });
  /** A paid call. */
  async function paidCall(id: string, amount: number) {
    const expiresAt = new Date(Date.now() + 60_000);
    await wallets.settle(
      await wallets.hold({ id, wallet: WALLET, amount, tool: 'upscale_image', expiresAt }),
    );
  }
  const log = async () => (await operator.acts({ limit: 9 })).map(({ act, about, why }) => [act, about, why]);
  return { community, wallets, operator, ended, paidCall, log };
}

forEachDatabase((_name, open) => {
  test('a key revocation is logged with operator, target and reason', async () => {
    const { operator, ended } = given(await open());
    expect(await operator.revoke(by('a stolen disk'), 'kid-live', 'compromised')).toBe('signing key');
    expect(await operator.revoke(by('again'), 'key_live', 'superseded')).toBe('wallet key');
    expect(await operator.revoke(by('a stolen disk'), 'kid', 'compromised')).toBe(undefined);
    expect(ended).toEqual(['kid-live', 'key_live']);
    expect((await operator.acts({ limit: 9 }))[1]).toMatchObject({
      at: new Date(0),
      who: 'token ada',
      act: 'revoke',
      about: 'kid-live',
      why: 'compromised: a stolen disk',
    });
  });

  test('hiding and showing posts is logged, newest first', async () => {
    const { community, operator, log } = given(await open());
    const { id } = (await community.postToCafe('1.2.3.4', words)).entry;
    expect(await operator.hide(by('spam'), id)).toBe(true);
    expect(await community.cafePosts({ limit: 9 })).toEqual([]);
    expect(await operator.entries(9)).toMatchObject([{ id, board: 'cafe', text: 'Buy now', hiddenAt: {} }]);
    expect(await operator.unhide(by('a mistake'), id)).toBe(true);
    expect(await log()).toEqual([
      ['unhide', id, 'a mistake'],
      ['hide', id, 'spam'],
    ]);
  });

  test('the id prefix selects how to end an item; inactive and unknown ids are not logged', async () => {
    const { operator, ended, log } = given(await open());
    expect(await operator.end(by('too long'), 'job_live')).toBe(true);
    for (const id of ['job_dead', 'whe_live', 'toString_live', '', '_'])
      expect([id, await operator.end(by('gone'), id)]).toEqual([id, false]);
    expect([ended, await log()]).toEqual([['job_live'], [['end', 'job_live', 'too long']]]);
  });

  test('a download request is logged once, and a second one is not started', async () => {
    const { operator, log } = given(await open());
    await operator.fetch(by('an exhibition'), 'met');
    await expect(operator.fetch(by('an exhibition'), 'nga')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await log()).toEqual([['fetch', 'met', 'an exhibition']]);
    expect((await operator.world()).fetches).toMatchObject([
      { name: 'met', state: 'waiting', who: 'token ada' },
    ]);
  });

  test('the admin action log is immutable', async () => {
    const database = await open();
    const { operator } = given(database);
    await operator.end(by('too long'), 'job_live');
    await expect(database.query(`update operator_acts set why = 'x'`)).rejects.toThrow('only ever added to');
    await expect(database.query('delete from operator_acts')).rejects.toThrow('only ever added to');
  });

  test('a grant reference is used once, and the ledger stays balanced', async () => {
    const { operator, wallets, log } = given(await open());
    await wallets.register(WALLET);
    const grant = { wallet: WALLET, amount: 2500, reference: 'fair-2026' };
    const given1 = await Promise.all([
      operator.grant(by('a fair'), grant),
      operator.grant(by('a fair'), grant),
    ]);
    expect(given1.map(({ isRepeat }) => isRepeat).sort()).toEqual([false, true]);
    expect(given1.map(({ balance }) => balance)).toEqual([12_500, 12_500]);
    expect(await wallets.audit()).toMatchObject({ balanced: true, issued: 12_500 });
    expect(await log()).toEqual([['grant', WALLET, '2.5 credits: a fair']]);
    await expect(operator.grant(by('x'), { ...grant, amount: 1 })).rejects.toThrow(
      'another wallet or amount',
    );
    await expect(operator.grant(by('x'), { ...grant, wallet: `0x${'0'.repeat(40)}` })).rejects.toThrow(
      'registered',
    );
  });

  test('a call is refunded once, less its credit-back, under any of its public ids', async () => {
    const { operator, wallets, paidCall, log } = given(await open());
    await wallets.register(WALLET);
    await paidCall('call_1', 2000);
    const refunds = await Promise.all(
      ['rcpt_1', 'post:call_1', 'call_1'].map((call) => operator.refund(by('it was blurred'), { call })),
    );
    expect(refunds.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    expect(refunds[0]).toMatchObject({ id: 'refund:call_1', amount: 1900, balance: 10_000 });
    expect(await wallets.audit()).toMatchObject({ balanced: true, refunded: 1900, outstanding: 10_000 });
    expect(await log()).toHaveLength(1);
  });

  test('a refund never exceeds the cost of the call; unknown calls are rejected', async () => {
    const { operator, wallets, paidCall } = given(await open());
    await wallets.register(WALLET);
    await paidCall('call_1', 2000);
    await expect(operator.refund(by('x'), { call: 'call_1', amount: 1901 })).rejects.toThrow('1.9 credits');
    for (const call of [`welcome:${WALLET}`, 'call_2', '', "'"])
      await expect(operator.refund(by('x'), { call })).rejects.toMatchObject({ code: 'not_found' });
    expect(await operator.refund(by('half'), { call: 'call_1', amount: 1000 })).toMatchObject({
      balance: 9100,
    });
  });

  test('a blocked wallet rejects holds until it is unblocked', async () => {
    const { operator, wallets, paidCall } = given(await open());
    await wallets.register(WALLET);
    expect(await operator.block(by('stolen card'), WALLET)).toBe(true);
    expect(await operator.block(by('again'), WALLET)).toBe(false);
    await expect(paidCall('call_1', 1000)).rejects.toMatchObject({ code: 'wallet_blocked' });
    expect((await operator.wallet(WALLET)).blocked).toMatchObject({ who: 'token ada', why: 'stolen card' });
    expect(await operator.unblock(by('cleared'), WALLET)).toBe(true);
    await paidCall('call_1', 1000);
  });

  test('an operator can block a wallet closed by its owner, who then cannot reopen it', async () => {
    const database = await open();
    const { operator } = given(database);
    await database.query(`insert into blocked_wallets values ($1, now(), 'its owner', 'closed')`, [WALLET]);
    expect(await operator.block(by('a stolen card'), WALLET)).toBe(true);
    expect((await operator.wallet(WALLET)).blocked).toMatchObject({ who: 'token ada' });
    expect(await operator.block(by('again'), WALLET)).toBe(false);
  });

  test('a token is valid until expiry or revocation, and only its sha256 is stored', async () => {
    const database = await open();
    let now = 0;
    const operators = createOperators({ database, clock: () => new Date(now) });
    const wanted = { name: 'ada', scopes: ['read'] as const, expiresAt: new Date(1000) };
    const { token, made } = await operators.createToken(by('on call'), wanted);
    expect(await operators.identify(token)).toEqual({ who: 'token ada', scopes: ['read'] });
    expect(JSON.stringify(await database.query('select * from operator_tokens'))).not.toContain(token);
    const { operator } = given(database);
    expect((await operator.acts({ limit: 1 }))[0]).toMatchObject({ act: 'token', about: made.id });
    now = 1000;
    await expect(operators.identify(token)).rejects.toThrow('expired');
    await expect(operators.identify(`atl_op_${'x'.repeat(43)}`)).rejects.toThrow('unknown');
    await expect(operators.identify('a.b.c')).rejects.toMatchObject({ code: 'operator_required' });
  });
});
