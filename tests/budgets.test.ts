import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCatalogue } from '../src/catalog/create_catalogue.ts';
import { createSpool } from '../src/core/storage/blobs/spool.ts';
import { createReceipts } from '../src/features/billing/receipts/receipts.ts';
import { credits, creditsBy } from '../src/features/definitions/price.ts';
import { type AnyTool, defineTool } from '../src/features/definitions/tool.ts';
import { searchTools } from '../src/features/discovery/tools/search_tools.ts';
import { LIST_PRICES } from '../src/features/operator/prices/prices.ts';
import type { Services } from '../src/features/services.ts';
import { createOwnership } from '../src/features/wallets/ownership/ownership.ts';
import type { NewKey } from '../src/features/wallets/ownership/types.ts';
import { createWallets } from '../src/features/wallets/wallets.ts';
import { createHttp } from '../src/interfaces/http/index.ts';
import { createMcp } from '../src/interfaces/mcp/index.ts';
import type { PipelineContext } from '../src/pipeline/types.ts';
import { forEachDatabase } from './support/for_each_database.ts';
import { plainContext } from './support/plain_context.ts';

/** What a key over its budget is told, over REST and MCP alike, by a tool whose price follows a field and by one whose does not. */

const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const describeIt = defineTool({
  name: 'describe_it',
  title: 'Describe it',
  category: 'creative',
  summary: 'Puts words to something.',
  price: creditsBy('tier', { brief: 1, standard: 2, premium: 4 }),
  input: z.object({ of: z.string(), tier: z.enum(['brief', 'standard', 'premium']).default('premium') }),
  output: z.object({ words: z.string() }),
  effects,
  examples: [{ of: 'a cat' }],
  run: async ({ tier }) => ({ words: tier }),
});
const paint = defineTool({
  name: 'paint',
  title: 'Paint',
  category: 'creative',
  summary: 'Paints something.',
  output: z.object({ words: z.string() }),
  effects,
  examples: [{}],
  price: credits(5),
  input: z.object({}),
  run: async () => ({ words: 'painted' }),
});

type Sent = Record<string, unknown> & { result?: { structuredContent: Record<string, unknown> } };

forEachDatabase((name, open) =>
  describe(name, () => {
    let context: PipelineContext;
    beforeAll(async () => {
      context = await contextOn(await open());
    });

    /** The header of a key with this budget, of a wallet with ten credits. */
    async function keyWith(budget: Partial<NewKey>): Promise<Record<string, string>> {
      const wallet = `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;
      await context.services.wallets.register(wallet);
      const { token } = await context.services.ownership.createKey(wallet, {
        name: 'agent',
        scopes: ['spend'],
        ...budget,
      });
      return { Authorization: `Bearer ${token}` };
    }

    type Call = (
      tool: string,
      input: object,
      headers: Record<string, string>,
    ) => Promise<Record<string, unknown>>;
    const send = async (path: string, body: object, headers: Record<string, string>): Promise<Sent> => {
      const response = await http(context).request(path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return response.json() as Promise<Sent>;
    };
    const ways: [string, Call][] = [
      ['REST', async (tool, input, headers) => send(`/api/tools/${tool}`, input, headers)],
      [
        'MCP',
        async (tool, input, headers) => {
          const params = { name: tool, arguments: input };
          const { result } = await send(
            '/mcp',
            { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
            headers,
          );
          return result!.structuredContent;
        },
      ],
    ];

    describe.each(ways)('over %s', (way, call) => {
      const named = (tool: string) => (way === 'MCP' ? { tool } : { endpoint: `POST /api/tools/${tool}` });

      test('a call over the budget is refused with the dearest call that fits, which then runs', async () => {
        const header = await keyWith({ maxTotal: 3000 });
        const refused = await call('describe_it', { of: 'a cat' }, header);
        expect(refused).toMatchObject({
          status: 403,
          code: 'budget_refused',
          budget: { cap: 'total', max_credits: 3, used: 0, remaining: 3 },
          try: { of: 'a cat', tier: 'standard' },
        });
        expect(refused.next_steps).toContainEqual({
          action: 'Use tier "standard"',
          cost: '2 credits (0.20 USD)',
          ...named('describe_it'),
          why: 'It fits the remaining 3 credits',
          params: { of: 'a cat', tier: 'standard' },
        });
        expect(await call('describe_it', refused.try as object, header)).toMatchObject({
          cost: { credit: 2 },
        });
      });

      test('if no smaller call exists, it refers to tools that fit', async () => {
        const header = await keyWith({ maxDaily: 1000 });
        const refused = await call('paint', {}, header);
        expect(refused).toMatchObject({ code: 'budget_refused', budget: { cap: 'daily', remaining: 1 } });
        expect(refused).not.toHaveProperty('try');
        expect(refused.next_steps).toEqual([
          expect.objectContaining({
            ...named('search_tools'),
            params: { max_price_usd: 0.1 },
          }),
        ]);
      });

      test('a key within its budget gets 402 if its wallet has too few credits', async () => {
        const header = await keyWith({ maxTotal: 1_000_000 });
        for (let paid = 0; paid < 2; paid += 1) await call('paint', {}, header);
        const refused = await call('paint', {}, header);
        expect(refused).toMatchObject({ status: 402, code: 'insufficient_credits' });
        expect(refused).not.toHaveProperty('budget');
      });

      test('a long input is named, not repeated', async () => {
        const header = await keyWith({ maxTotal: 1000 });
        const refused = await call('describe_it', { of: 'a'.repeat(5000) }, header);
        expect(refused.try).toEqual({ of: '<the same of>', tier: 'brief' });
      });
    });
  }),
);

async function contextOn(database: Parameters<typeof createWallets>[0]): Promise<PipelineContext> {
  const catalogue = createCatalogue([describeIt, paint, searchTools] as unknown as AnyTool[]);
  const publicUrl = 'http://atelier.test';
  const { privateKey: key } = generateKeyPairSync('ed25519');
  return {
    ...plainContext(),
    services: {
      prices: LIST_PRICES,
      wallets: createWallets(database),
      ownership: createOwnership({ database, publicUrl }),
      payments: {},
      receipts: await createReceipts({ database, key, publicUrl }),
      catalogue,
      site: { publicUrl },
      webhooks: { tell: async () => {} },
      pixels: {},
    } as unknown as Services,
    answers: {} as PipelineContext['answers'],
  };
}

const NO_UPLOADS = createSpool({ folder: '/nonexistent', bytesMax: 0 });

const http = (context: PipelineContext) =>
  createHttp({
    context,
    spool: NO_UPLOADS,
    operations: [],
    mounts: {
      '/mcp': createMcp(context, { version: '0', publicUrl: 'http://atelier.test', allowedOrigins: [] }),
    },
    trustedProxies: [],
    logger: { info() {}, debug() {} },
    pages: { publicUrl: 'http://atelier.test', allowedOrigins: [], isPrivate: false, isLoopback: false },
    report: (error) => {
      throw error;
    },
  });
