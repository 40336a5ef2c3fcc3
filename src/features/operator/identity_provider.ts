import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { TOKEN_CLOCK_SKEW_S, WHO_CHARACTERS_MAX } from './limits.ts';
import { operatorRequired } from './operator_required.ts';
import { keepDocuments, type ProviderDocuments } from './provider_documents.ts';
import type { OperatorIdentity, OperatorScope } from './types.ts';

/** Asymmetric algorithms only: a shared secret does not prove who signed. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly documents: ProviderDocuments;
  readonly now?: () => number;
}

/** Verifies a JWT of the provider: signature, validity and audience. @throws AtelierError operator_required, upstream_failed */
export async function verifyToken(
  token: string,
  { issuer, audience, documents, now = Date.now }: Expected,
): Promise<JWTPayload> {
  const verify = async (isFresh: boolean) =>
    jwtVerify(token, createLocalJWKSet((await documents(isFresh)).keys), {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: TOKEN_CLOCK_SKEW_S,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub'],
    });
  try {
    // An unknown key may be new: fetch the keys again.
    const { payload } = await verify(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verify(true);
      throw error;
    });
    // Logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4) and security events (RFC 8417) have the same keys and audience.
    if (payload.events !== undefined)
      throw operatorRequired('It is a security event token, not an access token.');
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw operatorRequired(`${sentenceOf(error)}.`);
    throw error;
  }
}

const sentenceOf = ({ code, message }: errors.JOSEError): string =>
  code === 'ERR_JWT_EXPIRED' ? 'The token has expired' : `The token is invalid (${message})`;

export interface ProviderOptions {
  /** Issuer identifier of the provider. */
  readonly issuer: string;
  /** Required audience of its tokens. */
  readonly audience: string;
  /** The claim that identifies operators. */
  readonly claim: string;
  /** Claim values with full access, and those with read access. */
  readonly operators: readonly string[];
  readonly readers: readonly string[];
  /** Fetches JSON. @throws Error on failure, timeout or an oversized response */
  fetchJson(url: string): Promise<unknown>;
  readonly now?: () => number;
}

const EVERYTHING: readonly OperatorScope[] = ['read', 'moderate', 'money', 'keys', 'upkeep'];

/**
 * Verifies the tokens of an OpenID provider: JWTs (RFC 9068 or ID tokens) signed with a published key, issued for this audience,
 * and valid now. @returns throws AtelierError operator_required; upstream_failed where the provider is unreachable
 */
export function createProvider(
  options: ProviderOptions,
  documents: ProviderDocuments = keepDocuments(options),
): (token: string) => Promise<OperatorIdentity> {
  return async (token) => identityOf(await verifyToken(token, { ...options, documents }), options);
}

type Known = Pick<ProviderOptions, 'claim' | 'operators' | 'readers'>;

/** The operator identity of a token. @throws AtelierError operator_required where the user is not an operator */
export function identityOf(payload: JWTPayload, options: Known): OperatorIdentity {
  const { claim, operators, readers } = options;
  const values = valuesOf(payload, claim);
  const has = (some: readonly string[]) => some.some((value) => values.includes(value));
  const scopes = has(operators) ? EVERYTHING : has(readers) ? (['read'] as const) : [];
  if (scopes.length === 0)
    throw operatorRequired(`The token is valid, but its claim "${claim}" names no operator of this server.`);
  const name = payload.email_verified === true ? payload.email : undefined;
  const who = typeof name === 'string' ? name : String(payload.sub);
  return { who: `oidc ${who.replace(/[^\x21-\x7e]/g, '?').slice(0, WHO_CHARACTERS_MAX)}`, scopes };
}

/** A list, or space-separated text as in `scope`. An email address counts only if the provider has verified it. */
function valuesOf(payload: JWTPayload, claim: string): readonly unknown[] {
  const value = payload[claim];
  if (claim === 'email' && payload.email_verified !== true) return [];
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(' ') : [];
}
