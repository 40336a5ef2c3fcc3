import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { NOTHING_GIVEN } from '../../../tests/support/nothing_given.ts';
import { createWallets } from '../wallets/wallets.ts';
import { withRepeats } from './service.ts';
import type { Enriched, EnrichRequest } from './types.ts';

const WALLET = '0x00000000000000000000000000000000000000a1';
const DAY_MS = 86_400_000;
const control = { signal: new AbortController().signal };

forEachDatabase((_kind, open) => {
  test('a repeated call by the same wallet is served from the cache once it was paid', async () => {
    const { enrich, pay, written } = await opened();
    const first = await enrich('call_1');
    await pay('call_1');
    const second = await enrich('call_2');
    expect(written).toHaveLength(1);
    expect(second).toEqual({ ...first, repeats: expect.any(Date) });
  });

  test('an unpaid result is generated again', async () => {
    const { enrich, release, written } = await opened();
    await enrich('call_1');
    await release('call_1');
    expect(await enrich('call_2')).not.toHaveProperty('repeats');
    expect(written).toHaveLength(2);
  });

  test('other bytes, inputs, model versions or wallets are different calls', async () => {
    const { enrich, pay, written, edition } = await opened();
    await enrich('call_1');
    await pay('call_1');
    await enrich('call_2', { image: { ...request.image, bytes: new Uint8Array([9]) } });
    await enrich('call_3', { given: { ...request.given, context: 'Other' } });
    await enrich('call_4', { tier: 'standard' });
    await enrich('call_5', { payer: { wallet: WALLET.replace('a1', 'b2'), hold: 'call_5' } });
    edition.name = 'analyst/2';
    await enrich('call_6');
    expect(written).toHaveLength(6);
  });

  test('after 30 days the result is generated and charged again', async () => {
    const { enrich, pay, written, clock, sweep } = await opened();
    await enrich('call_1');
    await pay('call_1');
    clock.now += 29 * DAY_MS;
    expect(await enrich('call_2')).toHaveProperty('repeats');
    clock.now += 2 * DAY_MS;
    expect(await enrich('call_3')).not.toHaveProperty('repeats');
    expect(written).toHaveLength(2);
    await pay('call_3');
    expect(await sweep()).toBe(0);
    clock.now += 31 * DAY_MS;
    expect(await sweep()).toBe(1);
  });

  const request: EnrichRequest = {
    image: { bytes: new Uint8Array([1, 2]), format: 'png', width: 1, height: 1 },
    tier: 'premium',
    engine: 'default',
    language: 'en',
    given: { ...NOTHING_GIVEN, title: 'T' },
  };

  async function opened() {
    const database = await open();
    const wallets = createWallets(database);
    await wallets.register(WALLET);
    const written: EnrichRequest[] = [];
    const edition = { name: 'analyst/1' };
    const clock = { now: Date.now() };
    const writer = {
      canDescribe: async () => false,
      modelRefusal: async () => undefined,
      edition: async () => edition.name,
      analyseWork: () => Promise.reject(new Error('not asked here')),
      enrich: async (asked: EnrichRequest): Promise<Enriched> => {
        written.push(asked);
        return {
          metadata: { title: 'T' } as never,
          evidence: {},
          factsCount: 3,
          engine: { name: 'analyst', version: '1' },
        };
      },
    };
    const enrichment = withRepeats(writer, database, () => new Date(clock.now));
    const holds = new Map<string, Awaited<ReturnType<typeof wallets.hold>>>();
    return {
      written,
      edition,
      clock,
      sweep: () => enrichment.sweep(new Date(clock.now)),
      enrich: async (id: string, more: Partial<EnrichRequest> = {}) => {
        const expiresAt = new Date(Date.now() + 60_000);
        holds.set(
          id,
          await wallets.hold({ id, wallet: WALLET, amount: 1000, tool: 'enrich_metadata', expiresAt }),
        );
        return enrichment.enrich({ ...request, payer: { wallet: WALLET, hold: id }, ...more }, control);
      },
      pay: (id: string) => wallets.settle(holds.get(id)!),
      release: (id: string) => wallets.release(holds.get(id)!),
    };
  }
});
