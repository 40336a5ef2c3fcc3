import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import type { Proof } from '../../../core/principal.ts';
import type { OwnershipDeps } from './deps.ts';
import { notSignedBy } from './keys.ts';
import { CLOCK_SKEW_MS, SIGN_IN_LIFETIME_MS, SIGNATURE_HEADER_CHARACTERS_MAX } from './limits.ts';
import { checksumAddress } from './recover_address.ts';
import { writeSiwe } from './siwe.ts';
import * as store from './store.ts';
import type { Ownership, SignIns, SignInTarget } from './types.ts';

interface SignInDeps extends OwnershipDeps {
  /** Servers that share it accept each other's challenges. */
  readonly secret: string;
  /** Offered chains (CAIP-2), all in eip155. */
  readonly networks: readonly string[];
  readonly record: Ownership['record'];
}

/** Creates the sign-in service. @param clock time source for expiry */
export function createSignIns(options: Omit<SignInDeps, 'clock'> & { clock?: () => Date }): SignIns {
  const deps: SignInDeps = { clock: () => new Date(), ...options };
  const { publicUrl, secret, networks, clock } = deps;
  const key = createHmac('sha256', secret).update('sign-in-with-x nonces').digest();
  const { host: domain } = new URL(publicUrl);
  const supportedChains = networks.map((chainId) => ({ chainId, type: 'eip191' }) as const);
  return {
    challenge(target) {
      const issuedAt = clock();
      const info = {
        domain,
        uri: target.resource,
        statement: statementOf(target),
        version: '1' as const,
        nonce: nonceOf(key, target.resource, issuedAt),
        issuedAt: issuedAt.toISOString(),
        expirationTime: expiryOf(issuedAt).toISOString(),
      };
      return { [SIGN_IN_WITH_X]: { info, supportedChains, schema: PROOF_SCHEMA } };
    },
    proofOf: (header, target) => proofOf(deps, { key, header, target }),
  };
}

/** The name of the extension in the protocol. */
export const SIGN_IN_WITH_X = 'sign-in-with-x';

/** Statement in the message to sign. It omits the price, which depends on the input of the call. */
const statementOf = ({ tool }: SignInTarget): string =>
  `Pay for one call of ${tool} with the credits of this wallet. It moves nothing on any chain.`;

const expiryOf = (issuedAt: Date): Date => new Date(issuedAt.getTime() + SIGN_IN_LIFETIME_MS);

const NONCE_HALF_CHARACTERS = 16;

/**
 * Nonce: `random`, then a MAC of the challenge, so that a 402 stores no row, and a message signed for another purpose, such as a
 * session, is not a sign-in. @param random 16 hex digits
 */
function nonceOf(
  key: Buffer,
  resource: string,
  issuedAt: Date,
  random = randomBytes(NONCE_HALF_CHARACTERS / 2).toString('hex'),
): string {
  const challenge = [random, resource, issuedAt.toISOString()].join('\n');
  return `${random}${createHmac('sha256', key).update(challenge).digest('hex').slice(0, NONCE_HALF_CHARACTERS)}`;
}

/** Failure names of the extension, and one for a malformed header. */
type Reason = `invalid_siwx_${
  | 'header'
  | 'unsupported_chain'
  | 'domain_mismatch'
  | 'uri_mismatch'
  | 'issued_at'
  | 'issued_at_in_future'
  | 'expiration_time'
  | 'expired'
  | 'nonce'
  | 'signature'}`;

/** The message completes "Sign-in rejected: …" */
class SignInProblem extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, why: string) {
    super(why);
    this.reason = reason;
  }
}

const refusal = ({ reason, message }: SignInProblem): AtelierError =>
  new AtelierError('sign_in_refused', `Sign-in rejected: ${message}. You were not charged.`, {
    members: { reason },
  });

/** Checks the form only. Values are checked one by one later, so that the error names the field. */
const proof = z.object({
  domain: z.string().max(260),
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits'),
  uri: z.string().max(2048),
  version: z.literal('1'),
  chainId: z.string().max(100),
  type: z.literal('eip191'),
  nonce: z.string().regex(/^[0-9a-f]{32}$/, 'must be the nonce of the challenge, 32 hex digits'),
  issuedAt: z.string().max(40),
  expirationTime: z.string().max(40),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){65,}$/, 'must be at least 65 bytes in hex'),
});
type SentProof = z.infer<typeof proof>;

/** Parses the header. @throws SignInProblem */
function readProof(header: string): SentProof {
  const malformed = (why: string) =>
    new SignInProblem(
      'invalid_siwx_header',
      `${why}. Send base64 of the JSON {domain, address, statement, uri, version, chainId, type, nonce, issuedAt, expirationTime, signature}`,
    );
  if (header.length > SIGNATURE_HEADER_CHARACTERS_MAX)
    throw malformed(`SIGN-IN-WITH-X is longer than ${SIGNATURE_HEADER_CHARACTERS_MAX} characters`);
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(header)) throw malformed('SIGN-IN-WITH-X is not base64');
  let json: unknown;
  try {
    json = parseBoundedJson(Buffer.from(header, 'base64'));
  } catch {
    throw malformed('SIGN-IN-WITH-X is not base64-encoded JSON');
  }
  const { data, error } = proof.safeParse(json);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  throw malformed(`in SIGN-IN-WITH-X ${path.join('.') || 'the JSON'}: ${message}`);
}

