import { execFileSync } from 'node:child_process';
import type { CompositionRequest } from '@atelier/imaging/composer/compose_picture.ts';
import { describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import type { Database } from '../../../core/database/types.ts';
import { runHere } from '../../../core/workers/run_here.ts';
import { createWallets } from '../../wallets/wallets.ts';
import { drawInvoice } from './draw_invoice.ts';
import { createInvoices } from './invoices.ts';
import type { Invoice, Seller } from './types.ts';

const WALLET = `0x${'a7'.repeat(20)}`;
const OTHER = `0x${'b8'.repeat(20)}`;
const SELLER: Seller = { name: 'Atelier Ltd', address: '1 High Street', taxId: 'GB1', taxPercent: 19 };
const { signal } = new AbortController();
/** The words alone, without a layout. */
const written = {
  run: async (_engine: string, { layers }: CompositionRequest) => ({
    bytes: Buffer.from(layers.map((layer) => (layer.type === 'text' ? layer.text : '')).join('\n')),
  }),
};
const drawing = { pixels: written as never, signal };

async function buy(database: Database, id: string, at: string, { isTest = false } = {}) {
  const cash = isTest ? 'cash:simulated' : 'cash:card';
  await database.query(
    `insert into card_checkouts (id, processor, livemode, cash, wallet, pack, amount_cents, currency, amount, url, created_at, expires_at, check_at)
     values ($1, 'stripe', $5, $4, $2, 'starter', 500, 'usd', 5000, '', $3::timestamptz, $3::timestamptz, $3::timestamptz)`,
    [id, WALLET, at, cash, !isTest],
  );
  await database.query('select fulfil_checkout($1, $2, $3, 10000)', [id, `pay_${id}`, at]);
}

const open = (database: Database, seller: Seller = SELLER) =>
  createInvoices({ database, seller, clock: () => new Date('2026-12-01T00:00:00Z') });
const asOwner = { wallet: WALLET, isProved: true };
const numbers = async (invoices: ReturnType<typeof open>) =>
  (await invoices.list(WALLET, { limit: 100 })).map(({ number, purchase }) => `${purchase} ${number}`);
const refusal = (error: { code: string }) => error.code;

forEachDatabase((_name, openDatabase) => {
  test('invoice numbers have no gaps within a year, test mode counts separately, and numbers never change', async () => {
    const database = await openDatabase();
    await createWallets(database).register(WALLET);
    await buy(database, 'cs_1', '2025-12-31T23:59:59.999Z');
    await buy(database, 'cs_2', '2026-01-01T00:00:00Z');
    await buy(database, 'cs_3', '2026-02-01T00:00:00Z', { isTest: true });
    await buy(database, 'cs_4', '2026-11-30T12:00:00Z');
    const invoices = open(database);
    await Promise.all(Array.from({ length: 5 }, () => invoices.issue()));
    // Booked before the last issue, visible only after it.
    await buy(database, 'cs_0', '2026-11-30T11:00:00Z');
    const before = [
      'checkout:cs_0 2026-000003',
      'checkout:cs_4 2026-000002',
      'checkout:cs_3 TEST-2026-000001',
      'checkout:cs_2 2026-000001',
      'checkout:cs_1 2025-000001',
    ];
    expect(await numbers(invoices)).toEqual(before);
    expect(await numbers(open(database, { name: 'Another' }))).toEqual(before);
  });

  test.each([
    ['eip155:84532', 'TEST-2026-000001'],
    ['eip155:8453', '2026-000001'],
  ])('a payment on %s has invoice number %s', async (network, number) => {
    const database = await openDatabase();
    await createWallets(database).register(WALLET);
    const id = '1'.repeat(64);
    await database.query(
      `insert into x402_payments (id, state, claim, busy_until, version, network, payer, ends_at, tool, amount, credit_back, created_at, changed_at)
       values ($1, 'settling', 'c', $4::timestamptz, 2, $2, $3, $4::timestamptz, 'save_asset', 1000, 0, $4::timestamptz, $4::timestamptz)`,
      [id, network, WALLET, '2026-11-01T00:00:00Z'],
    );
    await database.query(`select settle_x402_payment($1, '0xabc', '2026-11-01T00:00:00Z', 'infinity')`, [id]);
    const [invoice] = await open(database).list(WALLET, { limit: 1 });
    expect(invoice).toMatchObject({ number, amount: 1000, item: 'save_asset', payment: '0xabc', network });
  });

  test('an issued invoice can be neither changed nor deleted', async () => {
    const database = await openDatabase();
    await createWallets(database).register(WALLET);
    await buy(database, 'cs_1', '2026-11-01T00:00:00Z');
    await open(database).issue();
    await expect(database.query('update invoices set number = 9')).rejects.toThrow();
    await expect(database.query('delete from invoices')).rejects.toThrow();
  });

  test('an invoice is frozen when its owner first fetches it', async () => {
    const database = await openDatabase();
    await createWallets(database).register(WALLET);
    await buy(database, 'cs_1', '2026-11-01T00:00:00Z');
    await open(database).setBuyer(WALLET, { name: 'Eve & Sons', taxId: 'X1' });
    const first = await open(database).pdf('2026-000001', asOwner, drawing);
    await open(database).setBuyer(WALLET, { name: 'Mallory' });
    const later = open(database, { name: 'Another seller', taxPercent: 7 });
    const second = await later.pdf('checkout:cs_1', 'operator', drawing);
    expect(Buffer.from(second.bytes).equals(Buffer.from(first.bytes))).toBe(true);
    expect(String(first.bytes)).toMatch(
      /Atelier Ltd[\s\S]*Eve & Sons[\s\S]*4\.20 USD\s+0\.80 USD\s+5\.00 USD/,
    );
  });

  test('invoices of another wallet are not found, and buyer details require proof of ownership', async () => {
    const database = await openDatabase();
    await createWallets(database).register(WALLET);
    await buy(database, 'cs_1', '2026-11-01T00:00:00Z');
    const invoices = open(database);
    const fetching = (wallet: string, isProved: boolean) =>
      invoices.pdf('2026-000001', { wallet, isProved }, drawing).then(() => 'found', refusal);
    expect([await fetching(OTHER, true), await fetching(WALLET, false)]).toEqual([
      'invoice_not_found',
      'found',
    ]);
    await invoices.setBuyer(WALLET, { name: 'Eve' });
    expect(await fetching(WALLET, false)).toBe('proof_required');
  });

  test('without a seller no invoices are issued, and issued invoices remain', async () => {
    const database = await openDatabase();
    await createWallets(database).register(WALLET);
    await buy(database, 'cs_1', '2026-11-01T00:00:00Z');
    const without = open(database, {});
    expect(await without.list(WALLET, { limit: 1 }).catch(refusal)).toBe('seller_not_set');
    expect(await without.pdf('checkout:cs_1', asOwner, drawing).catch(refusal)).toBe('seller_not_set');
    await open(database).issue();
    expect(await numbers(without)).toEqual(['checkout:cs_1 2026-000001']);
  });
});

const INVOICE: Invoice = {
  position: 1,
  number: '2026-000042',
  purchase: 'checkout:cs_1',
  at: new Date('2026-11-01T00:00:00Z'),
  seller: { name: 'Atelier' },
  wallet: WALLET,
  buyer: { name: '', address: '', taxId: '' },
  item: 'starter',
  credits: 50_000,
  amount: 50_000,
  currency: 'USD',
  means: 'card',
  payment: null,
  network: null,
};

describe('rendered invoice', needs('pdftoppm'), () => {
  test.each([
    ['markup', '<b>Bobby</b> & "Tables" {{name}}'],
    ['one long word', 'x'.repeat(300)],
    ['Greek, Cyrillic and Han', 'Ελλάδα Россия 北京'],
  ])('a name with %s is selectable text on one page', async (_kind, name) => {
    const invoice = { ...INVOICE, buyer: { ...INVOICE.buyer, name } };
    const pdf = await drawInvoice({ run: runHere as never }, invoice, { signal });
    const text = execFileSync('pdftotext', ['-', '-'], { input: pdf }).toString();
    expect(text.replace(/\s/g, '')).toContain(name.replace(/\s/g, ''));
    expect(text.match(/\f/g)).toHaveLength(1);
  });
});
