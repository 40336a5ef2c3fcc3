import { expect, test } from 'vitest';
import { createParseTurns } from './index.ts';

test('addresses are scheduled round-robin', async () => {
  const turn = createParseTurns();
  const order: string[] = [];
  const take = async (address: string) => {
    await turn(address);
    order.push(address);
  };
  await Promise.all(['a', 'a', 'a', 'b'].map(take));
  expect(order.join('')).toBe('abaa');
});
