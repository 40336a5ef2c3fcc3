import { creditsText, type NextStep } from '../catalogue/next_steps.ts';
import { CREDIT_BACK_PERCENT } from '../limits.ts';
import type { WalletState } from '../services/wallets/contract.ts';
import { usd } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import { knowsBalance } from './access.ts';
import { repeatOf } from './billing/charge_once.ts';
import { broughtSourceOf } from './billing/payment.ts';
import type { Answer, Principal } from './caller.ts';
import {
  broughtPaymentCheck,
  budgetCheck,
  type Check,
  consentCheck,
  fundsCheck,
  payerCheck,
  pictureCheck,
} from './checks.ts';
import { callerKey } from './identify.ts';
import { type CallKit, deadlinesOf } from './kit.ts';
import { loadPictures, megapixelsIn } from './load_pictures.ts';
import { sendable } from './sendable.ts';
import { priceCall } from './steps/price_call.ts';
import { describeSteps, estimateSteps } from './steps/quote_steps.ts';
import { type ToolCall, withoutDryRun } from './tool_call.ts';

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
