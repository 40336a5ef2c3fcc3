import type { JSONWebKeySet } from 'jose';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { PROVIDER_KEPT_MS, PROVIDER_PAUSE_MS } from './limits.ts';

/** What an OpenID provider publishes: its description (OpenID Connect Discovery 1.0) and its keys. */
export interface Documents {
  readonly about: Readonly<Record<string, unknown>>;
  readonly keys: JSONWebKeySet;
}

/** @param isFresh asks anew, and not too often, where something was missing */
export type ProviderDocuments = (isFresh: boolean) => Promise<Documents>;

interface Source {
  /** As the provider names itself. */
  readonly issuer: string;
  /** JSON of an address. @throws Error where there is none, in time and of a bounded size */
  fetchJson(url: string): Promise<unknown>;
  readonly now?: () => number;
}

/**
 * The provider's documents, kept for a while. A fresh read, which any token with an unknown key id asks for, neither delays nor replaces
 * those in force until it has succeeded. @returns throws AtelierError upstream_failed
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
      // The pause begins when the provider has failed, not when it was asked.
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
      throw new Error(`it calls itself ${JSON.stringify(about.issuer)?.slice(0, 200)}`);
    const { keys } = objectOf(await fetchJson(String(about.jwks_uri)));
    if (!Array.isArray(keys)) throw new Error('it publishes no keys');
    return { about, keys: { keys } };
  } catch (cause) {
    throw new AtelierError(
      'upstream_failed',
      'The identity provider of this server cannot be asked for its keys at the moment. Use a token of atelier admin token, or try again.',
      { cause },
    );
  }
}

/** @throws Error */
export const objectOf = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Error('it answers no JSON object');
};
