import { randomBytes } from 'node:crypto';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { createSender } from './create_sender.ts';
import * as deliveries from './delivery_store.ts';
import type { Parts } from './deps.ts';
import { endpointUrl } from './endpoint_url.ts';
import {
  DISABLED_LIFETIME_MS,
  EARLIER_SECRET_MS,
  LOG_LIFETIME_MS,
  RETRY_AFTER_MS_MAX,
  SECRET_BYTES,
  WEBHOOKS_MAX,
  WEBHOOKS_OF_ADDRESSES_MAX,
  WEBHOOKS_PER_CALLER_MAX,
} from './limits.ts';
import * as store from './store.ts';
import type { Asker, Endpoint, NewEndpoint, Webhooks } from './types.ts';

/** Registrations, and the sender that tells them what happened. See docs/decisions/0115-webhooks.md. */
export function createWebhooks(parts: Parts): Webhooks {
  const { database, clock, report } = parts;
  const sender = createSender(parts);
  const after = (ms: number) => new Date(clock().getTime() + ms);
  const woken = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    sender.wake();
    return done;
  };
  return {
    register: (endpoint) => register(parts, endpoint, after(EARLIER_SECRET_MS)),
    list: (by) => store.selectEndpoints(database, by, { now: clock() }),
    find: (id, by) => findOne(parts, id, by),
    async rotateSecret(id) {
      const [secret, earlierUntil] = [newSecret(), after(EARLIER_SECRET_MS)];
      await store.rotateSecret(database, { id, secret, earlierUntil });
      return { secret, earlierUntil };
    },
    async enable(id, isProved) {
      if (await store.enableEndpoint(database, id, isProved)) return;
      const why =
        'The wallet of this endpoint is locked, so only its owner can have its events sent anywhere. Sign in first.';
      throw new AtelierError('wallet_locked', why);
    },
    test: (id) => woken(deliveries.insertTest(database, id, clock())),
    deliveries: (id, page) => deliveries.selectDeliveries(database, id, page),
    async replay(id, deliveryId) {
      const asked = { endpointId: id, id: deliveryId, now: clock() };
      const replayed = await woken(deliveries.insertReplay(database, asked));
      if (!replayed) throw notFound('This endpoint has no such delivery; old ones are forgotten.');
      return replayed;
    },
    end: (id) => store.deleteEndpoint(database, id),
    tell: (happening) =>
      deliveries.insertHappening(database, happening, clock()).then(sender.wake).catch(report),
    backlog: () => deliveries.selectBacklog(database, clock()),
    work: sender.start,
    sweep: (now) => sweep(parts, now),
    close: sender.close,
  };
}

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

function register({ database, reach, clock }: Parts, endpoint: NewEndpoint, earlierUntil: Date) {
  const url = endpointUrl(reach, endpoint.url);
  return database.transaction(async (tx) => {
    await store.lockRegistrations(tx);
    const secret = newSecret();
    const id = `whe_${randomBytes(12).toString('hex')}`;
    const saved = await store.saveEndpoint(tx, { ...endpoint, url, id, secret, earlierUntil, at: clock() });
    requireRoom(await store.countEndpoints(tx, endpoint.caller), saved.id === id);
    return { ...saved, secret };
  });
}

/** @throws AtelierError invalid_input, busy: what was there before may go on */
function requireRoom(
  { own, ofAddresses, all }: Awaited<ReturnType<typeof store.countEndpoints>>,
  isNew: boolean,
): void {
  if (!isNew) return;
  if (own > WEBHOOKS_PER_CALLER_MAX) throw tooMany();
  if (ofAddresses > WEBHOOKS_OF_ADDRESSES_MAX)
    throw noRoom('Register a wallet and send it as bearer: endpoints without one have no room left here.');
  if (all > WEBHOOKS_MAX) throw noRoom('There is no room for more endpoints on this server.');
}

const noRoom = (message: string): AtelierError =>
  new AtelierError('busy', message, { retryAfterSeconds: 3600 });

function tooMany(): AtelierError {
  const message = `You have registered ${WEBHOOKS_PER_CALLER_MAX} URLs, which is as many as one caller may. Send one of those URLs again to change its events, or delete one (DELETE /api/webhooks/{id}).`;
  return new AtelierError('invalid_input', message, {
    errors: [{ field: 'url', code: 'too_many', message }],
  });
}

async function findOne({ database, clock }: Parts, id: string, by: Asker): Promise<Endpoint> {
  const [found] = await store.selectEndpoints(database, by, { id, now: clock() });
  if (found) return found;
  throw notFound(
    'There is no such endpoint for this caller. Send the wallet, session or key it was registered with, or its secret (Authorization: Bearer whsec_…).',
  );
}

const notFound = (message: string): AtelierError => new AtelierError('webhook_not_found', message);

const TRIM_BUSY_MS = 600_000;

async function sweep({ database }: Parts, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  await deliveries.bringForward(database, now, before(-2 * RETRY_AFTER_MS_MAX));
  const ended = await store.deleteEnded(database, now, before(DISABLED_LIFETIME_MS));
  const trimmed = await deliveries.trimLogs(database, before(TRIM_BUSY_MS));
  await deliveries.deleteIdle(database, trimmed);
  return ended + trimmed.length + (await deliveries.deleteOld(database, before(LOG_LIFETIME_MS)));
}
