import { CREDIT_USD } from '../../config/limits.ts';

/**
 * What a call costs, in whole credits. A price that depends on the input names the field and its values, so it can be
 * printed without running anything.
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
/** Of a call made of other calls: whatever these cost together, and nothing of its own. */
export const SUM_OF_STEPS: Price = { kind: 'steps' };

/** Credits for this parsed input; of a call made of others, none of its own. */
export function priceOf(price: Price, input: Record<string, unknown>): number {
  if (price.kind === 'free' || price.kind === 'steps') return 0;
  if (price.kind === 'flat') return price.credits;
  const credits = price.credits[String(input[price.field])];
  if (credits === undefined) throw new Error(`no price for ${price.field} = ${String(input[price.field])}`);
  return credits;
}

/** The most a call can cost by itself; 0 exactly when the tool is free, or costs what its steps cost. */
export function highestPrice(price: Price): number {
  if (price.kind === 'free' || price.kind === 'steps') return 0;
  return price.kind === 'flat' ? price.credits : Math.max(...Object.values(price.credits));
}

/** Whether calls of the tool never cost anything. */
export const isFree = ({ kind }: Price): boolean => kind === 'free';

/** US dollars for a number of credits, rounded to thousandths of a cent so that 3 credits are 0.3 and not 0.30000000000000004. */
export const usd = (credits: number): number => Math.round(credits * CREDIT_USD * 100_000) / 100_000;

/** The cost object of every answer. */
export const costOf = (credit: number): { credit: number; usd: number; note?: string } =>
  credit === 0 ? { credit, usd: 0, note: 'This call is free.' } : { credit, usd: usd(credit) };
