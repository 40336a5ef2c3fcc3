import { expect, test } from 'vitest';
import { amountDue } from './payment.ts';

const ran = (credits: number) => ({ warnings: [], found: { credits, why: 'a test' } });

test('a run that delivers less than quoted is free, with or without a price rule', () => {
  const free = [1, 2, 3, 4].map((credits) => [
    amountDue(ran(credits), { price: 5 }),
    amountDue(ran(credits), { price: 2, full: 5 }),
  ]);
  expect(free).toEqual([1, 2, 3, 4].map(() => [0, 0]));
});

test('a run that delivers the quoted result costs the reduced price', () => {
  expect(amountDue(ran(5), { price: 2, full: 5 })).toBe(2);
  expect(amountDue({ warnings: [] }, { price: 2, full: 5 })).toBe(2);
});
