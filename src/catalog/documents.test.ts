import { expect, test } from 'vitest';
import { CLOSED_METRICS, NO_ENGINES } from '../../tests/support/closed_metrics.ts';
import { lintOpenApi } from '../../tests/support/lint_openapi.ts';
import { highestPrice, isFree, usd } from '../features/definitions/price.ts';
import { discoveryOperations } from '../features/discovery/routes/index.ts';
import { operations as endpoints } from '../features/operations.ts';
import { tools } from '../features/tools.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import { llmsText } from './llms.ts';
import { mcpJson } from './mcp_card.ts';
import { openApiDocument } from './openapi.ts';
import { packListing } from './packs.ts';
import { pricingDocument } from './pricing.ts';

/** Documents generated from the real lists: each mentions everything, and all agree. */
const context = { publicUrl: 'https://atelier.test', version: '0.5.0' };
const operations = [
  ...endpoints,
  ...discoveryOperations({
    tools,
    operations: endpoints,
    site: context,
    version: context.version,
    build: 'abc',
    health: { check: async () => ({ database: true, storage: true, room: true }) },
    metrics: CLOSED_METRICS,
    engines: NO_ENGINES,
  }),
];
// biome-ignore lint/suspicious/noExplicitAny: a document is walked by name
const openApi = openApiDocument(tools, operations, context) as any;
const pricing = pricingDocument(tools, { ...context, packs: packListing(context.publicUrl, undefined) });
const names = tools.map(({ name }) => name);

test('the OpenAPI document passes the linter and lists every tool and operation', () => {
  expect(lintOpenApi(openApi)).toBe('');
  expect(Object.keys(openApi.paths)).toEqual(
    expect.arrayContaining([
      ...names.map((name) => `/api/tools/${name}`),
      ...operations.map(({ path }) => path),
    ]),
  );
});

test('every operationId is unique', () => {
  const ids = Object.values(openApi.paths).flatMap((path) =>
    Object.values(path as object).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('pricing, OpenAPI and the MCP manifest state the same price for every tool', () => {
  const manifest = mcpJson(tools, context) as unknown as { tools: { name: string; cost: object }[] };
  for (const { name, price } of tools) {
    const credit = highestPrice(price);
    const cost = { credit, usd: usd(credit) };
    expect((pricing.tools as { name: string }[]).find((tool) => tool.name === name)).toMatchObject({ cost });
    expect(manifest.tools.find((tool) => tool.name === name)).toMatchObject({ cost });
    const { security, ...post } = openApi.paths[`/api/tools/${name}`].post;
    expect(security.length > 0).toBe(!isFree(price));
    expect('402' in post.responses).toBe(!isFree(price));
    expect('x-payment-info' in post).toBe(credit > 0);
  }
});

test('llms.txt lists every tool exactly once', () => {
  const text = llmsText(tools, operations, context);
  for (const name of names) expect(text.match(new RegExp(`^- \\[${name}\\]`, 'gm'))).toHaveLength(1);
});

test('every example is valid input, and every numeric input field has bounds', () => {
  for (const { name, input, price, examples } of tools) {
    for (const example of examples) expect(input.safeParse(example).error, name).toBeUndefined();
    const { properties } = inputJsonSchema({ input, price }, 'draft-2020-12');
    const unbounded = Object.entries(properties as Record<string, Record<string, unknown>>).filter(
      ([, { type, enum: values, maximum }]) =>
        /^(integer|number)$/.test(String(type)) && !values && maximum === undefined,
    );
    expect(unbounded, name).toEqual([]);
  }
});

test('generated documents stay within their size limits', () => {
  expect(JSON.stringify(openApi).length).toBeLessThan(780_000);
  expect(llmsText(tools, operations, context).length).toBeLessThan(40_000);
});
