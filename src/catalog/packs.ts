import { MILLICREDITS_PER_CREDIT } from '../config/limits.ts';

/** The credit packs of the specification. */
export const PACKS = [
  { id: 'starter', name: 'Starter', credits: 50, per_credit: 0.1, price_usd: 5, savings: 'Base rate' },
  { id: 'creator', name: 'Creator', credits: 100, per_credit: 0.1, price_usd: 10, savings: 'Base rate' },
  { id: 'pro', name: 'Pro', credits: 600, per_credit: 0.083, price_usd: 50, savings: '17% off' },
  { id: 'studio', name: 'Studio', credits: 1600, per_credit: 0.0625, price_usd: 100, savings: '38% off' },
] as const;

/** The order of a number of packs, for the card processor. Amounts in cents and in thousandths of a credit. */
export function packOrder(id: string, quantity: number) {
  const { name, credits, price_usd } = PACKS.find((pack) => pack.id === id)!;
  return {
    pack: id,
    title: `Atelier ${name}: ${quantity > 1 ? `${quantity} × ` : ''}${credits} credits`,
    amountCents: Math.round(price_usd * 100) * quantity,
    amount: credits * MILLICREDITS_PER_CREDIT * quantity,
  };
}

/** The cheapest packs of one kind for a number of credits. */
export function packsFor(credits: number): { id: (typeof PACKS)[number]['id']; quantity: number } {
  const offers = PACKS.map((pack) => {
    const quantity = Math.max(1, Math.ceil(credits / pack.credits));
    return { id: pack.id, quantity, usd: quantity * pack.price_usd };
  });
  const { id, quantity } = offers.reduce((best, one) => (one.usd <= best.usd ? one : best));
  return { id, quantity };
}

export interface PackListing {
  name: string;
  credits: number;
  per_credit: number;
  price_usd: number;
  savings: string;
  checkout_url: string;
}

/** The packs for clients, each with its checkout link. */
export function packListing(publicUrl: string, wallet: string | undefined): PackListing[] {
  return PACKS.map(({ id, ...pack }) => ({
    ...pack,
    checkout_url: `${publicUrl}/checkout/${id}${wallet ? `?wallet=${wallet}` : ''}`,
  }));
}
