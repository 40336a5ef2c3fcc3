import { CREDIT_USD } from '../../config/limits.ts';

/**
 * Price of a call in whole credits. A price that depends on the input names the field and its values, so that it can be documented.
 */
export type Price =
  | { readonly kind: 'free' }
  | { readonly kind: 'flat'; readonly credits: number }
  | { readonly kind: 'by'; readonly field: string; readonly credits: Readonly<Record<string, number>> }
  | { readonly kind: 'steps' };

export const FREE: Price = { kind: 'free' };
export const credits = (count: number): Price => ({ kind: 'flat', credits: count });
export const creditsBy = (field: string, table: Record<string, number>): Price => ({
  kind: 'by',
  field,
  credits: table,
});
/** Price of a call that consists of other calls: their sum. */
export const SUM_OF_STEPS: Price = { kind: 'steps' };

/** Credits for a parsed input; 0 for the sum of steps, which are priced separately. */
export function priceOf(price: Price, input: Record<string, unknown>): number {
  if (price.kind === 'free' || price.kind === 'steps') return 0;
  if (price.kind === 'flat') return price.credits;
  const credits = price.credits[String(input[price.field])];
  if (credits === undefined) throw new Error(`no price for ${price.field} = ${String(input[price.field])}`);
  return credits;
}

/** Maximum price of a call, without its steps; 0 if and only if the tool is free or priced by its steps. */
export function highestPrice(price: Price): number {
  if (price.kind === 'free' || price.kind === 'steps') return 0;
  return price.kind === 'flat' ? price.credits : Math.max(...Object.values(price.credits));
}

/** Whether a tool is free. */
export const isFree = ({ kind }: Price): boolean => kind === 'free';

/** US dollars for a number of credits, rounded to thousandths of a cent, so that 3 credits are 0.3 and not 0.30000000000000004. */
export const usd = (credits: number): number => Math.round(credits * CREDIT_USD * 100_000) / 100_000;

/** The `cost` object of responses. */
export const costOf = (credit: number): { credit: number; usd: number; note?: string } =>
  credit === 0 ? { credit, usd: 0, note: 'This call is free.' } : { credit, usd: usd(credit) };
