import { expect, test } from 'vitest';
import { quotedMoments, reduced, reductionAt } from './prices.ts';
import type { StoredRule } from './types.ts';

const MADE = new Date('2026-11-01T00:00:00Z');
const rule = (more: Partial<StoredRule>): StoredRule => ({ name: 'one', percent: 50, madeAt: MADE, ...more });
const at = (time: string) => new Date(`2026-11-27T${time}Z`);
const percent = (rules: StoredRule[], time = '12:00:00', more = {}) =>
  reductionAt(rules, { tool: 'upscale_image', at: at(time), ...more }).percent;

test('discount hours that span midnight apply before and after it', () => {
  const night = [rule({ hours: { from: 22, until: 6 } })];
  const hours = ['21:59:59', '22:00:00', '00:00:00', '05:59:59', '06:00:00'];
  expect(hours.map((hour) => percent(night, hour))).toEqual([100, 50, 50, 50, 100]);
});

test('a rule for a tier, tool or volume does not affect other calls', () => {
  const volume = { unit: 'calls', min: 10 } as const;
  expect(percent([rule({ tier: 'gold' })], undefined, { tier: 'silver' })).toBe(100);
  expect(percent([rule({ tools: ['save_asset'] })])).toBe(100);
  const calls = [undefined, 9, 10].map((count) => count && { calls: count, credits: 0 });
  expect(calls.map((one) => percent([rule({ volume })], undefined, { volume: one }))).toEqual([100, 100, 50]);
});

test('the lowest matching price applies, and discounts are not combined', () => {
  expect(percent([rule({ percent: 90 }), rule({ percent: 40 }), rule({ percent: 50 })])).toBe(40);
});

test('a discounted price is in whole credits, rounded up, between zero and the list price', () => {
  const prices = [1, 2, 3, 7, 1999].flatMap((credits) =>
    Array.from({ length: 101 }, (_, percent) => [credits, reduced(credits, percent), percent] as const),
  );
  expect(prices.filter(([list, price]) => !(price >= 0 && price <= list))).toEqual([]);
  expect(prices.filter(([, price]) => !Number.isInteger(price))).toEqual([]);
  expect([reduced(1, 33), reduced(7, 100), reduced(5, 41), reduced(3, 0)]).toEqual([1, 7, 3, 0]);
});

test('the price of an expired rule remains valid for the quote period', () => {
  const ended = [rule({ removedAt: at('12:00:00') })];
  const lowest = (time: string) =>
    Math.min(
      ...quotedMoments(ended, at(time), 300_000).map(
        (moment) => reductionAt(ended, { tool: 'x', at: moment }).percent,
      ),
    );
  expect([lowest('12:04:59'), lowest('12:05:01')]).toEqual([50, 100]);
});
