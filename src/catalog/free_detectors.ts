import { highestPrice } from '../features/definitions/price.ts';
import type { AnyContract } from '../features/definitions/tool.ts';

/** Free tools that detect AI markers; priced ones are omitted. */
export const freeDetectors = <Contract extends AnyContract>(tools: readonly Contract[]): Contract[] =>
  tools.filter(({ detectsAi, price }) => detectsAi === true && highestPrice(price) === 0);
