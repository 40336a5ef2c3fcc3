import { AtelierError, type ErrorCode } from '../errors/atelier_error.ts';
import type { Audit, Refusal } from '../services/audit/contract.ts';
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
 * Every way in ends here, so no refusal needs to think of the log itself.
 */
export async function auditRefusals<T>(audit: Audit, call: Audited, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AtelierError && deservesLine(error, call)) writeLine(audit, call, error);
    throw error;
  }
}

/** What was refused because somebody, or everybody, has too much already. */
const BOUNDS: readonly ErrorCode[] = [
  'storage_full',
  'too_much_kept',
  'busy',
  'too_many_jobs',
  'body_too_slow',
  'rate_limited',
];
const written = new WeakSet<AtelierError>();

/** The same line for what was refused at a bound before there was a call. */
export function auditBound(
  audit: Audit,
  error: AtelierError,
  at: Pick<Refusal, 'about' | 'requestId' | 'address'>,
): void {
  const { code, status, message: detail } = error;
  if (isAtBound(error) && !written.has(error) && !error.details.isRehearsed)
    audit.recordRefusal({ ...at, code, status, detail });
}

/** A limit that is reached is told once a window: a line for every further call would fill the disk for whoever sends them. */
const isAtBound = ({ code, details }: AtelierError): boolean =>
  BOUNDS.includes(code) && !(code === 'rate_limited' && details.isRepeat === true);

/**
 * 401 to 403 are about who pays and who may. Whoever sent nothing to pay with has not tried to. Who got no place is told as well:
 * it shows an operator who fills the workshop.
 */
function deservesLine(error: AtelierError, { caller, isAboutMoney = false }: Audited): boolean {
  const { code, status, details } = error;
  if (details.isRehearsed) return false;
  if (BOUNDS.includes(code)) return isAtBound(error);
  const { bearer, paymentIntent, x402Payment, mppCredential } = caller;
  const brought = paymentIntent ?? x402Payment ?? mppCredential;
  if (code === 'payment_required') return (bearer ?? brought) !== undefined;
  if (status >= 401 && status <= 403) return true;
  const isMoney = isAboutMoney || brought !== undefined;
  return isMoney && status >= 400 && status < 500 && status !== 429;
}

function writeLine(audit: Audit, { about, caller, raw }: Audited, error: AtelierError): void {
  written.add(error);
  const { code, status, message, details } = error;
  const { requestId, address, bearer, paymentIntent, x402Payment, mppCredential } = caller;
  const fields = details.errors?.map(({ field }) => field.slice(0, 100));
  audit.recordRefusal({
    code,
    status,
    about,
    requestId,
    address,
    bearer,
    paymentIntent,
    x402Payment,
    mppCredential,
    wallet: typeof raw === 'object' && raw !== null && 'wallet' in raw ? raw.wallet : undefined,
    // What is wrong with a field is often said by repeating it.
    ...(fields ? { fields } : { detail: message }),
  });
}
