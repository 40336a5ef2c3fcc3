import { bazaarOf } from '../../catalog/bazaar.ts';
import { MPP_HEADERS, MPP_META } from '../../catalog/mpp_names.ts';
import { creditsText, nextSteps } from '../../catalog/next_steps.ts';
import { packListing } from '../../catalog/packs.ts';
import { X402_HEADERS } from '../../catalog/x402_names.ts';
import {
  CARD_PAYMENT_CENTS_MIN,
  CARD_PAYMENT_USD_MIN,
  CREDIT_CENTS,
  WELCOME_CREDITS,
} from '../../config/limits.ts';
import { AtelierError, type ErrorCode, type ErrorDetails } from '../../core/errors/atelier_error.ts';
import { type Challenge, challengeText } from '../../features/billing/mpp/mpp.ts';
import { MIME_TYPE } from '../../features/billing/x402/requirements.ts';
import type { Requirement } from '../../features/billing/x402/types.ts';
import { sandboxContracts } from '../../features/definitions/contracts.ts';
import { usd } from '../../features/definitions/price.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { PipelineContext } from '../types.ts';

interface PaymentRequired {
  readonly code: ErrorCode;
  readonly detail: string;
  /** The price of this call, in credits. */
  readonly price: number;
  /** Known state of the wallet that was to pay. */
  readonly wallet?: {
    readonly wallet?: string;
    readonly registered?: boolean;
    readonly [name: string]: unknown;
  };
  /** Details of the failure itself, such as the state of a payment intent. */
  readonly details?: ErrorDetails;
}

/** The 402 of the specification: how to get credits, a card checkout link, and every other way to pay. */
export function paymentRequired(
  context: PipelineContext,
  tool: AnyTool,
  problem: PaymentRequired,
): AtelierError {
  const { code, detail, price, wallet = {}, details = {} } = problem;
  const { services } = context;
  const { publicUrl } = services.site;
  const packs = packListing(publicUrl, wallet.wallet);
  const card = services.payments.takes && !tool.steps ? [cardOption(tool, price)] : [];
  const error = new AtelierError(code, detail, {
    ...details,
    headers: {
      'WWW-Authenticate': 'Bearer realm="atelier"',
      Link: `<${publicUrl}/pricing.json>; rel="payment"`,
      ...details.headers,
    },
    members: {
      tool: tool.name,
      cost: { credit: price, usd: usd(price) },
      ...tool.unpaid,
      credits: {
        required: price,
        ...wallet,
        packs,
        free_trial: {
          amount: WELCOME_CREDITS,
          value_usd: usd(WELCOME_CREDITS),
          how: 'POST /api/wallet/register',
        },
      },
      checkout_url: packs[0]?.checkout_url,
      payment_options: [creditsOption(wallet.wallet), ...card],
      how_to_pay: {
        now: `Send the same call with ${PAYER_HEADER(wallet.wallet)}, or with "payer" beside its fields.`,
        person: 'POST /api/tools/request_payment returns a link where a person can pay or grant a key.',
      },
      next_steps: [
        ...nextSteps(services.catalogue, [askPerson(tool)]),
        wallet.registered ? BUY_CREDITS(packs[0]!.price_usd) : registerStep(wallet.wallet),
        ...(card.length > 0 ? [cardStep(tool, price)] : []),
        ...sampleSteps(tool),
      ],
      ...details.members,
    },
  });
  return tool.steps
    ? error
    : withMppChallenge(context, tool, price, withX402Requirements(context, tool, price, error));
}

const PAYER_HEADER = (wallet: string | undefined) => `Authorization: Bearer ${wallet ?? '<wallet>'}`;

const askPerson = ({ name }: AnyTool) => ({
  action: 'Have a person pay',
  tool: 'request_payment',
  why: 'Returns a link for the person, and a code to check whether they have paid',
  params: { tool: name },
});

const creditsOption = (wallet: string | undefined) => ({
  type: 'credits',
  header: PAYER_HEADER(wallet),
  register: 'POST /api/wallet/register',
  buy: 'GET /api/credits',
});

