import { creditsText, type NextStep } from '../catalogue/next_steps.ts';
import { CREDIT_BACK_PERCENT, MILLICREDITS_PER_CREDIT } from '../limits.ts';
import type { WalletState } from '../services/wallets/contract.ts';
import { usd } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import { knowsBalance } from './admission.ts';
import { repeatOf } from './billing/repeats.ts';
import { broughtSourceOf, type BroughtSource } from './billing/payment.ts';
import { type Answer, type Principal, type CallKit, deadlinesOf, type Caller } from './types.ts';
import { callerKey } from './authenticate.ts';
import { loadPictures, megapixelsIn, isPicture } from './execute.ts';
import { sendable } from './respond.ts';
import { priceCall } from './steps/price_steps.ts';
import { type ToolCall, withoutDryRun } from './receive.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { ERRORS } from '../errors/codes.ts';
import type { SourceImage } from '../services/images/contract.ts';
import { imageFieldsOf } from '../tools/fields.ts';
import type { Durations, Estimate } from './durations.ts';
import type { StepPrice } from './steps/prepare_step.ts';

/**
 * Answers `dry_run: true`: the price, the balance after, what has been checked and what only the run can tell, and how long
 * it takes. Nothing runs, nothing is fetched from other servers and nothing is charged.
 * @throws AtelierError for a picture that is no picture, as the call itself would
 */
export async function quote(kit: CallKit, call: ToolCall): Promise<Answer> {
  const { tool, raw, input, warnings, principal, caller, isPriced } = call;
  const { price: credit, why, steps } = await priceCall(kit, call);
  const isSold = isPriced || credit > 0;
  const brought = broughtSourceOf(kit, caller);
  const wallet = knowsBalance(principal) && !brought ? principal.wallet : undefined;
  const state = wallet && credit > 0 ? await kit.services.wallets.find(wallet) : undefined;
  const { expected } = call.controls;
  const options = { wallet: principal.wallet, signal: caller.signal, expected, fromOtherServers: false };
  const loaded = await loadPictures(kit.services.images, tool, input, options);
  const { address, signal } = caller;
  const asking = { address, signal, callerKey: callerKey(address, principal.wallet) };
  const { refusal, pending, ...outlook } =
    (await tool.outlook?.(loaded, kit.services, { ...deadlinesOf(kit), ...asking, wallet })) ?? {};
  const waived = credit > 0 ? await repeatOf(kit, tool, { loaded, wallet }) : undefined;
  const due = waived === undefined ? credit : 0;
  const checks: Check[] = [
    { check: 'input', state: 'passed', detail: 'Every field fits.' },
    ...pictureCheck(tool, loaded),
    // A tool that is sold wants a payment to come along, also where this call will take nothing of it.
    ...(isSold && brought ? [broughtPaymentCheck(kit, caller, brought)] : []),
    ...(isSold && !brought ? await walletChecks(kit, { credit: due, principal, wallet, state }) : []),
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
      ...outlook,
      ...(steps && { steps: describeSteps(steps) }),
    },
    checks,
    estimate: steps
      ? estimateSteps(kit.durations, steps)
      : kit.durations.estimate({ tool: tool.name, credit, megapixels: megapixelsIn(loaded) }),
    cost: { credit: 0, usd: 0, note: 'A dry run costs nothing.' },
    next_steps: runStep(tool, { raw, credit: due, checks }),
    ...(warnings.length > 0 && { warnings }),
  };
  return { body, headers: {} };
}

const RUN_CHECK: Check = {
  check: 'run',
  state: 'at_run',
  detail:
    'Whether the bytes decode and suit the tool, whether a worker and room for the result are free. A call that fails costs nothing.',
};

/** The price, and what it leaves in a wallet that may be known. */
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
  /** Absent where the caller may not know what is in it. */
  readonly wallet: string | undefined;
  readonly state: WalletState | undefined;
}

async function walletChecks(
  kit: CallKit,
  { credit, principal, wallet, state }: Affordable,
): Promise<Check[]> {
  const { proof } = principal;
  return [
    payerCheck(principal),
    ...(wallet && credit > 0 ? [fundsCheck(credit, wallet, state)] : []),
    ...(principal.wallet !== undefined && credit > 0
      ? await consentCheck(kit, credit, principal.wallet)
      : []),
    ...(proof?.key && credit > 0
      ? [await budgetCheck(kit, credit, { wallet: proof.wallet, keyId: proof.key.id })]
      : []),
  ];
}

/** The call itself; of a picture in base64 the caller has to think for itself, for it is not sent back. */
function runStep(
  { name }: AnyTool,
  { raw, credit, checks }: { raw: unknown; credit: number; checks: readonly Check[] },
): NextStep[] {
  const params = sendable(withoutDryRun(raw) as Record<string, unknown>);
  if (!params) return [];
  const missing = checks.find(({ state }) => state === 'failed');
  const why = missing
    ? `The input is valid, but it would be refused: ${missing.detail}`
    : 'The input is valid; this is it without dry_run.';
  const cost = credit === 0 ? 'free' : creditsText(credit);
  return [{ action: 'Run it', cost, endpoint: `POST /api/tools/${name}`, why, params }];
}

