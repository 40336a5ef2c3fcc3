import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { asToolSteps } from '../src/catalog/next_steps.ts';
import { isImageField } from '../src/features/definitions/fields.ts';
import { highestPrice } from '../src/features/definitions/price.ts';
import type { AnyTool } from '../src/features/definitions/tool.ts';
import { tools } from '../src/features/tools.ts';
import { importExampleWork } from './support/import_example_work.ts';
import { openTestApp, type TestApp, type TestReply } from './support/open_test_app.ts';

/** What every tool must do, whatever it does: the list is the only thing this file knows. */

const PAYER = { Authorization: 'Bearer 0x00000000000000000000000000000000000000b1' };
const folder = mkdtempSync(join(tmpdir(), 'atelier-battery-'));
let app: TestApp;

beforeAll(async () => {
  await importExampleWork(folder);
  app = await openTestApp({ DATA_DIR: folder });
  await app.post('/api/wallet/register', { wallet: PAYER.Authorization.slice(7) });
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (tool: AnyTool, body: unknown, headers: Record<string, string> = PAYER): Promise<TestReply> =>
  app.post(`/api/tools/${tool.name}`, body, headers);

const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;
const requiredFields = (tool: AnyTool): string[] =>
  Object.entries(tool.input.shape)
    .filter(([, schema]) => isRequired(schema as z.ZodType))
    .map(([name]) => name);

/** A body that is right in every field but those of storage, which need something stored first. */
const example = (tool: AnyTool): Record<string, unknown> => structuredClone(tool.examples[0]!);

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  test('describes its purpose and its price', () => {
    expect(tool.summary.length).toBeGreaterThan(20);
    expect(tool.words?.length).toBeGreaterThan(20);
    expect(highestPrice(tool.price)).toBeGreaterThanOrEqual(0);
  });

  test('has examples its own input accepts', () => {
    expect(tool.examples.length).toBeGreaterThan(0);
    for (const body of tool.examples) expect(tool.input.safeParse(body).error).toBeUndefined();
  });

  test('names each missing field', async () => {
    const { status, body } = await call(tool, {});
    const missing = requiredFields(tool);
    // Where fields stand for one another, none of them is required alone.
    expect(missing.length > 0 ? [400] : [200, 400, 402]).toContain(status);
    if (missing.length > 0) expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(missing);
  });

  test.each(Object.keys(tool.input.shape))('refuses a wrong type in %s', async (field) => {
    const { status, body } = await call(tool, { ...example(tool), [field]: [[{}]] });
    expect(status).toBe(400);
    expect(body.errors[0].field.split('.')[0]).toBe(field);
  });

  test('warns about a field it does not know', async () => {
    const { body } = await call(tool, { ...example(tool), no_such_field: 1, dry_run: true });
    expect(body.warnings).toContainEqual(expect.stringContaining('no_such_field'));
  });

  test('asks for payment exactly when it has a price', async () => {
    const { status } = await call(tool, {}, {});
    expect(status === 402).toBe(highestPrice(tool.price) > 0);
  });

  test('a dry run charges nothing', async () => {
    const { status, body } = await call(tool, { ...example(tool), dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dry_run: true,
      cost: { credit: 0, usd: 0 },
      quote: { credit: expect.any(Number) },
    });
  });

  test('a degraded response names the fix', async () => {
    const { body } = await call(tool, { ...example(tool), dry_run: true });
    if (body.quote.degraded)
      expect(body.quote.degraded_reason).toMatch(/atelier models|VISION_PROVIDER|\b[A-Z]+_[A-Z_]+\b/);
    else expect(body.quote).not.toHaveProperty('degraded_reason');
  });

  test('MCP returns the same as REST', async () => {
    const asked = { ...example(tool), dry_run: true, ...('output' in tool.input.shape && { output: 'url' }) };
    const [rest, mcp] = [await call(tool, asked), await overMcp(tool)];
    const { next_steps, ...said } = rest.body;
    expect(mcp).toEqual({ ...said, ...(next_steps && { next_steps: asToolSteps(next_steps) }) });
  });
});

async function overMcp(tool: AnyTool): Promise<unknown> {
  const params = { name: tool.name, arguments: { ...example(tool), dry_run: true } };
  const { body } = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, PAYER);
  return body.result.structuredContent;
}

describe('every tool with an image field', () => {
  const takers = tools.flatMap((tool) =>
    Object.entries(tool.input.shape)
      .filter(([, schema]) => isImageField(schema as object))
      .map(([field]) => [tool.name, tool, field] as const),
  );

  test.each(takers)(
    '%s rejects input that is not an image and names the field',
    async (_name, tool, field) => {
      const { status, body } = await call(tool, {
        ...example(tool),
        [field]: Buffer.from('no picture').toString('base64'),
      });
      expect(status).toBe(415);
      expect(body.errors?.[0]?.field ?? body.detail).toContain(field);
    },
  );
});
