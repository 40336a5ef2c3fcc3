import {
  CARD_PAYMENT_USD_MIN,
  CREDIT_BACK_PERCENT,
  CREDIT_USD,
  SEARCHES_PER_HOUR_MAX,
  WALLET_STORAGE_BYTES_MAX,
  WELCOME_CREDITS,
} from '../config/limits.ts';
import { highestPrice, isFree, type Price, usd } from '../features/definitions/price.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { PriceRule } from '../features/operator/prices/types.ts';
import type { JsonSchema } from './json_schema.ts';
import { priceText } from './next_steps.ts';
import type { DocumentContext } from './openapi.ts';
import { X402_HEADERS } from './x402_names.ts';

/** Date of the last price change. Update it with every change. */
const PRICES_SINCE = '2026-11-21';

export interface PricingContext extends DocumentContext {
  /** The packs as listed by GET /api/credits. */
  readonly packs: readonly object[];
  readonly priceRules?: readonly PriceRule[];
}

/** Machine-readable price list. Amounts in whole credits and in US dollars. */
export function pricingDocument(
  tools: readonly AnyTool[],
  {
    publicUrl,
    version,
    packs,
    takesCards = false,
    takesTokens = false,
    x402,
    priceRules = [],
  }: PricingContext,
): JsonSchema {
  return {
    service: 'Atelier',
    version,
    updated_at: PRICES_SINCE,
    currency: 'USD',
    unit: { name: 'credit', usd: CREDIT_USD, scale: 3 },
    packs,
    tools: tools.map(toolPricing),
    ...(priceRules.length > 0 && { price_rules: priceRules.map(ruleOf), price_rules_note: RULES_NOTE }),
    per_call: {
      minimum_usd: CARD_PAYMENT_USD_MIN,
      methods: [...(takesCards ? ['card'] : []), ...(takesTokens ? ['stripe/charge'] : [])],
      header: 'X-Payment-Intent',
      create: 'POST /api/create-payment-intent',
    },
    ...(x402 && {
      x402: {
        versions: [1, 2],
        headers: X402_HEADERS.payment,
        per_credit: x402(1),
        directory: `${publicUrl}/.well-known/x402`,
        note: 'The exact price of a call in the token, without a minimum; the 402 of a tool has the payload to sign.',
      },
    }),
    free_trial: {
      amount: WELCOME_CREDITS,
      value_usd: usd(WELCOME_CREDITS),
      how: 'POST /api/wallet/register',
    },
    credit_back_pct: CREDIT_BACK_PERCENT,
    limits: { searches_per_hour: SEARCHES_PER_HOUR_MAX, storage_bytes_per_wallet: WALLET_STORAGE_BYTES_MAX },
    refund_policy:
      'A call that fails costs nothing: credits are held while it runs and charged only if it succeeds.',
    links: {
      credits: `${publicUrl}/api/credits`,
      openapi: `${publicUrl}/openapi.json`,
      llms: `${publicUrl}/llms.txt`,
    },
  };
}

const RULES_NOTE =
  'The lowest applicable price counts, rounded up to whole credits. Prices above include current discounts for all clients; dry_run and every 402 return the exact price of your call, valid for 5 minutes.';

const ruleOf = ({ name, percent, tier, tools, volume, startsAt, endsAt, hours }: PriceRule): JsonSchema => ({
  name,
  percent_of_list_price: percent,
  ...(tier !== undefined && { tier }),
  ...(tools && { tools: [...tools] }),
  ...(volume && { from_this_month: { [volume.unit]: volume.min } }),
  ...(startsAt && { starts_at: startsAt.toISOString() }),
  ...(endsAt && { ends_at: endsAt.toISOString() }),
  ...(hours && { hours_utc: `${hours.from}-${hours.until}` }),
});

function toolPricing({ name, category, price, listPrice }: AnyTool): JsonSchema {
  return {
    name,
    category,
    cost: costOf(highestPrice(price)),
    ...(listPrice && { list_cost: costOf(highestPrice(listPrice)) }),
    ...(price.kind === 'by' && { tiers: tiersOf(price) }),
    endpoint: `/api/tools/${name}`,
    method: 'POST',
    free: isFree(price),
    ...(price.kind === 'steps' && { note: priceText(price) }),
    charged_on: 'success',
  };
}

const costOf = (credit: number) => ({ credit, usd: usd(credit) });

const tiersOf = ({ field, credits }: Extract<Price, { kind: 'by' }>) =>
  Object.entries(credits).map(([value, credit]) => ({ field, value, cost: costOf(credit) }));
