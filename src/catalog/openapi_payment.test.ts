import { expect, test } from 'vitest';
import { lintOpenApi } from '../../tests/support/lint_openapi.ts';
import { sampleOperations } from '../../tests/support/sample_operations.ts';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { llmsText } from './llms.ts';
import { openApiDocument } from './openapi.ts';
import { pricingDocument } from './pricing.ts';

const x402 = (credits: number) => [
  { network: 'eip155:8453', asset: '0xA', payTo: '0xB', amount: `${credits}00000` },
];
const context = { publicUrl: 'https://atelier.test', version: '0.5.0' };
const documentOf = (more: object) =>
  // biome-ignore lint/suspicious/noExplicitAny: a document is walked by name
  openApiDocument(sampleTools, sampleOperations, { ...context, ...more }) as any;
const [off, on] = [documentOf({}), documentOf({ x402 })];
// biome-ignore lint/suspicious/noExplicitAny: as above
const post = (document: any, name: string) => document.paths[`/api/tools/${name}`].post;

test('the document with x402 passes the recommended rules of an independent linter', () => {
  expect(lintOpenApi(on)).toBe('');
});

test('x-payment-info states the price in US dollars, fixed or per field value', () => {
  expect(post(off, 'keep_note')['x-payment-info']).toMatchObject({
    price: { mode: 'fixed', currency: 'USD', amount: '0.30', credit: 3 },
    protocols: [],
    offers: [{ intent: 'charge', method: 'credits', amount: '3', currency: 'credit' }],
  });
  expect(post(off, 'describe_image')['x-payment-info'].price).toMatchObject({
    mode: 'dynamic',
    currency: 'USD',
    min: '0.10',
    max: '0.20',
  });
});

test('with x402, a paid tool documents the x402 offer and its request and response headers', () => {
  const paid = post(on, 'keep_note');
  expect(paid['x-payment-info'].protocols).toEqual([{ x402: {} }]);
  expect(paid['x-payment-info'].offers[1]).toMatchObject({
    intent: 'charge',
    method: 'x402',
    amount: '300000',
    currency: '0xA',
    network: 'eip155:8453',
  });
  expect(paid.security).toEqual([{ creditBearer: [] }, { x402Payment: [] }, { x402PaymentV1: [] }]);
  expect(Object.keys(paid.responses[200].headers)).toContain('PAYMENT-RESPONSE');
  expect(Object.keys(on.components.responses.E402.headers)).toContain('PAYMENT-REQUIRED');
  expect(on.components.schemas.PaymentProblem.properties).toHaveProperty('accepts');
});

test('a free tool has no payment information', () => {
  expect(post(on, 'turn_image')).not.toHaveProperty('x-payment-info');
  expect(post(on, 'turn_image').security).toEqual([]);
});

test('without x402, no document mentions it', () => {
  const pricing = pricingDocument(sampleTools, { ...context, packs: [] });
  const all = [off, pricing, llmsText(sampleTools, sampleOperations, context)];
  expect(JSON.stringify(all)).not.toMatch(/x402/i);
});

test('with x402, the pricing document and llms.txt describe how to pay', () => {
  const pricing = pricingDocument(sampleTools, { ...context, packs: [], x402 });
  expect(pricing.x402).toMatchObject({ versions: [1, 2], per_credit: [{ amount: '100000' }] });
  expect(llmsText(sampleTools, sampleOperations, { ...context, x402 })).toMatch(
    /x402.*PAYMENT-REQUIRED.*eip155:8453/,
  );
});
