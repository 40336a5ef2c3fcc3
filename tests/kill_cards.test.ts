import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stripeBank } from './support/banks.ts';
import { postTo } from './support/post_to.ts';
import { startService } from './support/start_service.ts';

/** kill -9 in the middle of calls paid by card. Stripe lives on and remembers what it was told. */

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 2);
const CALLS = 8;

const save = (url: string, id: string, round: number) =>
  postTo(
    url,
    '/api/tools/save_asset',
    { wallet: `0x${String(round).padStart(40, '0')}`, key: id, data: 'aGVsbG8=' },
    { 'X-Payment-Intent': id, 'Idempotency-Key': id },
  );

test('every card is charged once, every charge has its answer, and the books balance', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-kill-cards-'));
  const bank = await stripeBank();
  let service = await startService({ DATA_DIR: dataDir, ...bank.settings });
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids: string[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const made = await postTo(service.url, '/api/create-payment-intent', { tool_name: 'save_asset' });
      bank.stripe.pay(made!.body.id);
      ids.push(made!.body.id);
    }
    // The card has been charged, and the reply is on its way to a server that is dead when it comes.
    const { process: victim } = service;
    const killAt = 1 + ((round * 3) % CALLS);
    let captures = 0;
    bank.stripe.onDone = ({ path }) => {
      if (path.endsWith('/capture') && ++captures === killAt) victim.kill('SIGKILL');
    };
    const answered = await Promise.all(ids.map((id) => save(service.url, id, round)));
    const charged = ids.filter((id) => bank.stripe.thing(id).status === 'succeeded').length;
    expect(charged).toBeGreaterThanOrEqual(killAt);
    expect(answered.filter((reply) => reply?.status === 200).length).toBeLessThan(charged);
    bank.stripe.onDone = () => {};

    service = await startService({ DATA_DIR: dataDir, ...bank.settings });
    const retried = await Promise.all(ids.map((id) => save(service.url, id, round)));
    expect(retried.map((reply) => reply?.status)).toEqual(Array(CALLS).fill(200));
    for (const [index, id] of ids.entries()) {
      // Whoever had the answer before gets the same again; nobody has paid for two.
      const before = answered[index]?.status === 200 ? answered[index].body : undefined;
      if (before) expect(retried[index]!.body).toEqual(before);
      expect(retried[index]!.body.payment).toMatchObject({ calls_left: 4 });
      expect(bank.stripe.thing(id)).toMatchObject({ status: 'succeeded', amount_received: 50 });
      const next = await postTo(
        service.url,
        '/api/tools/save_asset',
        { wallet: `0x${String(round).padStart(40, '0')}`, key: 'next', data: 'aGVsbG8=' },
        { 'X-Payment-Intent': id },
      );
      expect(next?.body.payment).toMatchObject({ charged_usd: 0, calls_left: 3 });
    }
    const books = await fetch(`${service.url}/api/ledger/invariants`);
    expect(await books.json()).toMatchObject({ balanced: true, problems: [] });
  }
  service.process.kill('SIGKILL');
  await bank.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 900_000);
