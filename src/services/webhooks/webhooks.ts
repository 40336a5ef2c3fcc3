import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/index.ts';
import { AtelierError } from '../../errors.ts';
import { WEBHOOKS_PER_CALLER_MAX } from '../../limits.ts';
import { countEndpoints, deleteEnded, deleteEndpoint, lockCaller, saveEndpoint } from './store.ts';

/** Addresses that want to be told about events. Kept; nothing is delivered yet. */
export interface Webhooks {
  /**
   * Keeps an endpoint. The same URL from the same caller keeps its id, takes the new events and gets a new secret.
   * @throws AtelierError invalid_input when the caller already has as many endpoints as allowed
   */
  register(endpoint: NewEndpoint): Promise<Endpoint>;
  /** Forgets an endpoint. False where there is none of that id. */
  end(id: string): Promise<boolean>;
  /** Forgets what keys that have ended had registered; returns how many. */
  sweep(now: Date): Promise<number>;
}

export interface NewEndpoint {
  /** The registered wallet, else the address, that registers it. */
  readonly caller: string;
  /** The key it was registered with, and ends with. */
  readonly keyId?: string | undefined;
  readonly url: string;
  /** Event names and patterns it asks for. */
  readonly events: readonly string[];
  /** Names that mean nothing here, kept as they came. */
  readonly unknownEvents: readonly string[];
}

export interface Endpoint extends NewEndpoint {
  /** `whe_` and 24 hex digits. */
  readonly id: string;
  /** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks 1.0.0 writes it. */
  readonly secret: string;
  readonly createdAt: Date;
}

/** `now` is there for tests. */
export function createWebhooks(database: Database, { now = () => new Date() } = {}): Webhooks {
  return {
    register: (endpoint) =>
      database.transaction(async (tx) => {
        await lockCaller(tx, endpoint.caller);
        const saved = await saveEndpoint(tx, {
          ...endpoint,
          id: `whe_${randomBytes(12).toString('hex')}`,
          secret: `whsec_${randomBytes(32).toString('base64')}`,
          createdAt: now(),
        });
        if ((await countEndpoints(tx, endpoint.caller)) > WEBHOOKS_PER_CALLER_MAX) throw tooMany();
        return saved;
      }),
    end: (id) => deleteEndpoint(database, id),
    sweep: (now) => deleteEnded(database, now),
  };
}

function tooMany(): AtelierError {
  const message = `You have registered ${WEBHOOKS_PER_CALLER_MAX} URLs, which is as many as one caller may. Send one of those URLs again to change its events.`;
  return new AtelierError('invalid_input', message, {
    errors: [{ field: 'url', code: 'too_many', message }],
  });
}
