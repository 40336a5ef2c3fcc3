import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { URL_CHARACTERS_MAX } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import { retryAfterMs, untilAborted } from '../../core/outbound_http/fetch_public.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import { requestOnce } from '../../core/outbound_http/request_once.ts';
import { openRoute } from '../../core/outbound_http/route.ts';
import type { Telemetry } from '../../core/telemetry/types.ts';
import * as deliveries from './delivery_store.ts';
import {
  type Claimed,
  claimDue,
  endAttempt,
  fanOutEvents,
  peekDue,
  requeueDelivery,
} from './delivery_store.ts';
import {
  ANSWER_BYTES_MAX,
  DELIVERY_TIMEOUT_MS,
  DISABLED_LIFETIME_MS,
  EARLIER_SECRET_MS,
  FAILING_MS_MAX,
  FAILING_SHARE,
  GATHER_MS,
  LEASE_MS,
  LOG_LIFETIME_MS,
  LOOK_MS,
  PAUSE_MS,
  PAUSE_MS_MAX,
  REST_MS,
  RETRY_AFTER_MS,
  RETRY_AFTER_MS_MAX,
  RETRY_JITTER,
  SECRET_BYTES,
  WEBHOOKS_MAX,
  WEBHOOKS_OF_ADDRESSES_MAX,
  WEBHOOKS_PER_CALLER_MAX,
} from './limits.ts';
import * as store from './store.ts';
import { disableEndpoint } from './store.ts';
import type { Asker, Delivery, Endpoint, NewEndpoint, Webhooks } from './types.ts';

/** Outcome of one attempt. */
interface Attempt {
  readonly status: number | null;
  /** Error message; null where a response came. */
  readonly error: string | null;
  readonly ms: number | null;
  /** Retry-After of the receiver, in ms. */
  readonly pauseMs?: number | undefined;
}

interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Sends one event to the current address of its host; follows no redirect. All network failures have the same message, because
 * details would reveal the private network. Never throws.
 */
export async function sendOnce(
  reach: Reach,
  { signal, timeoutMs = DELIVERY_TIMEOUT_MS, ...sending }: Sending,
): Promise<Attempt> {
  const late = AbortSignal.timeout(timeoutMs);
  const deadline = AbortSignal.any([signal, late]);
  const begun = performance.now();
  try {
    const response = await untilAborted(deadline, request(reach, sending, deadline));
    const { statusCode = 0, headers } = response;
    const ms = Math.round(performance.now() - begun);
    await untilAborted(deadline, readSome(response)).catch(() => {});
    response.destroy();
    return { status: statusCode, error: null, ms, pauseMs: retryAfterMs(headers['retry-after']) };
  } catch {
    return { status: null, error: late.aborted ? TOO_LATE : NOT_REACHED, ms: null };
  }
}

const TOO_LATE = `The endpoint did not respond within ${DELIVERY_TIMEOUT_MS / 1000} s.`;
const NOT_REACHED =
  'The endpoint is unreachable: its host name does not resolve to a public IP address, its certificate is invalid, or the connection was closed.';

async function request(
  reach: Reach,
  { url, headers, body }: Pick<Sending, 'url' | 'headers' | 'body'>,
  deadline: AbortSignal,
): Promise<IncomingMessage> {
  const route = await openRoute(reach, url, 'url');
  deadline.throwIfAborted();
  const own = { accept: '*/*', 'content-type': 'application/json', 'user-agent': 'Atelier-Webhooks/0.5' };
  return requestOnce(route, { headers: { ...headers, ...own }, body }, deadline);
}

/** Reads a short response to its end, so that the receiver can close the connection cleanly; drops a longer one. */
async function readSome(response: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) return;
  }
}

/** The decision after an attempt. */
type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed'; readonly disableBecause?: string }
  | { readonly state: 'pending'; readonly dueAt: Date; readonly pausedUntil?: Date };

interface Made extends Attempt {
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly at: Date;
  /** Start of the current series of failures; null where the last attempt succeeded. */
  readonly failingSince: Date | null;
  /** 0 to 1. */
  readonly random: number;
}

/** Statuses of an overloaded receiver. */
const OVERLOADED = [429, 502, 503, 504];

