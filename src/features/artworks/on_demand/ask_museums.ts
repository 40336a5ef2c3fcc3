import { setTimeout as sleep } from 'node:timers/promises';
import { FETCH_REDIRECTS_MAX } from '../../../config/limits.ts';
import { USER_AGENT } from '../../../config/program.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import { fetchPublic } from '../../../core/outbound_http/fetch_public.ts';
import type { Reach } from '../../../core/outbound_http/reach.ts';
import type { Fetched, FetchOptions } from '../../../core/outbound_http/types.ts';
import { UnexpectedStatus } from '../../../core/outbound_http/unexpected_status.ts';
import { mirrored } from '../harvest/mirrored.ts';
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

/** A museum that does not give what it was asked for, for now. */
export class MuseumAway extends Error {
  override readonly name = 'MuseumAway';
  /** What it does, after its name: "did not answer in time". Nothing of the way there. */
  readonly what: string;
  readonly retryAfterSeconds: number;
  /** Nothing came back, or it was not asked. */
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

/** Leaves alone for a while what fails on end, longer each time. */
interface Circuit {
  /** Until when it is left alone, in milliseconds of the clock; undefined: it may be asked. */
  restsUntil(lane: string): number | undefined;
  succeed(lane: string): void;
  /** @param pauseMs as it asked itself: then it is left alone at once */
  fail(lane: string, pauseMs?: number): void;
}

interface State {
  readonly failures: number;
  /** How often it has been left alone since it last answered. */
  readonly rests: number;
  readonly until: number;
}

const FINE: State = { failures: 0, rests: 0, until: 0 };

/** @param now milliseconds of a clock that only grows */
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
      // After a rest the first failure is enough.
      if (pauseMs === undefined && rests === 0 && failures < MUSEUM_FAILURES_MAX) {
        states.set(lane, { failures, rests, until });
        return;
      }
      const restMs = Math.min(MUSEUM_REST_MS_MAX, Math.max(pauseMs ?? 0, MUSEUM_REST_MS * 2 ** rests));
      states.set(lane, { failures, rests: rests + 1, until: now() + restMs });
    },
  };
}

/** Everything a running server asks of museums goes through here: by name, at a polite pace, and not while one is out of order. */
export interface Museums {
  /** An object its interface answers. @throws MuseumAway */
  json(museum: MuseumName, url: string, question: Question): Promise<Answer>;
  /** Bytes of a file of at most `ARTWORK_PICTURE_BYTES_MAX`. @throws MuseumAway */
  picture(museum: MuseumName, url: string): Promise<Uint8Array>;
}

export interface Question {
  /** Least time between two of them at this museum, in milliseconds. */
  readonly pauseMs: number;
  /** Headers with a key of the museum; no redirect is followed with it. */
  readonly secret?: Readonly<Record<string, string>> | undefined;
  /** Sent with POST. */
  readonly body?: string | undefined;
  /** Of the answer that is kept. */
  readonly etag?: string | undefined;
}

export interface Answer {
  /** Undefined: the one that is kept still holds. */
  readonly value: Record<string, unknown> | undefined;
  /** Empty where the museum says none. */
  readonly etag: string;
}

interface AskMuseumsDeps {
  readonly reach: Reach;
  /** Mail or web address of the operator. */
  readonly contact?: string | undefined;
  /** Base address that stands for all hosts of museums: `<mirror>/<host>/<path>`. */
  readonly mirror?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

interface Wanted<T> extends Omit<FetchOptions, 'field' | 'signal'> {
  readonly pauseMs: number;
  read(fetched: Fetched): T;
}

export function askMuseums(parts: AskMuseumsDeps): Museums {
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

/** One request in its lane: not while the museum rests, in its turn, and its failure counted. */
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
      const fetched = await fetchPublic(reach, mirrored(mirror, url), {
        ...wanted,
        field: 'image',
        headers: { ...named, ...wanted.headers },
        // One caller that leaves does not take it from the others.
        signal: new AbortController().signal,
      });
      const read = wanted.read(fetched);
      circuit.succeed(lane);
      return read;
    } catch (error) {
      const { what, counts, pauseMs, isUnreached } = problemOf(error, wanted.maxBytes);
      if (counts) circuit.fail(lane, pauseMs);
      const retryAfter = pauseMs !== undefined && { retryAfterMs: pauseMs };
      throw new MuseumAway(what, { cause: error, isUnreached: isUnreached === true, ...retryAfter });
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
    // Told below, as for an answer that is JSON and no object.
  }
  throw new NoRecord();
}

class NoRecord extends Error {}

const resting = (leftMs: number) =>
  new MuseumAway(
    `has failed several times, or asks for a pause, and is left alone until ${new Date(Date.now() + leftMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    { retryAfterMs: leftMs, isUnreached: true },
  );

const crowded = () =>
  new MuseumAway('is asked by this server as often as is polite already', {
    retryAfterMs: MUSEUM_TURN_MS_MAX,
    isUnreached: true,
  });

interface Problem {
  readonly what: string;
  /** It speaks of the museum and not of the one work. */
  readonly counts: boolean;
  /** It is to be left alone at once, for so long. */
  readonly pauseMs?: number | undefined;
  readonly isUnreached?: true;
}

function problemOf(error: unknown, maxBytes: number): Problem {
  if (error instanceof NoRecord) return { what: 'answered with something that is no record', counts: true };
  if (!(error instanceof AtelierError)) throw error;
  const { cause, code } = error;
  if (cause instanceof UnexpectedStatus) return refusal(cause);
  if (code === 'payload_too_large')
    return { what: `sent more than ${maxBytes / 1024 ** 2} MB`, counts: false };
  if (code === 'invalid_input')
    return { what: 'names an address that is not on the public internet', counts: true, isUnreached: true };
  if ((cause as Error | undefined)?.name === 'TimeoutError')
    return { what: 'did not answer in time', counts: true, pauseMs: MUSEUM_REST_MS, isUnreached: true };
  return { what: 'cannot be reached, or its answer broke off', counts: true, isUnreached: true };
}

function refusal({ status, pauseMs }: UnexpectedStatus): Problem {
  if (status === 404 || status === 410)
    return { what: `has nothing there (status ${status})`, counts: false };
  const what = `did not give it (status ${status})`;
  if (status === 429) return { what, counts: true, pauseMs: pauseMs ?? MUSEUM_REST_MS };
  return { what, counts: status >= 500 || [401, 403, 408, 425].includes(status), pauseMs };
}

/** Requests to museums one after the other: those of one lane at its pace, all of them at a common one. */
interface Pace {
  /** How long a request has to wait for its turn, which is then its own; undefined where that is too long. */
  take(lane: string, pauseMs: number): number | undefined;
}

/** @param now milliseconds of a clock that only grows */
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
