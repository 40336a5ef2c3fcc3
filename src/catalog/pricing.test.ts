import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { pricingDocument } from './pricing.ts';

const document = pricingDocument(sampleTools, {
  publicUrl: 'https://atelier.test',
  version: '0.5.0',
  packs: [],
});

test('every tool has the price of its definition', () => {
  expect(document.tools).toMatchObject([
    { name: 'turn_image', cost: { credit: 0, usd: 0 }, free: true },
    { name: 'describe_image', cost: { credit: 2, usd: 0.2 }, free: false },
    { name: 'keep_note', cost: { credit: 3, usd: 0.3 }, endpoint: '/api/tools/keep_note' },
  ]);
});

test('a price that depends on a field lists every value', () => {
  expect(document).toHaveProperty('tools.1.tiers', [
    { field: 'tier', value: 'standard', cost: { credit: 1, usd: 0.1 } },
    { field: 'tier', value: 'premium', cost: { credit: 2, usd: 0.2 } },
  ]);
});