/** 2xx: delivered. Failed after the last attempt of the schedule. Otherwise retried, later if the receiver sends Retry-After. */
export function afterAttempt({ status, pauseMs, number, at, failingSince, random }: Made): Verdict {
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  if (status === 410)
    return { state: 'failed', disableBecause: 'it returned 410 Gone, which ends its subscription' };
  const pause = RETRY_AFTER_MS[number - 1];
  if (pause === undefined) {
    const isDead = failingSince !== null && at.getTime() - failingSince.getTime() >= FAILING_MS_MAX;
    if (!isDead) return { state: 'failed' };
    return {
      state: 'failed',
      disableBecause: `no delivery has succeeded since ${failingSince.toISOString()}`,
    };
  }
  const after = (ms: number) => new Date(at.getTime() + ms);
  const asked = Math.min(pauseMs ?? 0, RETRY_AFTER_MS_MAX);
  const dueAt = after(Math.max(pause * (1 + random * RETRY_JITTER), asked));
  if (!OVERLOADED.includes(status ?? 0)) return { state: 'pending', dueAt };
  return { state: 'pending', dueAt, pausedUntil: after(Math.min(pauseMs ?? PAUSE_MS, PAUSE_MS_MAX)) };
}

/** The signed content: all three parts are covered by the signature. */
interface Notice {
  /** `webhook-id`. */
  readonly id: string;
  /** Time of this attempt, in Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature` by Standard Webhooks 1.0.0: one signature per secret, separated by spaces. */
export const signNotification = (secrets: readonly string[], { id, timestamp, body }: Notice): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');

/** The HTTP request of a delivery: the body is the same in every attempt, the signature is not. */
function noticeOf(
  { eventId, type, at, data, secret, earlierSecret }: Claimed,
  { publicUrl, now }: { publicUrl: string; now: Date },
): { headers: Record<string, string>; body: string } {
  const { url } = data;
  const absolute = typeof url === 'string' ? { ...data, url: publicUrl + url } : data;
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: absolute });
  const timestamp = Math.floor(now.getTime() / 1000);
  const secrets = earlierSecret === null ? [secret] : [secret, earlierSecret];
  return {
    body,
    headers: {
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signNotification(secrets, { id: eventId, timestamp, body }),
    },
  };
}

/** Claims and sends due deliveries. Several servers may run one on the same database. */
interface Sender {
  start(): void;
  /** Polls now instead of at the next interval. */
  wake(): void;
  /** Stops; requeues deliveries in flight. */
  close(): Promise<void>;
}

interface UnderWay {
  readonly delivery: Claimed;
  readonly ended: Promise<void>;
}

/** Polls once a second and whenever a slot becomes free. Pauses after a database error. */
function createSender(parts: SenderDeps): Sender {
  const { report, atOnce } = parts;
  const underWay = new Map<string, UnderWay>();
  const stopping = new AbortController();
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let restsUntil = 0;

  const start = (delivery: Claimed) => {
    const ended = deliver(parts, delivery, stopping.signal)
      .catch(report)
      .finally(() => {
        underWay.delete(delivery.id);
        wake();
      });
    underWay.set(delivery.id, { delivery, ended });
  };
  const look = async () => {
    if (stopping.signal.aborted || performance.now() < restsUntil) return;
    const under = [...underWay.values()].map(({ delivery }) => delivery);
    try {
      const { claimed, hasMore } = await takeDue(parts, under);
      for (const delivery of claimed) start(delivery);
      if (hasMore) wake();
    } catch (error) {
      restsUntil = performance.now() + REST_MS;
      report(error);
    }
  };
  // One poll at a time; a wake-up during it triggers another one.
  const lookNext = () => {
    gathering = undefined;
    looking = looking.then(look);
  };
  function wake(): void {
    if (timer === undefined || stopping.signal.aborted) return;
    gathering ??= setTimeout(lookNext, GATHER_MS).unref();
  }
  return {
    start() {
      if (atOnce > 0) timer ??= setInterval(wake, LOOK_MS).unref();
    },
    wake,
    async close() {
      clearInterval(timer);
      clearTimeout(gathering);
      stopping.abort();
      await looking;
      await Promise.all([...underWay.values()].map(({ ended }) => ended));
    },
  };
}

