import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { OperatorIdentity, OperatorScope } from './contract.ts';
import { PROVIDER_KEPT_MS, PROVIDER_PAUSE_MS, TOKEN_CLOCK_SKEW_S, WHO_CHARACTERS_MAX } from './limits.ts';
import { operatorRequired } from './operators.ts';

export interface ProviderOptions {
  /** As the provider names itself. */
  readonly issuer: string;
  /** Whom its tokens have to be for. */
  readonly audience: string;
  /** The claim that says who is an operator. */
  readonly claim: string;
  /** Values of the claim that may do everything, and those that may only look. */
  readonly operators: readonly string[];
  readonly readers: readonly string[];
  /** JSON of an address. @throws Error where there is none, in time and of a bounded size */
  fetchJson(url: string): Promise<unknown>;
  readonly now?: () => number;
}

/** What a key of the provider may sign with. Secrets that are shared are no proof of who has signed. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const EVERYTHING: readonly OperatorScope[] = ['read', 'moderate', 'money', 'keys', 'upkeep'];

/**
 * Judges the tokens of an OpenID provider: JWTs (RFC 9068 or ID tokens) signed by a key the provider publishes, issued by it for
 * this audience, in force. @returns throws AtelierError operator_required; upstream_failed where the provider cannot be asked
 */
export function createProvider(options: ProviderOptions): (token: string) => Promise<OperatorIdentity> {
  const { issuer, audience, now = Date.now } = options;
  const keys = keptKeys(options);
  return async (token) => {
    const verify = async (isFresh: boolean) =>
      jwtVerify(token, createLocalJWKSet(await keys(isFresh)), {
        ...{ issuer, audience, algorithms: ALGORITHMS },
        ...{ clockTolerance: TOKEN_CLOCK_SKEW_S, currentDate: new Date(now()) },
        requiredClaims: ['exp', 'sub'],
      });
    try {
      // A key that is not known may be a new one.
      const { payload } = await verify(false).catch((error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey) return verify(true);
        throw error;
      });
      return identityOf(payload, options);
    } catch (error) {
      if (error instanceof errors.JOSEError) throw operatorRequired(`${sentenceOf(error)}.`);
      throw error;
    }
  };
}

const sentenceOf = ({ code, message }: errors.JOSEError): string =>
  code === 'ERR_JWT_EXPIRED' ? 'The token has expired' : `The token does not hold (${message})`;

/** @throws AtelierError operator_required for somebody else's token */
function identityOf(payload: JWTPayload, options: ProviderOptions): OperatorIdentity {
  const { claim, operators, readers } = options;
  const values = valuesOf(payload, claim);
  const has = (some: readonly string[]) => some.some((value) => values.includes(value));
  const scopes = has(operators) ? EVERYTHING : has(readers) ? (['read'] as const) : [];
  if (scopes.length === 0)
    throw operatorRequired(
      `The token is in force, but its claim "${claim}" names no operator of this server.`,
    );
  const name = payload.email_verified === true ? payload.email : undefined;
  const who = typeof name === 'string' ? name : String(payload.sub);
  return { who: `oidc ${who.replace(/[^\x21-\x7e]/g, '?').slice(0, WHO_CHARACTERS_MAX)}`, scopes };
}

/** A list, or a text of words as in `scope`. An address of mail counts only where the provider has checked it. */
function valuesOf(payload: JWTPayload, claim: string): readonly unknown[] {
  const value = payload[claim];
  if (claim === 'email' && payload.email_verified !== true) return [];
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(' ') : [];
}

/** The provider's keys, kept for a while; asked for anew, and not too often, where one is missing. */
function keptKeys(options: ProviderOptions): (isFresh: boolean) => Promise<JSONWebKeySet> {
  const { now = Date.now } = options;
  let kept: { readonly at: number; readonly keys: Promise<JSONWebKeySet> } | undefined;
  return async (isFresh) => {
    const age = kept ? now() - kept.at : Number.POSITIVE_INFINITY;
    if (kept && age < (isFresh ? PROVIDER_PAUSE_MS : PROVIDER_KEPT_MS)) return kept.keys;
    const keys = fetchKeys(options);
    // One that cannot be asked now is left alone for a moment; what it said before still holds until then.
    kept = { at: now(), keys };
    keys.catch(() => {
      kept = { at: now() - PROVIDER_KEPT_MS + PROVIDER_PAUSE_MS, keys };
    });
    return keys;
  };
}

async function fetchKeys({ issuer, fetchJson }: ProviderOptions): Promise<JSONWebKeySet> {
  try {
    const about = objectOf(await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
    if (about.issuer !== issuer)
      throw new Error(`it calls itself ${JSON.stringify(about.issuer)?.slice(0, 200)}`);
    const { keys } = objectOf(await fetchJson(String(about.jwks_uri)));
    if (!Array.isArray(keys)) throw new Error('it publishes no keys');
    return { keys };
  } catch (cause) {
    throw new AtelierError(
      'upstream_failed',
      'The identity provider of this server cannot be asked for its keys at the moment. Use a token of atelier admin token, or try again.',
      { cause },
    );
  }
}

const objectOf = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Error('it answers no JSON object');
};
