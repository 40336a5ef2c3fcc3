import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/contract.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Webhooks } from './contract.ts';
import { countEndpoints, deleteEnded, deleteEndpoint, lockCaller, saveEndpoint } from './store.ts';

export const WEBHOOKS_PER_CALLER_MAX = 20;

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
