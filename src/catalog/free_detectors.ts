import { highestPrice } from '../features/definitions/price.ts';
import type { AnyContract } from '../features/definitions/tool.ts';

/** Tools that tell marks of AI for nothing; one that is given a price is named no more. */
export const freeDetectors = <Contract extends AnyContract>(tools: readonly Contract[]): Contract[] =>
  tools.filter(({ detectsAi, price }) => detectsAi === true && highestPrice(price) === 0);