const cardOption = ({ name }: AnyTool, price: number) => ({
  type: 'card_per_call',
  create: 'POST /api/create-payment-intent',
  body: { tool_name: name },
  header: 'X-Payment-Intent',
  amount_usd: Math.max(usd(price), CARD_PAYMENT_USD_MIN),
  minimum_usd: CARD_PAYMENT_USD_MIN,
});

const BUY_CREDITS = (usdMin: number) => ({
  action: 'Buy credits',
  cost: `${usdMin} USD`,
  endpoint: 'GET /api/credits',
  why: 'See the packs and their checkout links',
});

/**
 * The client can send the step unchanged. The wallet of an anonymous client is unknown, so its step is to
 * read the schema.
 */
const registerStep = (wallet: string | undefined) =>
  wallet
    ? {
        action: 'Register the wallet',
        cost: 'free',
        endpoint: 'POST /api/wallet/register',
        why: `${WELCOME_CREDITS} free credits`,
        params: { wallet },
      }
    : {
        action: 'See how to register a wallet',
        cost: 'free',
        endpoint: 'POST /api/tools/get_tool_schema',
        why: `register_wallet registers your EVM address and grants ${WELCOME_CREDITS} free credits. Then pay for calls with Authorization: Bearer <address>`,
        params: { tool_name: 'register_wallet' },
      };

/** Free samples: responses of the tool itself to an image or works of this server. */
const sampleSteps = ({ name }: AnyTool) =>
  sandboxContracts
    .filter((sampled) => sampled.name === name)
    .map(({ sandbox }) => ({
      action: 'See a free sample',
      cost: 'free',
      endpoint: `GET /api/sandbox/${name}`,
      why: `A response of ${name} to ${sandbox!.of}; needs no wallet`,
    }));

const cardStep = ({ name }: AnyTool, price: number) => ({
  action: 'Pay by card without an account',
  cost: `${Math.max(usd(price), CARD_PAYMENT_USD_MIN).toFixed(2)} USD`,
  endpoint: 'POST /api/create-payment-intent',
  why: `A person pays at the pay_url in the response. The call costs ${creditsText(price)}; the rest of the card payment covers further calls`,
  params: { tool_name: name },
});

/**
 * Adds the payment requirements to a 402 about a payment, as to any other 402; returns other failures
 * unchanged.
 * @param price of this call, in credits
 */
export function withPaymentRequirements(
  context: PipelineContext,
  tool: AnyTool,
  price: number,
  error: unknown,
): unknown {
  if (!(error instanceof AtelierError) || error.status !== 402) return error;
  const { code, message: detail, details } = error;
  return paymentRequired(context, tool, { code, detail, price, details });
}

/**
 * The same 402, asking for x402 as well: version 2 in the header, version 1 in the body. Clients look at the header first,
 * then for `x402Version: 1` in the body, so neither disturbs the other. Unchanged where x402 is off.
 * @param credits the price of this call
 */
export function withX402Requirements(
  context: PipelineContext,
  tool: AnyTool,
  credits: number,
  error: AtelierError,
): AtelierError {
  if (!context.x402) return error;
  const { code, message, details } = error;
  const resource = {
    url: resourceOf(context.services, tool),
    description: tool.summary,
    mimeType: MIME_TYPE,
  };
  const { v1, v2 } = context.x402.demand({ credits, resource: resource.url, description: tool.summary });
  const required = { x402Version: 2, error: message, resource, accepts: v2 };
  const { payment_options: options = [] } = details.members ?? {};
  return new AtelierError(code, message, {
    ...details,
    headers: { ...details.headers, [X402_HEADERS.demand]: demandHeader(context, tool, required) },
    members: {
      ...(v1.length > 0 && { x402Version: 1, accepts: v1 }),
      ...details.members,
      payment_options: [...(options as object[]), PAYMENT_OPTION],
    },
  });
}

