import { setTimeout as sleep } from 'node:timers/promises';
import { FETCH_REDIRECTS_MAX } from '../../../config/limits.ts';
import { USER_AGENT } from '../../../config/program.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import { fetchPublic, UnexpectedStatus } from '../../../core/outbound_http/fetch_public.ts';
import type { Reach } from '../../../core/outbound_http/reach.ts';
import type { Fetched, FetchOptions } from '../../../core/outbound_http/types.ts';
import { mirrorUrl } from '../harvest/mirror_url.ts';
import {
  ARTWORK_FETCH_TIMEOUT_MS,
  ARTWORK_PICTURE_BYTES_MAX,
  ARTWORK_RECORD_BYTES_MAX,
  LIVE_ANSWER_TIMEOUT_MS,
  MUSEUM_FAILURES_MAX,
  MUSEUM_PICTURES_PAUSE_MS,
  MUSEUM_REST_MS,
  MUSEUM_REST_MS_MAX,
  MUSEUM_TURN_MS_MAX,
  MUSEUMS_PAUSE_MS,
} from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';

/** A museum did not deliver what was requested; a later request may succeed. */
export class MuseumUnavailable extends Error {
  override readonly name = 'MuseumAway';
  /** Predicate after the museum's name: "did not answer in time". Contains no network details. */
  readonly what: string;
  readonly retryAfterSeconds: number;
  /** No response was received, or no request was sent. */
  readonly isUnreached: boolean;

  constructor(
    what: string,
    {
      retryAfterMs = 60_000,
      isUnreached = false,
      cause,
    }: { retryAfterMs?: number; isUnreached?: boolean; cause?: unknown } = {},
  ) {
    super(what, { cause });
    this.what = what;
    this.isUnreached = isUnreached;
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  }
}

/** Circuit breaker: pauses requests after consecutive failures, longer each time. */
interface Circuit {
  /** Time until which requests are paused, in ms of the clock; undefined: not paused. */
  restsUntil(lane: string): number | undefined;
  succeed(lane: string): void;
  /** @param pauseMs requested by the museum, which pauses requests at once */
  fail(lane: string, pauseMs?: number): void;
}

interface State {
  readonly failures: number;
  /** Number of pauses since the last success. */
  readonly rests: number;
  readonly until: number;
}

const FINE: State = { failures: 0, rests: 0, until: 0 };

/** @param now monotonic clock in ms */
export function createCircuit(now: () => number): Circuit {
  const states = new Map<string, State>();
  return {
    restsUntil(lane) {
      const { until } = states.get(lane) ?? FINE;
      return until > now() ? until : undefined;
    },
    succeed: (lane) => void states.delete(lane),
    fail(lane, pauseMs) {
      const { failures: before, rests, until } = states.get(lane) ?? FINE;
      const failures = before + 1;
      // After a pause, the first failure starts the next one.
      if (pauseMs === undefined && rests === 0 && failures < MUSEUM_FAILURES_MAX) {
        states.set(lane, { failures, rests, until });
        return;
      }
      const restMs = Math.min(MUSEUM_REST_MS_MAX, Math.max(pauseMs ?? 0, MUSEUM_REST_MS * 2 ** rests));
      states.set(lane, { failures, rests: rests + 1, until: now() + restMs });
    },
  };
}

/**
 * All requests of a running server to museums: identified by a user agent, rate-limited, and suspended while
 * a museum is failing.
 */
export interface Museums {
  /**
   * Requests a JSON object.
   * @throws MuseumAway
   */
  json(museum: MuseumName, url: string, question: Question): Promise<Answer>;
  /**
   * Downloads an image of at most `ARTWORK_PICTURE_BYTES_MAX`.
   * @throws MuseumAway
   */
  picture(museum: MuseumName, url: string): Promise<Uint8Array>;
}

export interface Question {
  /** Minimum interval between two requests to this museum, in ms. */
  readonly pauseMs: number;
  /** Headers with an API key. Redirects are then not followed. */
  readonly secret?: Readonly<Record<string, string>> | undefined;
  /** Body of a POST request. */
  readonly body?: string | undefined;
  /** Entity tag of the stored response. */
  readonly etag?: string | undefined;
}

export interface Answer {
  /** Undefined: the stored response is still valid. */
  readonly value: Record<string, unknown> | undefined;
  /** Empty if the museum sends none. */
  readonly etag: string;
}

