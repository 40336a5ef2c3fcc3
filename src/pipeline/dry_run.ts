import { creditsText, type NextStep } from '../catalog/next_steps.ts';
import { CREDIT_BACK_PERCENT, MILLICREDITS_PER_CREDIT } from '../config/limits.ts';
import { AtelierError } from '../core/errors/atelier_error.ts';
import { ERRORS } from '../core/errors/codes.ts';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { imagesIn, isSourceImage } from '../features/definitions/images_in.ts';
import { usd } from '../features/definitions/price.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { WalletState } from '../features/wallets/types.ts';
import { isOwnPayment, knowsBalance } from './admission.ts';
import { callerKey } from './authenticate.ts';
import { findRepeat } from './billing/repeats.ts';
import type { Durations, Estimate } from './durations.ts';
import { loadImages, megapixelsIn } from './execute.ts';
import { withoutCallFlags } from './receive.ts';
import { repeatableInput } from './respond.ts';
import type { StepPrice } from './steps/prepare_step.ts';
import { priceCall } from './steps/price_steps.ts';
import type { PaymentMethod, ToolCall } from './types.ts';
import {
  type CallResponse,
  type Client,
  deadlinesOf,
  type PipelineContext,
  type Principal,
} from './types.ts';

/**
 * Answers `dry_run: true`: price, remaining balance, checks done, checks that only the run can make, and duration. Nothing runs, is
 * fetched or is charged.
 * @throws AtelierError for an image field that is not an image, as the call itself would
 */
export async function dryRun(context: PipelineContext, call: ToolCall): Promise<CallResponse> {
  const { tool, raw, input, warnings, principal, client, isPriced } = call;
  const { price: credit, why, steps } = call.isFree ? FREE_OF_CHARGE : await priceCall(context, call);
  const isSold = isPriced || credit > 0;
  const brought = isOwnPayment(call.method) ? call.method : undefined;
  const wallet = knowsBalance(principal) && !brought ? principal.wallet : undefined;
  const state = wallet && credit > 0 ? await context.services.wallets.find(wallet) : undefined;
  const { expected } = call.controls;
  const options = { wallet: principal.wallet, signal: client.signal, expected, fromOtherServers: false };
  const loaded = await loadImages(context.services.images, tool, input, options);
  const { address, signal } = client;
  const asking = { address, signal, callerKey: callerKey(address, principal.wallet) };
  const { refusal, pending, ...estimate } =
    (await tool.estimate?.(loaded, context.services, { ...deadlinesOf(context), ...asking, wallet })) ?? {};
  const waived = credit > 0 ? await findRepeat(context, tool, { loaded, wallet }) : undefined;
  const due = waived === undefined ? credit : 0;
  const checks: Check[] = [
    { check: 'input', state: 'passed', detail: 'All fields are valid.' },
    ...imageCheck(tool, loaded),
    // A priced tool requires a payment, even where this call is free.
    ...(isSold && brought ? [presentedPaymentCheck(context, client, brought)] : []),
    ...(isSold && !brought ? await walletChecks(context, { credit: due, principal, wallet, state }) : []),
    ...(refusal && waived === undefined ? [{ ...refusal, state: 'failed' } as const] : []),
    ...(pending ? [{ ...pending, state: 'at_run' } as const] : []),
    RUN_CHECK,
  ];
  const body = {
    dry_run: true,
    tool: tool.name,
    valid: true,
    quote: {
      ...describeCharge(waived, credit, wallet ? { state } : undefined),
      ...(why !== undefined && waived === undefined && { note: why }),
      ...estimate,
      ...(steps && { steps: describeSteps(steps) }),
    },
    checks,
    estimate: steps
      ? estimateSteps(context.durations, steps)
      : context.durations.estimate({ tool: tool.name, credit, megapixels: megapixelsIn(loaded) }),
    cost: { credit: 0, usd: 0, note: 'A dry run is free.' },
    next_steps: runStep(tool, { raw, credit: due, checks }),
    ...(warnings.length > 0 && { warnings }),
  };
  return { body, headers: {} };
}

/** What `priceCall` returns for a tool whose calls never cost anything. */
const FREE_OF_CHARGE: Awaited<ReturnType<typeof priceCall>> = { price: 0, listed: 0 };

const RUN_CHECK: Check = {
  check: 'run',
  state: 'at_run',
  detail:
    'Not checked: whether the image can be decoded and suits the tool, and whether a worker and storage are available. A failed call is not charged.',
};