/** Fans out events, then claims deliveries for the free slots. `hasMore`: events are left. */
async function takeDue(
  { database, clock, atOnce }: SenderDeps,
  under: readonly Claimed[],
): Promise<{ claimed: Claimed[]; hasMore: boolean }> {
  const { hasNews, nextDue } = await peekDue(database);
  const now = clock();
  // One batch only: free slots are filled before the next.
  const hasMore = hasNews && (await fanOutEvents(database, now)) > 0;
  const places = atOnce - under.length;
  const isDue = hasNews || (nextDue !== null && nextDue <= now);
  if (places <= 0 || !isDue) return { claimed: [], hasMore };
  const failing = under.filter(({ failingSince }) => failingSince !== null).length;
  const claimed = await claimDue(database, {
    now,
    leaseUntil: new Date(now.getTime() + LEASE_MS),
    places,
    placesOfFailing: Math.ceil(atOnce * FAILING_SHARE) - failing,
    underWay: {
      hosts: countBy(under, ({ host }) => host),
      callers: countBy(under, ({ caller }) => caller),
      lanes: countBy(under, ({ host, caller }) => `${host} ${caller}`),
    },
  });
  return { claimed, hasMore };
}

function countBy(deliveries: readonly Claimed[], nameOf: (delivery: Claimed) => string) {
  const groups = Map.groupBy(deliveries, nameOf);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.length]));
}

/** Attempts a delivery once and records the outcome. @param stopped this server is shutting down: the attempt does not count */
async function deliver(parts: SenderDeps, delivery: Claimed, stopped: AbortSignal): Promise<void> {
  const { database, reach, publicUrl, clock, random } = parts;
  const { id, attempt: number, url, failingSince } = delivery;
  const begun = clock();
  const made = await sendOnce(reach, {
    url,
    signal: stopped,
    ...noticeOf(delivery, { publicUrl, now: begun }),
  });
  const at = clock();
  if (stopped.aborted && made.status === null) return requeueDelivery(database, id, number, at);
  const verdict = afterAttempt({ ...made, number, at, failingSince, random: random() });
  parts.onAttempt?.(verdict.state);
  await endAttempt(database, { id, attempt: number, now: at, ...written(verdict, made, { begun, at }) });
  if (verdict.state === 'failed' && verdict.disableBecause !== undefined)
    await disableEndpoint(database, { id: delivery.endpointId, because: verdict.disableBecause, at });
}

function written(verdict: Verdict, { status, error, ms }: Attempt, { begun, at }: { begun: Date; at: Date }) {
  const { state } = verdict;
  const isWaiting = state === 'pending';
  return {
    state,
    logged: { at: begun.toISOString(), status, error, ms },
    dueAt: isWaiting ? verdict.dueAt : at,
    pausedUntil: (isWaiting ? verdict.pausedUntil : undefined) ?? null,
  };
}

/** Endpoint registration and the sender. See docs/decisions/0042-webhooks.md. */
export function createWebhooks(parts: SenderDeps): Webhooks {
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
        'The wallet of this endpoint is locked, so only its owner can enable or test it. Sign in first.';
      throw new AtelierError('wallet_locked', why);
    },
    test: (id) => woken(deliveries.insertTest(database, id, clock())),
    deliveries: (id, page) => deliveries.selectDeliveries(database, id, page),
    async replay(id, deliveryId) {
      const asked = { endpointId: id, id: deliveryId, now: clock() };
      const replayed = await woken(deliveries.insertReplay(database, asked));
      if (!replayed) throw notFound('Delivery not found for this endpoint; old deliveries are deleted.');
      return replayed;
    },
    end: (id) => store.deleteEndpoint(database, id),
    tell: (happening) =>
      deliveries.insertDomainEvent(database, happening, clock()).then(sender.wake).catch(report),
    backlog: () => deliveries.selectBacklog(database, clock()),
    work: sender.start,
    sweep: (now) => sweep(parts, now),
    close: sender.close,
  };
}

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