interface AskMuseumsDeps {
  readonly reach: Reach;
  /** Email address or URL of the operator. */
  readonly contact?: string | undefined;
  /** Base URL of a mirror that serves all museums: `<mirror>/<host>/<path>`. */
  readonly mirror?: string | undefined;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

interface Wanted<T> extends Omit<FetchOptions, 'field' | 'signal'> {
  readonly pauseMs: number;
  read(fetched: Fetched): T;
}

export function createMuseumClient(parts: AskMuseumsDeps): Museums {
  const ask = createAsk(parts);
  return {
    json: (museum, url, { pauseMs, secret, body, etag }) =>
      ask(`${museum} records`, url, {
        pauseMs,
        maxBytes: ARTWORK_RECORD_BYTES_MAX,
        timeoutMs: LIVE_ANSWER_TIMEOUT_MS,
        redirectsMax: secret ? 0 : FETCH_REDIRECTS_MAX,
        body,
        headers: {
          ...secret,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          accept: 'application/json, application/ld+json;q=0.9',
          ...(etag && { 'if-none-match': etag }),
        },
        read: (fetched) => ({
          value: fetched.isUnchanged ? undefined : objectIn(fetched.bytes),
          etag: fetched.etag,
        }),
      }),
    picture: (museum, url) =>
      ask(`${museum} pictures`, url, {
        pauseMs: MUSEUM_PICTURES_PAUSE_MS,
        maxBytes: ARTWORK_PICTURE_BYTES_MAX,
        timeoutMs: ARTWORK_FETCH_TIMEOUT_MS,
        redirectsMax: FETCH_REDIRECTS_MAX,
        read: ({ bytes }) => bytes,
      }),
  };
}

/** Sends one request: not while its lane is paused, rate-limited, and with its failures counted. */
function createAsk({ reach, contact, mirror, now = () => performance.now(), wait = sleep }: AskMuseumsDeps) {
  const circuit = createCircuit(now);
  const pace = createPace(now);
  const name = `${USER_AGENT} (${contact ?? 'its operator has left no address'})`;
  const named = { 'user-agent': name, 'aic-user-agent': name };
  return async <T>(lane: string, url: string, wanted: Wanted<T>): Promise<T> => {
    const until = circuit.restsUntil(lane);
    if (until !== undefined) throw resting(until - now());
    const waitMs = pace.take(lane, wanted.pauseMs);
    if (waitMs === undefined) throw crowded();
    if (waitMs > 0) await wait(waitMs);
    try {
      const fetched = await fetchPublic(reach, mirrorUrl(mirror, url), {
        ...wanted,
        field: 'image',
        headers: { ...named, ...wanted.headers },
        // The response may be shared, so a client that disconnects must not abort it.
        signal: new AbortController().signal,
      });
      const read = wanted.read(fetched);
      circuit.succeed(lane);
      return read;
    } catch (error) {
      const { what, counts, pauseMs, isUnreached } = problemOf(error, wanted.maxBytes);
      if (counts) circuit.fail(lane, pauseMs);
      const retryAfter = pauseMs !== undefined && { retryAfterMs: pauseMs };
      throw new MuseumUnavailable(what, { cause: error, isUnreached: isUnreached === true, ...retryAfter });
    }
  };
}

/** @throws NoRecord */
function objectIn(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value = parseBoundedJson(bytes);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Handled below, like JSON that is not an object.
  }
  throw new NoRecord();
}

class NoRecord extends Error {}

const resting = (leftMs: number) =>
  new MuseumUnavailable(
    `has failed several times, or asked for a pause, so it is not asked again before ${new Date(Date.now() + leftMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    { retryAfterMs: leftMs, isUnreached: true },
  );

const crowded = () =>
  new MuseumUnavailable('is already receiving as many requests as this server allows', {
    retryAfterMs: MUSEUM_TURN_MS_MAX,
    isUnreached: true,
  });

interface Problem {
  readonly what: string;
  /** The failure concerns the museum, not only this work. */
  readonly counts: boolean;
  /** Duration of an immediate pause, in ms. */
  readonly pauseMs?: number | undefined;
  readonly isUnreached?: true;
}

function problemOf(error: unknown, maxBytes: number): Problem {
  if (error instanceof NoRecord) return { what: 'returned no valid record', counts: true };
  if (!(error instanceof AtelierError)) throw error;
  const { cause, code } = error;
  if (cause instanceof UnexpectedStatus) return refusal(cause);
  if (code === 'payload_too_large')
    return { what: `sent more than ${maxBytes / 1024 ** 2} MB`, counts: false };
  if (code === 'invalid_input')
    return { what: 'has an address outside the public internet', counts: true, isUnreached: true };
  if ((cause as Error | undefined)?.name === 'TimeoutError')
    return { what: 'did not respond in time', counts: true, pauseMs: MUSEUM_REST_MS, isUnreached: true };
  return { what: 'could not be reached, or its response was incomplete', counts: true, isUnreached: true };
}

function refusal({ status, pauseMs }: UnexpectedStatus): Problem {
  if (status === 404 || status === 410)
    return { what: `has no such resource (status ${status})`, counts: false };
  const what = `returned status ${status}`;
  if (status === 429) return { what, counts: true, pauseMs: pauseMs ?? MUSEUM_REST_MS };
  return { what, counts: status >= 500 || [401, 403, 408, 425].includes(status), pauseMs };
}

/** Rate limiter: each lane at its own interval, and all lanes together at a common one. */
interface Pace {
  /** Reserves the next slot. Returns the delay until it, in ms; undefined if that would be too long. */
  take(lane: string, pauseMs: number): number | undefined;
}

/** @param now monotonic clock in ms */
export function createPace(now: () => number): Pace {
  const free = new Map<string, number>();
  return {
    take(lane, pauseMs) {
      const at = Math.max(now(), free.get('') ?? 0, free.get(lane) ?? 0);
      const waitMs = at - now();
      if (waitMs > MUSEUM_TURN_MS_MAX) return undefined;
      free.set('', at + MUSEUMS_PAUSE_MS);
      free.set(lane, at + pauseMs);
      return waitMs;
    },
  };
}
