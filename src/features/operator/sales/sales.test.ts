import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { Database } from '../../../core/database/types.ts';
import type { Seller } from '../../billing/invoices/types.ts';
import { createWallets } from '../../wallets/wallets.ts';
import { createSales, csvLine } from './sales.ts';

const WALLET = `0x${'a7'.repeat(20)}`;
const SELLER: Seller = {
  name: '=Atelier "Ltd"',
  address: '1 High Street, London',
  taxId: '-GB1',
  taxPercent: 19,
};

async function buy(database: Database, id: string, at: string, amount = 5000) {
  await database.query(
    `insert into card_checkouts (id, processor, livemode, cash, wallet, pack, amount_cents, currency, amount, url, created_at, expires_at, check_at)
     values ($1, 'simulated', false, 'cash:simulated', $2, 'starter', $3, 'usd', $4, '', $5::timestamptz, $5::timestamptz, $5::timestamptz)`,
    [id, WALLET, amount / 10, amount, at],
  );
  await database.query('select fulfil_checkout($1, $2, $3, 10000)', [id, `pay_${id}`, at]);
}

const csv = async (database: Database, month: string, seller: Seller = {}) =>
  (await Array.fromAsync(createSales(database, seller).csvOf(month))).join('');

test('CSV text is quoted per RFC 4180, and formula injection is prevented', () => {
  expect(csvLine(['a,b', 'say "hi"', 'one\ntwo', null, -1, 'plain'])).toBe(
    '"a,b","say ""hi""","one\ntwo",,-1,plain\r\n',
  );
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '|calc', '＝1'])
    expect([text, csvLine([text]).startsWith("'") || csvLine([text]).startsWith('"\'')]).toEqual([
      text,
      true,
    ]);
});

forEachDatabase((_name, open) => {
  test('a monthly report has one line per purchase with its tax', async () => {
    const database = await open();
    await createWallets(database).register(WALLET);
    await buy(database, 'cs_1', '2026-10-31T23:59:59.999Z');
    await buy(database, 'cs_2', '2026-11-01T00:00:00Z');
    await buy(database, 'cs_3', '2026-11-30T23:59:59.999Z', 10_000);
    const lines = (await csv(database, '2026-11', SELLER)).split('\r\n');
    const seller = `"'=Atelier ""Ltd""","1 High Street, London",'-GB1,`;
    expect(lines.slice(1)).toEqual([
      `2026-11-01T00:00:00.000Z,checkout:cs_2,${WALLET},starter,5,0,USD,5.00,19,0.80,4.20,simulated,pay_cs_2,${seller}`,
      `2026-11-30T23:59:59.999Z,checkout:cs_3,${WALLET},starter,10,0,USD,10.00,19,1.60,8.40,simulated,pay_cs_3,${seller}`,
      '',
    ]);
    expect((await csv(database, '2026-12')).split('\r\n')).toHaveLength(2);
    expect(await csv(database, '2026-10')).toContain(',USD,5.00,,,,simulated,pay_cs_1,,,,\r\n');
  });
});
