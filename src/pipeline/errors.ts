import { isDatabaseDamage } from '../core/database/sql_error.ts';
import { AtelierError, ERRORS, isRetryable } from '../core/errors/atelier_error.ts';
import { diskFull, isDiskFull } from '../core/storage/blobs/disk.ts';

interface ProblemContext {
  readonly requestId: string;
  /** Requested path. */
  readonly instance: string;
  readonly publicUrl: string;
}

/**
 * The one shape of every failure: RFC 9457 members, then ours. Anything that is not an AtelierError becomes
 * `internal_error` without inner detail; the interface logs the original.
 */
export function problemDetails(
  error: unknown,
  { requestId, instance, publicUrl }: ProblemContext,
): Record<string, unknown> {
  const { code, message, details } = asAtelierError(error);
  const { status, title, fix } = ERRORS[code];
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    detail: message,
    instance,
    code,
    error: message,
    request_id: requestId,
    retryable: isRetryable(code),
    fix,
    ...(details.retryAfterSeconds !== undefined && { retry_after_s: details.retryAfterSeconds }),
    ...(details.errors && { errors: details.errors }),
    ...(details.try && { try: details.try }),
    next_steps: [],
    ...details.members,
  };
}

export function asAtelierError(error: unknown): AtelierError {
  if (error instanceof AtelierError) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (isDatabaseDamage(error)) return new AtelierError('database_damaged', undefined, { cause: error });
  return new AtelierError('internal_error', undefined, { cause: error });
}

export const invalidToken = (): AtelierError =>
  new AtelierError(
    'invalid_token',
    'The bearer token must be a wallet address (0x followed by 40 hex digits), or a session or key of this server (atl_sess_…, atl_key_…).',
    { headers: { 'WWW-Authenticate': 'Bearer realm="atelier", error="invalid_token"' } },
  );

export const otherSignerError = (signer: string, named: string): AtelierError =>
  new AtelierError(
    'wallet_mismatch',
    `The request is signed by ${signer}, and its bearer token belongs to ${named}. Send only one of them, or both for the same wallet.`,
  );

/** @param what completes the sentence "The wallet 0x… is locked, so its address alone cannot …" */
export const walletLocked = (wallet: string, what: string): AtelierError =>
  new AtelierError(
    'wallet_locked',
    `The wallet ${wallet} is locked, so its address alone cannot ${what}. Send a session or key of its owner as Authorization: Bearer atl_…, a key as payer beside the arguments, or sign the request (ERC-8128).`,
    {
      headers: {
        'WWW-Authenticate':
          'Bearer realm="atelier", error="invalid_token", error_description="wallet is locked; sign in"',
      },
      members: { next_steps: signIn(wallet) },
    },
  );

export const proofRequired = (wallet: string | undefined): AtelierError =>
  new AtelierError(
    'proof_required',
    'Only the owner of the wallet can do this, and an address does not prove ownership. Send a session (start with POST /api/wallet/challenge) as Authorization: Bearer atl_sess_…, or sign the request (ERC-8128).',
    {
      headers: { 'WWW-Authenticate': 'Bearer realm="atelier", error="invalid_token"' },
      members: { next_steps: wallet ? signIn(wallet) : [] },
    },
  );

/** How an owner creates a session. */
const signIn = (wallet: string) => [
  {
    action: 'Sign in as the owner',
    cost: 'free',
    endpoint: 'POST /api/wallet/challenge',
    why: 'Returns a message to sign with the key of the wallet; send message and signature to POST /api/wallet/session',
    params: { wallet },
  },
];

/** Images are referenced, not repeated. */
export const shortenInput = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'object' || (typeof value === 'string' && value.length > 200)
        ? `<the same ${name}>`
        : value,
    ]),
  );

/**
 * The same error with all fields of the call in the input that it suggests: an engine knows only the field
 * that it corrects.
 * @param raw the call as it was sent
 */
export function withWholeTry(error: unknown, raw: unknown): unknown {
  const isPartial = error instanceof AtelierError && error.details.try !== undefined;
  if (!isPartial || typeof raw !== 'object' || raw === null) return error;
  const { code, message, details } = error;
  const whole = { ...shortenInput(raw as Record<string, unknown>), ...details.try };
  return new AtelierError(code, message, { ...details, cause: error.cause, try: whole });
}
