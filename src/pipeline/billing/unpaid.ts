import { creditsText, nextSteps } from '../../catalogue/next_steps.ts';
import { packListing } from '../../catalogue/packs.ts';
import { AtelierError, type ErrorCode, type ErrorDetails } from '../../errors/atelier_error.ts';
import { CARD_PAYMENT_USD_MIN, WELCOME_CREDITS } from '../../limits.ts';
import { sandboxContracts } from '../../tools/contracts.ts';
import { usd } from '../../tools/price.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import { withMppDemand } from './mpp_demand.ts';
import { withX402Demand } from './x402_demand.ts';

interface Unpaid {
  readonly code: ErrorCode;
  readonly detail: string;
  /** The price of this call, in credits. */
  readonly price: number;
  /** What is known about the wallet that was to pay. */
  readonly wallet?: {
    readonly wallet?: string;
    readonly registered?: boolean;
    readonly [name: string]: unknown;
  };
  /** Details of the failure itself, such as the state of a payment intent. */
  readonly details?: ErrorDetails;
}

/** The 402 of the specification: how to get credits, a card checkout link, and every other way to pay. */
export function unpaid(kit: CallKit, tool: AnyTool, problem: Unpaid): AtelierError {
  const { code, detail, price, wallet = {}, details = {} } = problem;
  const { services } = kit;
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
        person: 'POST /api/tools/request_payment answers a link where a person pays, or gives a key.',
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
  return tool.steps ? error : withMppDemand(kit, tool, price, withX402Demand(kit, tool, price, error));
}

const PAYER_HEADER = (wallet: string | undefined) => `Authorization: Bearer ${wallet ?? '<wallet>'}`;

const askPerson = ({ name }: AnyTool) => ({
  action: 'Have a person pay',
  tool: 'request_payment',
  why: 'Answers a link for the person, and a code that tells when it is paid',
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

/** A step can be sent as it stands, and which wallet a stranger has is not known here. */
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
        why: `register_wallet takes your EVM address and brings ${WELCOME_CREDITS} free credits; any later call is then paid by Authorization: Bearer <address>`,
        params: { tool_name: 'register_wallet' },
      };

/** Before anybody pays: the answer of the tool itself to a picture or works of this server. */
const sampleSteps = ({ name }: AnyTool) =>
  sandboxContracts
    .filter((sampled) => sampled.name === name)
    .map(({ sandbox }) => ({
      action: 'See a free sample',
      cost: 'free',
      endpoint: `GET /api/sandbox/${name}`,
      why: `What ${name} answers, made by the tool itself from ${sandbox!.of}; needs no wallet`,
    }));

const cardStep = ({ name }: AnyTool, price: number) => ({
  action: 'Pay by card without an account',
  cost: `${Math.max(usd(price), CARD_PAYMENT_USD_MIN).toFixed(2)} USD`,
  endpoint: 'POST /api/create-payment-intent',
  why: `A person pays at the pay_url it answers; the call costs ${creditsText(price)}, and what the card pays beyond that is good for more calls`,
  params: { tool_name: name },
});