function register({ database, reach, clock }: SenderDeps, endpoint: NewEndpoint, earlierUntil: Date) {
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

/** Checks the limits before a new endpoint. @throws AtelierError invalid_input, busy */
function requireRoom(
  { own, ofAddresses, all }: Awaited<ReturnType<typeof store.countEndpoints>>,
  isNew: boolean,
): void {
  if (!isNew) return;
  if (own > WEBHOOKS_PER_CALLER_MAX) throw tooMany();
  if (ofAddresses > WEBHOOKS_OF_ADDRESSES_MAX)
    throw noRoom(
      'The limit of endpoints without a wallet is reached. Register a wallet and send it as bearer.',
    );
  if (all > WEBHOOKS_MAX) throw noRoom('This server has reached its limit of endpoints.');
}

const noRoom = (message: string): AtelierError =>
  new AtelierError('busy', message, { retryAfterSeconds: 3600 });

function tooMany(): AtelierError {
  const message = `You have ${WEBHOOKS_PER_CALLER_MAX} endpoints, the maximum. To change the events of one, register its URL again; to delete one, call DELETE /api/webhooks/{id}.`;
  return new AtelierError('invalid_input', message, {
    errors: [{ field: 'url', code: 'too_many', message }],
  });
}

async function findOne({ database, clock }: SenderDeps, id: string, by: Asker): Promise<Endpoint> {
  const [found] = await store.selectEndpoints(database, by, { id, now: clock() });
  if (found) return found;
  throw notFound(
    'Endpoint not found for this client. Send the wallet, session or key it was registered with, or its secret (Authorization: Bearer whsec_…).',
  );
}

const notFound = (message: string): AtelierError => new AtelierError('webhook_not_found', message);

const TRIM_BUSY_MS = 600_000;

async function sweep({ database }: SenderDeps, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  await deliveries.bringForward(database, now, before(-2 * RETRY_AFTER_MS_MAX));
  const ended = await store.deleteEnded(database, now, before(DISABLED_LIFETIME_MS));
  const trimmed = await deliveries.trimLogs(database, before(TRIM_BUSY_MS));
  await deliveries.deleteIdle(database, trimmed);
  return ended + trimmed.length + (await deliveries.deleteOld(database, before(LOG_LIFETIME_MS)));
}

/**
 * Normalises the URL of an endpoint and checks its text. Its host is resolved and checked before each attempt, because DNS may
 * change. @throws AtelierError invalid_input
 */
export function endpointUrl(reach: Reach, text: string): string {
  const url = text.length > URL_CHARACTERS_MAX ? null : URL.parse(text);
  if (!url || url.href.length > URL_CHARACTERS_MAX) throw refused(reach);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isIP(host) ? reach.allows(host) : reach.allowsName?.(host) !== false;
  const isPlain = reach.schemes.includes(url.protocol) && !url.username && !url.password && host !== '';
  if (!isAllowed || !isPlain || reach.ports?.includes(url.port) === false) throw refused(reach);
  url.hash = '';
  return url.href;
}

function refused({ schemes, ports }: Reach): AtelierError {
  const scheme = schemes.includes('http:') ? 'http or https' : 'https';
  const where = ports ? ' of a public host, on port 443 or 8443' : '';
  return invalidField(
    'url',
    `url must be an ${scheme} URL${where}, without user name or password, of at most ${URL_CHARACTERS_MAX} characters.`,
  );
}

interface Opened extends Pick<SenderDeps, 'database' | 'reach' | 'publicUrl'> {
  readonly logger: Pick<BaseLogger, 'error'>;
  readonly telemetry: Pick<Telemetry, 'count'>;
}

/** Creates the webhook service from the configuration. Deliveries start with `work`. */
export const openWebhooks = (config: Config, { logger, telemetry, ...opened }: Opened): Webhooks =>
  createWebhooks({
    ...opened,
    atOnce: config.WEBHOOKS_AT_ONCE,
    clock: () => new Date(),
    random: Math.random,
    onAttempt: (outcome) => telemetry.count('atelier_webhook_attempts_total', { outcome }),
    report: (error) => logger.error({ err: error }, 'webhook delivery run failed'),
  });

/** Shared dependencies of this service. */
export interface SenderDeps {
  readonly database: Database;
  /** Networks to which deliveries may be sent. */
  readonly reach: Reach;
  /** Public base URL of this server, without a trailing slash. */
  readonly publicUrl: string;
  /** Concurrent deliveries; 0: this server sends none. */
  readonly atOnce: number;
  readonly clock: () => Date;
  /** 0 to 1. */
  readonly random: () => number;
  /** Called with the outcome of each attempt. */
  onAttempt?(outcome: Delivery['state']): void;
  /** Reports internal failures. */
  report(error: unknown): void;
}