interface SentSignIn {
  readonly key: Buffer;
  readonly header: string;
  readonly target: SignInTarget;
}

/** Verifies a sign-in. Checks without the database run first; the nonce is used last, and only by its signer. */
async function proofOf(deps: SignInDeps, { key, header, target }: SentSignIn): Promise<Proof> {
  let wallet: string | undefined;
  try {
    const sent = readProof(header);
    wallet = sent.address.toLowerCase();
    const issuedAt = checkTerms(deps, target, sent);
    checkNonce(
      sent.nonce,
      nonceOf(key, target.resource, issuedAt, sent.nonce.slice(0, NONCE_HALF_CHARACTERS)),
    );
    await checkSigner(deps, { sent, target, wallet, issuedAt });
    // Retained beyond the expiry of the challenge, for servers with different clocks.
    const expiresAt = new Date(expiryOf(issuedAt).getTime() + CLOCK_SKEW_MS);
    if (!(await store.useNonce(deps.database, { wallet, nonce: sent.nonce, expiresAt })))
      throw new SignInProblem(
        'invalid_siwx_nonce',
        'its nonce was already used; every call needs a new challenge',
      );
    return { wallet, by: 'session' };
  } catch (error) {
    if (!(error instanceof SignInProblem)) throw error;
    if (wallet) await deps.record(wallet, 'refused_signature', SIGN_IN_WITH_X);
    throw refusal(error);
  }
}

/** Checks that the challenge is for this call and still valid. @returns when it was issued @throws SignInProblem */
function checkTerms(
  { publicUrl, networks, clock }: SignInDeps,
  { resource }: SignInTarget,
  sent: SentProof,
): Date {
  const { host } = new URL(publicUrl);
  const now = clock().getTime();
  if (!networks.includes(sent.chainId))
    throw new SignInProblem(
      'invalid_siwx_unsupported_chain',
      `its chainId must be one of ${networks.join(', ')}`,
    );
  if (sent.domain !== host)
    throw new SignInProblem(
      'invalid_siwx_domain_mismatch',
      `it is for another domain; this server is ${host}`,
    );
  if (sent.uri !== resource)
    throw new SignInProblem(
      'invalid_siwx_uri_mismatch',
      `it is for another URL; this call is to ${resource}`,
    );
  const issuedAt = new Date(sent.issuedAt);
  if (Number.isNaN(issuedAt.getTime()) || issuedAt.toISOString() !== sent.issuedAt)
    throw new SignInProblem('invalid_siwx_issued_at', 'its issuedAt is not that of the challenge');
  if (issuedAt.getTime() > now + CLOCK_SKEW_MS)
    throw new SignInProblem('invalid_siwx_issued_at_in_future', 'its issuedAt is in the future');
  const expiresAt = expiryOf(issuedAt);
  if (expiresAt.toISOString() !== sent.expirationTime)
    throw new SignInProblem(
      'invalid_siwx_expiration_time',
      'its expirationTime is not that of the challenge',
    );
  if (expiresAt.getTime() <= now)
    throw new SignInProblem('invalid_siwx_expired', `it expired at ${sent.expirationTime}`);
  return issuedAt;
}

function checkNonce(sent: string, expected: string): void {
  if (!timingSafeEqual(Buffer.from(sent), Buffer.from(expected)))
    throw new SignInProblem('invalid_siwx_nonce', 'its nonce was not issued for this call at this time');
}

/** Verifies the signature. @throws SignInProblem; AtelierError chain_unavailable, busy */
async function checkSigner(
  deps: SignInDeps,
  {
    sent,
    target,
    wallet,
    issuedAt,
  }: { sent: SentProof; target: SignInTarget; wallet: string; issuedAt: Date },
): Promise<void> {
  const chainId = Number(sent.chainId.split(':')[1]);
  const message = writeSiwe({
    domain: sent.domain,
    address: checksumAddress(wallet),
    statement: statementOf(target),
    uri: sent.uri,
    chainId,
    nonce: sent.nonce,
    issuedAt,
    expiresAt: expiryOf(issuedAt),
  });
  const signed = { wallet, chainId, message: Buffer.from(message), signature: sent.signature };
  const why = await notSignedBy(deps, signed);
  if (why !== undefined)
    throw new SignInProblem(
      'invalid_siwx_signature',
      `${why}; sign the challenge as EIP-4361 with all its fields and no others`,
    );
}

/** Kept short: it is part of a response header. */
const text = { type: 'string' };
const PROOF_SCHEMA = {
  type: 'object',
  properties: { address: text, chainId: text, type: { const: 'eip191' }, nonce: text, signature: text },
  required: Object.keys(proof.shape),
};
