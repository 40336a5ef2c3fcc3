import { z } from 'zod';
import { CARD_PAYMENT_CENTS_MIN, CREDIT_CENTS } from '../config/limits.ts';
import { highestPrice, type Price, usd } from '../features/definitions/price.ts';
import type { JsonSchema } from './json_schema.ts';
import { MPP_HEADERS } from './mpp_names.ts';
import type { PaymentWays } from './payment_ways.ts';
import { X402_HEADERS } from './x402_names.ts';

/**
 * `x-payment-info` of a paid operation: price and payment methods. Indexers of paid services read `price.mode`, `currency`,
 * `amount` (or `min` and `max`) and `protocols`; the discovery draft of the Payment HTTP scheme reads `offers`.
 */
export function paymentInfo(
  price: Price,
  { takesCards = false, takesTokens = false, x402 }: PaymentWays,
): JsonSchema {
  const credit = highestPrice(price);
  return {
    price: {
      ...describePrice(price),
      credit,
      usd: usd(credit),
      ...(price.kind === 'by' && { by: { field: price.field, credits: price.credits } }),
    },
    protocols: [...(x402 ? [{ x402: {} }] : []), ...(takesTokens ? [{ mpp: {} }] : [])],
    offers: [
      {
        intent: 'charge',
        method: 'credits',
        amount: String(credit),
        currency: 'credit',
        description: 'Authorization: Bearer <wallet>. Charged on success only.',
      },
      ...(takesCards ? [cardOffer(credit)] : []),
      ...(takesTokens ? [tokenOffer(credit)] : []),
      ...(x402?.(credit) ?? []).map(({ network, asset, payTo, amount }) => ({
        intent: 'charge',
        method: 'x402',
        amount,
        currency: asset,
        network,
        payTo,
        description: `${X402_HEADERS.payment[2]} or ${X402_HEADERS.payment[1]}: the payment requirements of the 402, signed. Settled on success only.`,
      })),
    ],
  };
}

const cardOffer = (credit: number) => ({
  intent: 'charge',
  method: 'card',
  amount: String(Math.max(credit * CREDIT_CENTS, CARD_PAYMENT_CENTS_MIN)),
  currency: 'usd',
  description:
    'X-Payment-Intent from POST /api/create-payment-intent. Charged on success only; the remainder pays for further calls of the tool.',
});

const tokenOffer = (credit: number) => ({
  intent: 'charge',
  method: 'stripe',
  amount: String(Math.max(credit * CREDIT_CENTS, CARD_PAYMENT_CENTS_MIN)),
  currency: 'usd',
  description:
    'Authorization: Payment with a shared payment token that answers the challenge of a 402. Charged on success only; the remainder pays for further calls of the tool.',
});

/** US dollars in the format of indexers. */
function describePrice(price: Price): JsonSchema {
  if (price.kind !== 'by') return { mode: 'fixed', currency: 'USD', amount: dollars(highestPrice(price)) };
  const credits = Object.values(price.credits);
  return {
    mode: 'dynamic',
    currency: 'USD',
    min: dollars(Math.min(...credits)),
    max: dollars(Math.max(...credits)),
  };
}

const dollars = (credits: number): string => usd(credits).toFixed(2);

export const paymentSecurity = (ways: PaymentWays): JsonSchema[] =>
  ['creditBearer', ...Object.keys(paymentSchemes(ways))].map((name) => ({ [name]: [] }));

/** Headers that pay for one call. */
export const paymentSchemes = ({
  takesCards = false,
  takesTokens = false,
  x402,
  x402Extensions,
}: PaymentWays): JsonSchema => ({
  ...(takesCards && cardSchemes),
  ...(takesTokens && tokenSchemes),
  ...(x402 && x402Schemes),
  ...(x402Extensions?.includes('sign-in-with-x') && signInSchemes),
});

const scheme = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

const cardSchemes = {
  paymentIntent: scheme(
    'X-Payment-Intent',
    'Identifier of a payment intent from POST /api/create-payment-intent.',
  ),
};

const tokenSchemes = {
  paymentCredential: {
    type: 'http',
    scheme: 'payment',
    description: `Machine Payments Protocol: \`${MPP_HEADERS.credential}: Payment\` and base64url of a credential that answers the challenge in the ${MPP_HEADERS.challenge} header of a 402.`,
  },
};

const x402Schemes = {
  x402Payment: scheme(
    X402_HEADERS.payment[2],
    `x402 version 2: base64 of the payment that fulfils one of \`accepts\` in the ${X402_HEADERS.demand} header of a 402.`,
  ),
  x402PaymentV1: scheme(
    X402_HEADERS.payment[1],
    'x402 version 1: base64 of the payment that fulfils one of `accepts` in the body of a 402.',
  ),
};

const signInSchemes = {
  signInWithX: scheme(
    X402_HEADERS.signIn,
    `base64 of the challenge in the ${X402_HEADERS.demand} header of a 402 (extensions["sign-in-with-x"]), signed by a wallet whose credits pay for this call.`,
  ),
};

const base64Header = (description: string) => ({ description, schema: { type: 'string' } });

export const x402Headers = {
  X402Demand: base64Header('x402 version 2: base64 of {x402Version, error, resource, accepts, extensions}.'),
  X402Settlement: base64Header(
    'base64 of {success, transaction, network, payer, extensions}, if the call was paid by x402.',
  ),
};

/** On a 402. */
export const X402_DEMAND_HEADERS = { [X402_HEADERS.demand]: { $ref: '#/components/headers/X402Demand' } };

/** On the response of a paid call, in the version of the payment. */
export const X402_ANSWER_HEADERS = Object.fromEntries(
  Object.values(X402_HEADERS.settlement).map((name) => [
    name,
    { $ref: '#/components/headers/X402Settlement' },
  ]),
);

export const mppHeaders = {
  MppChallenge: {
    description:
      'Machine Payments Protocol: a challenge of the scheme Payment in addition to the bearer challenge. New with every 402, valid for one call.',
    schema: { type: 'string' },
  },
  MppReceipt: {
    description:
      'base64url of {status, method, timestamp, reference}, if the call was paid by a payment token.',
    schema: { type: 'string' },
  },
};

/** On a 402. */
export const MPP_DEMAND_HEADERS = {
  [MPP_HEADERS.challenge]: { $ref: '#/components/headers/MppChallenge' },
};

/** On the response of a paid call. */
export const MPP_ANSWER_HEADERS = { [MPP_HEADERS.receipt]: { $ref: '#/components/headers/MppReceipt' } };

/** Members of a 402 body for version 1. */
export const x402Members = {
  x402Version: z.literal(1).optional(),
  accepts: z.array(z.record(z.string(), z.unknown())).optional().describe('x402 version 1: ways to pay.'),
};
