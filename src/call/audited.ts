import { AtelierError } from '../errors.ts';
import type { Audit } from '../services/audit/index.ts';
import type { Caller } from './caller.ts';

interface Audited {
  /** Tool or operation. */
  readonly about: string;
  readonly caller: Caller;
  readonly raw: unknown;
  /** It moves money or says who may: whatever it refuses is told, bad input as well. */
  readonly isAboutMoney?: boolean;
}

/**
 * Runs a call and leaves one line in the audit log when a payment, a proof, a page or a place was refused, or a limit was reached.
 * Every way in ends here, so no
 * refusal needs to think of the log itself.
 */
export async function audited<T>(audit: Audit, call: Audited, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AtelierError && isTold(error, call)) report(audit, call, error);
    throw error;
  }
}

/**
 * 401 to 403 are about who pays and who may. Whoever sent nothing to pay with has not tried to. Who got no place is told as well:
 * it shows an operator who fills the workshop. A limit that is reached is told once a window: a line for every further call would
 * fill the disk for whoever sends them.
 */
function isTold({ code, status, details }: AtelierError, { caller, isAboutMoney = false }: Audited): boolean {
  const { bearer, paymentIntent, x402Payment } = caller;
  const brought = paymentIntent ?? x402Payment;
  if (isOverItsShare(code)) return true;
  if (code === 'payment_required') return (bearer ?? brought) !== undefined;
  if (code === 'rate_limited') return details.isRepeat !== true;
  if (status >= 401 && status <= 403) return true;
  const isMoney = isAboutMoney || brought !== undefined;
  return isMoney && status >= 400 && status < 500 && status !== 429;
}

/** More was asked than there is room for, by them or by all. */
const isOverItsShare = (code: string): boolean => code === 'busy' || code === 'too_many_jobs';

function report(audit: Audit, { about, caller, raw }: Audited, error: AtelierError): void {
  const { code, status, message, details } = error;
  const { requestId, address, bearer, paymentIntent, x402Payment } = caller;
  const fields = details.errors?.map(({ field }) => field.slice(0, 100));
  audit.refused({
    code,
    status,
    about,
    requestId,
    address,
    bearer,
    paymentIntent,
    x402Payment,
    wallet: typeof raw === 'object' && raw !== null && 'wallet' in raw ? raw.wallet : undefined,
    // What is wrong with a field is often said by repeating it.
    ...(fields ? { fields } : { detail: message }),
  });
}
