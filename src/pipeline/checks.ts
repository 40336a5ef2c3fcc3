import { creditsText } from '../catalogue/next_steps.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { ERRORS } from '../errors/codes.ts';
import { MILLICREDITS_PER_CREDIT } from '../limits.ts';
import type { SourceImage } from '../services/images/contract.ts';
import type { WalletState } from '../services/wallets/contract.ts';
import { imageFieldsOf } from '../tools/fields.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { BroughtSource } from './billing/payment.ts';
import type { Caller, Principal } from './caller.ts';
import type { CallKit } from './kit.ts';
import { isPicture, megapixelsIn } from './load_pictures.ts';

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