/** The price, and the remaining balance where it may be shown. */
function describeCharge(
  waived: string | undefined,
  credit: number,
  known: { readonly state: WalletState | undefined } | undefined,
) {
  if (waived !== undefined) return { credit: 0, usd: 0, note: waived };
  return { credit, usd: usd(credit), ...(known && credit > 0 && afterwards(credit, known.state)) };
}

/** The credit-back comes in the same transaction as the charge. */
function afterwards(credit: number, state: WalletState | undefined) {
  const { balance = 0, available = 0, isBlocked = false } = state ?? {};
  const creditBack = (credit * CREDIT_BACK_PERCENT) / 100;
  const affordable = !isBlocked && available >= credit * 1000;
  const balanceAfter = Math.round(balance - credit * 1000 + creditBack * 1000) / 1000;
  return {
    credit_back: creditBack,
    affordable,
    balance: balance / 1000,
    ...(affordable && { balance_after: balanceAfter }),
  };
}

interface Affordable {
  readonly credit: number;
  readonly principal: Principal;
  /** Absent where the principal may not see its balance. */
  readonly wallet: string | undefined;
  readonly state: WalletState | undefined;
}

async function walletChecks(
  context: PipelineContext,
  { credit, principal, wallet, state }: Affordable,
): Promise<Check[]> {
  const { proof } = principal;
  return [
    payerCheck(principal),
    ...(wallet && credit > 0 ? [fundsCheck(credit, wallet, state)] : []),
    ...(principal.wallet !== undefined && credit > 0
      ? await consentCheck(context, credit, principal.wallet)
      : []),
    ...(proof?.key && credit > 0
      ? [await budgetCheck(context, credit, { wallet: proof.wallet, keyId: proof.key.id })]
      : []),
  ];
}

/** The call itself; absent where it holds an image in base64, which is not repeated. */
function runStep(
  tool: AnyTool,
  { raw, credit, checks }: { raw: unknown; credit: number; checks: readonly Check[] },
): NextStep[] {
  const params = repeatableInput(withoutCallFlags(raw, tool) as Record<string, unknown>);
  if (!params) return [];
  const missing = checks.find(({ state }) => state === 'failed');
  const why = missing
    ? `The input is valid, but the call would be rejected: ${missing.detail}`
    : 'The input is valid. These are its parameters without dry_run.';
  const cost = credit === 0 ? 'free' : creditsText(credit);
  return [{ action: 'Run it', cost, endpoint: `POST /api/tools/${tool.name}`, why, params }];
}

/** A check that a dry run made, or could not make. */
export interface Check {
  readonly check:
    | 'input'
    | 'pictures'
    | 'payer'
    | 'funds'
    | 'budget'
    | 'consent'
    | 'time'
    | 'vision'
    | 'sight'
    | 'run';
  readonly state: 'passed' | 'failed' | 'at_run';
  /** A sentence. */
  readonly detail: string;
}

/** @param loaded the input with every image that is loaded; the others are still text */
function imageCheck(tool: AnyTool, loaded: Record<string, unknown>): Check[] {
  const sent = imagesIn(imageFieldsOf(tool.input.shape), loaded);
  if (sent.length === 0) return [];
  const elsewhere = sent.filter(({ image }) => !isSourceImage(image));
  const check = 'pictures' as const;
  if (elsewhere.length > 0) {
    const detail = `${elsewhere.map(({ name }) => name).join(', ')}: on another server, and fetched only by the run.`;
    return [{ check, state: 'at_run', detail }];
  }
  const read = sent.flatMap(({ name, image }) =>
    isSourceImage(image) ? [`${name}: ${image.format}, ${image.width} × ${image.height}`] : [],
  );
  return [{ check, state: 'passed', detail: `${read.join('; ')} (${megapixelsIn(loaded)} megapixels).` }];
}

function payerCheck({ wallet, lockedWallet, proof }: Principal): Check {
  const check = 'payer' as const;
  if (lockedWallet) {
    return { check, state: 'failed', detail: 'The wallet is locked. Send a session or key of its owner.' };
  }
  if (proof?.key && !proof.key.scopes.includes('spend')) {
    return { check, state: 'failed', detail: 'The key lacks the scope "spend".' };
  }
  if (wallet) return { check, state: 'passed', detail: `${wallet} pays.` };
  return { check, state: 'failed', detail: 'No payment was sent. Add Authorization: Bearer 0x….' };
}