/** One thing a dry run looked at, or cannot. */
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

/** @param loaded the input with every picture that is at hand; the others are still text */
export function pictureCheck(tool: AnyTool, loaded: Record<string, unknown>): Check[] {
  const sent = imageFieldsOf(tool.input.shape).filter((field) => loaded[field] !== undefined);
  if (sent.length === 0) return [];
  const elsewhere = sent.filter((field) => !isPicture(loaded[field]));
  const check = 'pictures' as const;
  if (elsewhere.length > 0) {
    const detail = `${elsewhere.join(', ')}: on another server, and fetched only at the run.`;
    return [{ check, state: 'at_run', detail }];
  }
  const read = sent.map((field) => {
    const { format, width, height } = loaded[field] as SourceImage;
    return `${field}: ${format}, ${width} × ${height}`;
  });
  return [{ check, state: 'passed', detail: `${read.join('; ')} (${megapixelsIn(loaded)} megapixels).` }];
}

export function payerCheck({ wallet, lockedWallet, proof }: Principal): Check {
  const check = 'payer' as const;
  if (lockedWallet) {
    return { check, state: 'failed', detail: 'The wallet is locked: send a session or key of its owner.' };
  }
  if (proof?.key && !proof.key.scopes.includes('spend')) {
    return { check, state: 'failed', detail: 'The key lacks the scope "spend".' };
  }
  if (wallet) return { check, state: 'passed', detail: `${wallet} pays.` };
  return { check, state: 'failed', detail: 'No payment was sent: add Authorization: Bearer 0x….' };
}

/** A payment that came with the call itself: what can be seen of it without asking anybody. */
export function broughtPaymentCheck(kit: CallKit, caller: Caller, source: BroughtSource): Check {
  const check = 'payer' as const;
  if (source === 'card') {
    return kit.services.payments.takes
      ? { check, state: 'at_run', detail: 'The payment intent pays; it is looked at in the run.' }
      : { check, state: 'failed', detail: 'This server takes no cards: send Authorization: Bearer 0x….' };
  }
  if (source === 'mpp')
    return { check, state: 'at_run', detail: 'The payment token pays; it is charged in the run.' };
  try {
    const { payer } = kit.x402!.read(caller.x402Payment);
    return { check, state: 'at_run', detail: `The payment of ${payer} pays; it is verified in the run.` };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return { check, state: 'failed', detail: error.message };
  }
}

export function fundsCheck(credit: number, wallet: string, state: WalletState | undefined): Check {
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

/** What the owner of the wallet lets be spent; nothing where there are no rules for such a call. */
export async function consentCheck(
  { services: { consents } }: CallKit,
  credit: number,
  wallet: string,
): Promise<Check[]> {
  const { stoppedAt, approvalAbove } = await consents.rules(wallet);
  const check = 'consent' as const;
  if (stoppedAt)
    return [{ check, state: 'failed', detail: 'The owner has stopped all spending of this wallet.' }];
  if (approvalAbove === null || credit * MILLICREDITS_PER_CREDIT <= approvalAbove) return [];
  const detail = `The owner has to approve calls above ${creditsText(approvalAbove / MILLICREDITS_PER_CREDIT)}: the run answers a link for the person first.`;
  return [{ check, state: 'at_run', detail }];
}

/** What is left of the budget of the caller's key. */
export async function budgetCheck(
  { services: { ownership } }: CallKit,
  credit: number,
  { wallet, keyId }: { wallet: string; keyId: string },
): Promise<Check> {
  const check = 'budget' as const;
  const key = (await ownership.keys(wallet)).find(({ id }) => id === keyId);
  if (!key) return { check, state: 'at_run', detail: 'The budget of the key is looked at when it pays.' };
  const { maxTotal, spent, maxDaily, spentToday } = key;
  const left = Math.min(
    maxTotal === null ? Number.POSITIVE_INFINITY : maxTotal - spent,
    maxDaily === null ? Number.POSITIVE_INFINITY : maxDaily - spentToday,
  );
  if (left === Number.POSITIVE_INFINITY) return { check, state: 'passed', detail: 'The key has no cap.' };
  const detail = `The key has ${left / MILLICREDITS_PER_CREDIT} of its budget left.`;
  return { check, state: left >= credit * MILLICREDITS_PER_CREDIT ? 'passed' : 'failed', detail };
}

/** A line of the quote for each step. */
export function describeSteps(steps: readonly StepPrice[]) {
  const isLoop = steps.some(({ course }) => course > 0);
  return steps.map(({ course, step, credits, note }) => ({
    ...(isLoop && { item: course }),
    save_as: step.save_as,
    tool: step.tool,
    credit: credits,
    ...(note !== undefined && { note }),
  }));
}

/** Steps run one after the other, so their times add up; unknown where that of one is. */
export function estimateSteps(durations: Durations, steps: readonly StepPrice[]): Estimate {
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
  const basis = 'The sum of its steps, each measured on this server with pictures of any size.';
  return { typical_ms: sum('typical_ms'), slow_ms: sum('slow_ms'), runs, basis };
}
