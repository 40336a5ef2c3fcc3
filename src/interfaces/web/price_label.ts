import { highestPrice, type Price } from '../../features/definitions/price.ts';
import { creditsLabel } from './frame.ts';

/** Price as in the price list: "free", "2 credits", "1 to 3 credits", "depends on its steps". */
export function priceLabel(price: Price): string {
  if (price.kind === 'free') return 'free';
  if (price.kind === 'steps') return 'depends on its steps';
  if (price.kind === 'flat') return creditsLabel(price.credits);
  const most = highestPrice(price);
  const least = Math.min(...Object.values(price.credits));
  if (most === 0) return 'free';
  return least === most ? creditsLabel(most) : `${least === 0 ? 'free' : least} to ${creditsLabel(most)}`;
}
