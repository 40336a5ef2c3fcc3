import { creditsText } from '../catalogue/next_steps.ts';
import { CREDIT_BACK_PERCENT } from '../limits.ts';
import type { WalletState } from '../services/wallets/index.ts';
import { priceOf, usd } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import { knowsBalance } from './access.ts';
import { type CallKit, deadlinesOf } from './call_tool.ts';
import type { Caller } from './caller.ts';
import {
  broughtPaymentCheck,
  budgetCheck,
  type Check,
  fundsCheck,
  payerCheck,
  pictureCheck,
} from './checks.ts';
import { callerKey, type Principal } from './identify.ts';
import { loadImages, megapixelsIn } from './load_images.ts';
import { broughtPayment } from './payment.ts';

interface Asked {
  readonly input: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly principal: Principal;
  readonly caller: Caller;
}

/**
 * Answers `dry_run: true`: the price, the balance after, what has been checked and what only the run can tell, and how long
 * it takes. Nothing runs, nothing is fetched from other servers and nothing is charged.
 * @throws AtelierError for a picture that is no picture, as the call itself would
 */
export async function quote(kit: CallKit, tool: AnyTool, asked: Asked): Promise<Record<string, unknown>> {
  const { input, warnings, principal, caller } = asked;
  const credit = priceOf(tool.price, input);
  const brought = broughtPayment(kit, caller);
  const wallet = knowsBalance(principal) && !brought ? principal.wallet : undefined;
  const state = wallet && credit > 0 ? await kit.services.wallets.find(wallet) : undefined;
  const options = { wallet: principal.wallet, signal: caller.signal, fromOtherServers: false };
  const loaded = await loadImages(kit.services.images, tool, input, options);
  const { address, signal } = caller;
  const asking = { address, signal, callerKey: callerKey(address, principal.wallet) };
  const { refusal, waived, ...outlook } =
    (await tool.outlook?.(loaded, kit.services, { ...deadlinesOf(kit), ...asking, wallet })) ?? {};
  const checks: Check[] = [
    { check: 'input', state: 'passed', detail: 'Every field fits.' },
    ...pictureCheck(tool, loaded),
    ...(credit > 0 && brought ? [broughtPaymentCheck(kit, caller, brought)] : []),
    ...(credit > 0 && !brought ? await walletChecks(kit, { credit, principal, wallet, state }) : []),
    ...(refusal === undefined ? [] : [{ check: 'time', state: 'failed', detail: refusal } as const]),
    RUN_CHECK,
  ];
  return {
    dry_run: true,
    tool: tool.name,
    valid: true,
    quote: { ...charged(waived, credit, wallet ? { state } : undefined), ...outlook },
    checks,
    estimate: kit.durations.estimate({ tool: tool.name, credit, megapixels: megapixelsIn(loaded) }),
    cost: { credit: 0, usd: 0, note: 'A dry run costs nothing.' },
    next_steps: [nextStep(tool, credit, checks)],
    ...(warnings.length > 0 && { warnings }),
  };
}

const RUN_CHECK: Check = {
  check: 'run',
  state: 'at_run',
  detail:
    'Whether the bytes decode and suit the tool, whether a worker and room for the result are free. A call that fails costs nothing.',
};

/** The price, and what it leaves in a wallet that may be known. */
function charged(
  waived: string | undefined,
  credit: number,
  known: { readonly state: WalletState | undefined } | undefined,
) {
  if (waived !== undefined && credit > 0) return { credit: 0, usd: 0, note: `${waived} ${held(credit)}` };
  return { credit, usd: usd(credit), ...(known && credit > 0 && afterwards(credit, known.state)) };
}

const held = (credit: number): string => `Until then ${creditsText(credit)} must be there to be held.`;

/** The credit-back comes in the same transaction as the charge. */
function afterwards(credit: number, state: WalletState | undefined) {
  const { balance = 0, available = 0 } = state ?? {};
  const creditBack = (credit * CREDIT_BACK_PERCENT) / 100;
  const affordable = available >= credit * 1000;
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
    ...(wallet ? [fundsCheck(credit, wallet, state)] : []),
    ...(proof?.key ? [await budgetCheck(kit, credit, { wallet: proof.wallet, keyId: proof.key.id })] : []),
  ];
}

function nextStep({ name }: AnyTool, credit: number, checks: readonly Check[]) {
  const missing = checks.find(({ state }) => state === 'failed');
  return {
    action: 'Run it',
    cost: credit === 0 ? 'free' : creditsText(credit),
    endpoint: `POST /api/tools/${name}`,
    why: missing
      ? `The input is valid, but it would be refused: ${missing.detail}`
      : 'The input is valid; send it again without dry_run.',
  };
}
