import type { JSONWebKeySet } from 'jose';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { PROVIDER_KEPT_MS, PROVIDER_PAUSE_MS } from './limits.ts';

/** Documents of an OpenID provider: metadata (OpenID Connect Discovery 1.0) and keys. */
export interface Documents {
  readonly about: Readonly<Record<string, unknown>>;
  readonly keys: JSONWebKeySet;
}

/** @param isFresh bypasses the cache, rate-limited, where something was missing */
export type ProviderDocuments = (isFresh: boolean) => Promise<Documents>;

interface Source {
  /** Issuer identifier of the provider. */
  readonly issuer: string;
  /** Fetches JSON. @throws Error on failure, timeout or an oversized response */
  fetchJson(url: string): Promise<unknown>;
  readonly now?: () => number;
}

/**
 * Caches the documents of the provider. Any token with an unknown key id triggers a refresh; until a refresh has succeeded, the
 * cached documents stay in use. @returns throws AtelierError upstream_failed
 */
export function keepDocuments(options: Source): ProviderDocuments {
  const { now = () => performance.now() } = options;
  let inForce: { readonly at: number; readonly documents: Documents } | undefined;
  let last: { readonly at: number; readonly documents: Promise<Documents> } | undefined;
  return async (isFresh) => {
    if (!isFresh && inForce && now() - inForce.at < PROVIDER_KEPT_MS) return inForce.documents;
    if (last && now() - last.at < PROVIDER_PAUSE_MS) return last.documents;
    const documents = fetchDocuments(options);
    last = { at: now(), documents };
    documents.then(
      (read) => {
        inForce = { at: now(), documents: read };
      },
      // The pause begins when the request has failed, not when it was sent.
      () => {
        last = { at: now(), documents };
      },
    );
    return documents;
  };
}

async function fetchDocuments({ issuer, fetchJson }: Source): Promise<Documents> {
  try {
    const about = objectOf(await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
    if (about.issuer !== issuer)
      throw new Error(`its issuer is ${JSON.stringify(about.issuer)?.slice(0, 200)}`);
    const { keys } = objectOf(await fetchJson(String(about.jwks_uri)));
    if (!Array.isArray(keys)) throw new Error('it publishes no keys');
    return { about, keys: { keys } };
  } catch (cause) {
    throw new AtelierError(
      'upstream_failed',
      'The keys of the identity provider cannot be fetched. Use a token of atelier admin token, or try again.',
      { cause },
    );
  }
}

/** @throws Error where the value is not an object */
export const objectOf = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Error('it returns no JSON object');
};