interface Required402 {
  readonly resource: { readonly url: string };
  readonly accepts: readonly Requirement[];
}

/** With the extensions of the protocol. Signed offers are left out where the header would be too long for a client or proxy. */
function demandHeader(context: PipelineContext, tool: AnyTool, required: Required402): string {
  const { url: resource } = required.resource;
  const signIn = context.signIns?.challenge({ tool: tool.name, resource });
  const extensions = { bazaar: bazaarOf(tool), ...signIn };
  const offers = context.x402?.offerReceipts?.offers(resource, required.accepts);
  const whole = base64({ ...required, extensions: { ...extensions, ...offers } });
  return whole.length <= DEMAND_CHARACTERS_MAX ? whole : base64({ ...required, extensions });
}

/** Node.js and HAProxy take 16 KiB of response headers in all. */
const DEMAND_CHARACTERS_MAX = 12_000;

const PAYMENT_OPTION = {
  type: 'x402',
  header: X402_HEADERS.payment[2],
  header_v1: X402_HEADERS.payment[1],
  requirements: `${X402_HEADERS.demand} (version 2), accepts (version 1)`,
};

/** The address of a tool, as payments name it. */
export const resourceOf = ({ site }: PipelineContext['services'], { name }: AnyTool): string =>
  `${site.publicUrl}/api/tools/${name}`;

export const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** MCP has no headers, so the body itself carries version 2, as the MCP transport of x402 requires. */
export function asMcpPaymentRequired(
  problem: Record<string, unknown>,
  headers: Record<string, string>,
): Record<string, unknown> {
  const sent = headers[X402_HEADERS.demand];
  if (!sent) return problem;
  const { x402Version, resource, accepts } = JSON.parse(Buffer.from(sent, 'base64').toString('utf8'));
  return { ...problem, x402Version, resource, accepts };
}

/**
 * The same 402 with a challenge of the Payment scheme after the bearer challenge, and the same challenge in
 * the body for clients that do not read headers. Unchanged if payment tokens are not accepted.
 * @param credits the price of this call
 */
export function withMppChallenge(
  { mpp }: PipelineContext,
  { name }: AnyTool,
  credits: number,
  error: AtelierError,
): AtelierError {
  if (!mpp) return error;
  const { code, message, details } = error;
  const challenge = mpp.challenge({
    tool: name,
    amountCents: centsOf(credits),
    description: `One call of ${name}`,
  });
  const { [MPP_HEADERS.challenge]: bearer, ...headers } = details.headers ?? {};
  const { payment_options: options = [] } = details.members ?? {};
  return new AtelierError(code, message, {
    ...details,
    headers: {
      ...headers,
      [MPP_HEADERS.challenge]: [bearer, challengeText(challenge)].filter(Boolean).join(', '),
    },
    members: {
      ...details.members,
      payment_options: [...(options as object[]), optionOf(challenge)],
    },
  });
}

/** The minimum card payment exceeds the price; the rest pays for more calls, as with every card payment. */
export const centsOf = (credits: number): number => Math.max(CARD_PAYMENT_CENTS_MIN, credits * CREDIT_CENTS);

interface MppOption {
  readonly type: 'mpp';
  readonly challenge: Challenge;
}

const optionOf = (challenge: Challenge): MppOption & Record<string, unknown> => ({
  type: 'mpp',
  header: `${MPP_HEADERS.credential}: Payment`,
  methods: [`${challenge.method}/${challenge.intent}`],
  challenge,
});

/** Over MCP, clients of the Payment scheme read the challenges of a 402 from `_meta`. */
export function mppMeta(problem: Record<string, unknown>): Record<string, unknown> {
  const options = (problem.payment_options ?? []) as { type: string }[];
  const challenges = options.flatMap((one) => (one.type === 'mpp' ? [(one as MppOption).challenge] : []));
  if (challenges.length === 0) return {};
  const { type, title, status, detail } = problem;
  return { [MPP_META.challenges]: { httpStatus: 402, challenges, problem: { type, title, status, detail } } };
}
