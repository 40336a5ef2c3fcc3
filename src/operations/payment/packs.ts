/** The credit packs of the specification. */
export const PACKS = [
  { id: 'starter', name: 'Starter', credits: 50, per_credit: 0.1, price_usd: 5, savings: 'Base rate' },
  { id: 'creator', name: 'Creator', credits: 100, per_credit: 0.1, price_usd: 10, savings: 'Base rate' },
  { id: 'pro', name: 'Pro', credits: 600, per_credit: 0.083, price_usd: 50, savings: '17% off' },
  { id: 'studio', name: 'Studio', credits: 1600, per_credit: 0.0625, price_usd: 100, savings: '38% off' },
] as const;

export interface PackListing {
  name: string;
  credits: number;
  per_credit: number;
  price_usd: number;
  savings: string;
  checkout_url: string;
}

/** The packs as callers see them, each with the link where a card pays for it. */
export function packListing(publicUrl: string, wallet: string | undefined): PackListing[] {
  return PACKS.map(({ id, ...pack }) => ({
    ...pack,
    checkout_url: `${publicUrl}/checkout/${id}${wallet ? `?wallet=${wallet}` : ''}`,
  }));
}