/** The payment of the call, validated without a request to its service. */
function presentedPaymentCheck(
  context: PipelineContext,
  client: Client,
  method: Exclude<PaymentMethod, 'credits'>,
): Check {
  const check = 'payer' as const;
  if (method === 'card') {
    return context.services.payments.takes
      ? { check, state: 'at_run', detail: 'The payment intent pays. The run checks it.' }
      : {
          check,
          state: 'failed',
          detail: 'This server does not accept cards. Send Authorization: Bearer 0x….',
        };
  }
  if (method === 'mpp')
    return { check, state: 'at_run', detail: 'The payment token pays. The run charges it.' };
  try {
    const { payer } = context.x402!.read(client.x402Payment);
    return { check, state: 'at_run', detail: `The payment of ${payer} pays. The run verifies it.` };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return { check, state: 'failed', detail: error.message };
  }
}

function fundsCheck(credit: number, wallet: string, state: WalletState | undefined): Check {
  const check = 'funds' as const;
  if (!state) return { check, state: 'failed', detail: `The wallet ${wallet} is not registered yet.` };
  if (state.isBlocked) {
    return {
      check,
      state: 'failed',
      detail: `The wallet ${wallet} is blocked. ${ERRORS.wallet_blocked.fix}`,
    };
  }
  const available = state.available / MILLICREDITS_PER_CREDIT;
  const detail = `The call costs ${creditsText(credit)}; the wallet has ${available} available.`;
  return { check, state: available >= credit ? 'passed' : 'failed', detail };
}

/** Spending rules of the owner; undefined where none apply. */
async function consentCheck(
  { services: { consents } }: PipelineContext,
  credit: number,
  wallet: string,
): Promise<Check[]> {
  const { stoppedAt, approvalAbove } = await consents.rules(wallet);
  const check = 'consent' as const;
  if (stoppedAt) return [{ check, state: 'failed', detail: 'Spending is paused for this wallet.' }];
  if (approvalAbove === null || credit * MILLICREDITS_PER_CREDIT <= approvalAbove) return [];
  const detail = `The owner has to approve calls above ${creditsText(approvalAbove / MILLICREDITS_PER_CREDIT)}: the run first returns a link for the owner.`;
  return [{ check, state: 'at_run', detail }];
}

/** Remaining budget of the client's key. */
async function budgetCheck(
  { services: { ownership } }: PipelineContext,
  credit: number,
  { wallet, keyId }: { wallet: string; keyId: string },
): Promise<Check> {
  const check = 'budget' as const;
  const key = (await ownership.keys(wallet)).find(({ id }) => id === keyId);
  if (!key) return { check, state: 'at_run', detail: 'The budget of the key is checked at payment.' };
  const { maxTotal, spent, maxDaily, spentToday } = key;
  const left = Math.min(
    maxTotal === null ? Number.POSITIVE_INFINITY : maxTotal - spent,
    maxDaily === null ? Number.POSITIVE_INFINITY : maxDaily - spentToday,
  );
  if (left === Number.POSITIVE_INFINITY)
    return { check, state: 'passed', detail: 'The key has no budget limit.' };
  const detail = `The key has ${left / MILLICREDITS_PER_CREDIT} of its budget left.`;
  return { check, state: left >= credit * MILLICREDITS_PER_CREDIT ? 'passed' : 'failed', detail };
}

/** A line of the quote for each step. */
function describeSteps(steps: readonly StepPrice[]) {
  const isLoop = steps.some(({ course }) => course > 0);
  return steps.map(({ course, step, credits, note }) => ({
    ...(isLoop && { item: course }),
    save_as: step.save_as,
    tool: step.tool,
    credit: credits,
    ...(note !== undefined && { note }),
  }));
}

/** Steps run sequentially, so their durations add up; unknown where one of them is. */
function estimateSteps(durations: Durations, steps: readonly StepPrice[]): Estimate {
  const each = steps.map(({ step: { tool }, credits }) => durations.estimate({ tool, credit: credits }));
  const unknown = each.findIndex(({ typical_ms: typical }) => typical === null);
  const runs = Math.min(...each.map((estimate) => estimate.runs));
  if (unknown >= 0) {
    const { tool } = steps[unknown]!.step;
    const basis = `No estimate: ${tool} has not run at this price since the server started.`;
    return { typical_ms: null, slow_ms: null, runs: 0, basis };
  }
  const sum = (field: 'typical_ms' | 'slow_ms') =>
    each.reduce((ms, estimate) => ms + (estimate[field] ?? 0), 0);
  const basis = 'The sum of its steps, each measured on this server with images of any size.';
  return { typical_ms: sum('typical_ms'), slow_ms: sum('slow_ms'), runs, basis };
}
