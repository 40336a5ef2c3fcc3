import type { InnerList } from 'structured-headers';
import { SIGNED_REQUEST_LIFETIME_S_MAX } from '../../../config/limits.ts';
import type { Proof } from '../../../core/principal.ts';
import { checkContentDigest } from './content_digest.ts';
import type { Parts } from './deps.ts';
import { CLOCK_SKEW_MS, SIGNED_REQUEST_NONCE_CHARACTERS_MAX } from './limits.ts';
import { notSignedBy } from './not_signed_by.ts';
import { badSignedRequest } from './refusals.ts';
import { SignatureProblem } from './signature_problem.ts';
import { signedText } from './signed_text.ts';
import * as store from './store.ts';
import type { Ownership, SignedRequest } from './types.ts';
import { type WalletSignature, walletSignature } from './wallet_signature.ts';

/**
 * Sources: RFC 9421, RFC 9530, and ERC-8128 for what has to be covered. Everything that can be judged without the database
 * comes first; the nonce is used last, and only by who signed it.
 */
export async function proofOfRequest(
  parts: Parts,
  request: SignedRequest,
  record: Ownership['record'],
): Promise<Proof> {
  const signature = orRefuse(() => walletSignature(request));
  const { wallet } = signature;
  try {
    const { nonce, expiresAt } = checkTerms(signature.covered, parts.clock());
    checkCoverage(signature.covered, request);
    const base = signedText(signature.covered, asSigned(request, parts.publicUrl));
    await checkSigned(parts, signature, base);
    if (await store.useNonce(parts.database, { wallet, nonce, expiresAt })) return { wallet, by: 'request' };
    throw new SignatureProblem('its nonce was used before; every request needs one of its own');
  } catch (error) {
    if (!(error instanceof SignatureProblem)) throw error;
    await record(wallet, 'refused_signature', 'signed request');
    throw badSignedRequest(error.message, error instanceof NotSigned ? error.base : undefined);
  }
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SignatureProblem ? badSignedRequest(error.message) : error;
  }
}

/** From when to when the signature counts, and the nonce by which it counts once. */
function checkTerms([, parameters]: InnerList, at: Date): { nonce: string; expiresAt: Date } {
  const [created, expires] = [seconds(parameters.get('created')), seconds(parameters.get('expires'))];
  const nonce = parameters.get('nonce');
  if (created === undefined || expires === undefined)
    throw new SignatureProblem('it needs created and expires, in whole seconds since 1970');
  if (typeof nonce !== 'string' || nonce.length < 8 || nonce.length > SIGNED_REQUEST_NONCE_CHARACTERS_MAX)
    throw new SignatureProblem(`it needs a nonce of 8 to ${SIGNED_REQUEST_NONCE_CHARACTERS_MAX} characters`);
  if (created * 1000 > at.getTime() + CLOCK_SKEW_MS)
    throw new SignatureProblem('it does not count yet: created lies ahead');
  if (expires <= created || expires - created > SIGNED_REQUEST_LIFETIME_S_MAX) {
    throw new SignatureProblem(
      `expires must lie after created, by at most ${SIGNED_REQUEST_LIFETIME_S_MAX} seconds`,
    );
  }
  if (expires * 1000 <= at.getTime()) throw new SignatureProblem('it has expired');
  return { nonce, expiresAt: new Date(expires * 1000) };
}

const seconds = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e12 ? value : undefined;

/** What of the request must be signed, so that the signature serves for this one alone. */
function checkCoverage([items]: InnerList, request: SignedRequest): void {
  const covered = new Set(items.filter(([, parameters]) => parameters.size === 0).map(([name]) => name));
  const hasBody = request.body.sizeBytes > 0;
  const hasQuery = request.target.includes('?');
  const needed = [
    '@method',
    '@authority',
    '@path',
    ...(hasQuery ? ['@query'] : []),
    ...(hasBody ? ['content-digest'] : []),
  ];
  const missing = needed.filter(
    (name) => !covered.has(name) && !(isOfTarget(name) && covered.has('@target-uri')),
  );
  if (missing.length > 0)
    throw new SignatureProblem(`it must also cover ${missing.map((name) => `"${name}"`).join(', ')}`);
  if (hasBody || covered.has('content-digest')) checkContentDigest(request);
}

/** The whole address stands for its parts. */
const isOfTarget = (name: string): boolean => name !== '@method' && name.startsWith('@');

/**
 * The request as its sender saw it: a proxy may have changed Host and taken a path away, and what counts is that the
 * signature is for this service, wherever it is reached.
 */
function asSigned({ method, target, header }: SignedRequest, publicUrl: string) {
  const { host, protocol, pathname } = new URL(publicUrl);
  const prefix = pathname.replace(/\/+$/, '');
  return { method, header, scheme: protocol.slice(0, -1), authority: host, target: `${prefix}${target}` };
}

class NotSigned extends SignatureProblem {
  readonly base: string;

  constructor(why: string, base: string) {
    super(why);
    this.base = base;
  }
}

async function checkSigned(
  parts: Parts,
  { wallet, chainId, signature }: WalletSignature,
  base: string,
): Promise<void> {
  const message = Buffer.from(base, 'latin1');
  const why = await notSignedBy(parts, { wallet, chainId, message, signature });
  if (why) throw new NotSigned(`${why}; signature_base shows the message as this server sees it`, base);
}
