import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import {
  DIRECT_SECONDS,
  OBJECT_BYTES_MAX,
  STORE_ANSWER_BYTES_MAX,
  STORE_ATTEMPTS,
  STORE_REQUESTS_AT_ONCE,
  STORE_REQUESTS_WAITING_MAX,
  STORE_RETRY_MS_MAX,
  STORE_RETRY_PAUSE_MS,
  STORE_SENT_BYTES_PER_SECOND_MIN,
  STORE_SILENCE_MS,
} from '../limits.ts';
import { type S3Answer, type S3Client, S3Failure, type S3Request } from './s3_failure.ts';

export interface S3Place {
  /** Including the bucket as path, without a trailing slash. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly keyId: string;
  readonly secretKey: string;
  /** Public base URL of the bucket, if it differs; without a trailing slash. */
  readonly publicUrl?: string | undefined;
}

/** Signs requests by the clock of the store, Signature Version 4. */
interface RequestSigner {
  sign(request: S3Request): Promise<{ url: URL; headers: Headers }>;
  /** A presigned URL to GET the object for some seconds; `query` sets response headers. */
  addressOf(key: string, query: Readonly<Record<string, string>>, seconds: number): Promise<string>;
  /** True if the clock of the store differs from the assumed one. */
  noteDate(headers: Headers): boolean;
  skewMs(): number;
}

const NO_BYTES = createHash('sha256').digest('hex');
/** Stores tolerate 15 minutes of skew; the Date header has a resolution of one second. */
const SKEW_MS_MIN = 60_000;

function createRequestSigner(place: S3Place, now: () => number): RequestSigner {
  const { bucketUrl, publicUrl, region, keyId: accessKeyId, secretKey: secretAccessKey } = place;
  // The signing key of a day is derived once.
  const cache = new Map<string, ArrayBuffer>();
  let skewMs = 0;
  const signer = (more: Partial<ConstructorParameters<typeof AwsV4Signer>[0]> & { url: string }) => {
    if (cache.size > 2) cache.clear();
    const datetime = new Date(now() + skewMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
    return new AwsV4Signer({ ...more, accessKeyId, secretAccessKey, region, datetime, cache, service: 's3' });
  };
  return {
    async sign(request) {
      const { method, body } = request;
      const sha256 = body ? createHash('sha256').update(body).digest('hex') : NO_BYTES;
      const headers = { ...request.headers, 'X-Amz-Content-Sha256': sha256 };
      const signed = await signer({ method, url: urlOf(bucketUrl, request), headers }).sign();
      // Proxies must not compress the stored bytes. Not signed, because fetch changes it for a range.
      signed.headers.set('Accept-Encoding', 'identity');
      return signed;
    },
    async addressOf(key, query, seconds) {
      const address = urlOf(bucketUrl, { key, query: { ...query, 'X-Amz-Expires': String(seconds) } });
      const { url } = await signer({ url: address, signQuery: true }).sign();
      // Spaces as signed: not every store decodes a plus as a space.
      const signed = url.href.replaceAll('+', '%20');
      return publicUrl === undefined ? signed : publicUrl + signed.slice(bucketUrl.length);
    },
    noteDate(headers) {
      const ahead = Date.parse(headers.get('date') ?? '') - now();
      if (Number.isNaN(ahead)) return false;
      const isNews = Math.abs(ahead - skewMs) > SKEW_MS_MIN;
      if (isNews) skewMs = Math.abs(ahead) > SKEW_MS_MIN ? ahead : 0;
      return isNews;
    },
    skewMs: () => skewMs,
  };
}

function urlOf(bucketUrl: string, { key, query = {} }: Pick<S3Request, 'key' | 'query'>): string {
  const path = key === undefined ? '' : `/${key.split('/').map(encodeName).join('/')}`;
  const search = Object.entries(query).map(([name, value]) => `${encodeName(name)}=${encodeName(value)}`);
  return `${bucketUrl}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

/** Encoding of Signature Version 4: encodeURIComponent leaves five more characters unescaped. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

interface Options {
  readonly silenceMs?: number;
  readonly retryPauseMs?: number;
  readonly now?: () => number;
}

/** Signed requests to one bucket, with retries. */
export function createS3Client(place: S3Place, options: Options = {}): S3Client {
  const { silenceMs = STORE_SILENCE_MS, retryPauseMs = STORE_RETRY_PAUSE_MS, now = Date.now } = options;
  const signer = createRequestSigner(place, now);
  const turns = takeTurns({ atOnce: STORE_REQUESTS_AT_ONCE, waitingMax: STORE_REQUESTS_WAITING_MAX });

  const ask = async (request: S3Request): Promise<S3Answer> => {
    const startedAt = performance.now();
    const { onceWithinMs } = request;
    const attemptsMax = onceWithinMs === undefined ? STORE_ATTEMPTS : 1;
    const deadline = onceWithinMs === undefined ? undefined : AbortSignal.timeout(onceWithinMs);
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await turns(() => askOnce(request, { signer, attempts, silenceMs, deadline }), deadline);
      } catch (error) {
        const failure = error instanceof S3Failure ? error : new S3Failure(request, { cause: error });
        const isLate = performance.now() - startedAt > STORE_RETRY_MS_MAX;
        if (!failure.isPassing || attempts >= attemptsMax || isLate) throw failure.asClientError;
        // Jitter spreads retries of simultaneous failures.
        await sleep(Math.random() * retryPauseMs * 2 ** (attempts - 1));
      }
    }
  };
  return {
    ask,
    addressOf: (key, { contentType, contentDisposition, cacheControl }) =>
      signer.addressOf(
        key,
        {
          'response-content-type': contentType,
          'response-content-disposition': contentDisposition,
          'response-cache-control': cacheControl,
        },
        DIRECT_SECONDS,
      ),
    skewMs: signer.skewMs,
  };
}

interface Once {
  readonly signer: RequestSigner;
  readonly attempts: number;
  readonly silenceMs: number;
  readonly deadline: AbortSignal | undefined;
}

/** @throws S3Failure */
async function askOnce(request: S3Request, once: Once): Promise<S3Answer> {
  const { method, body, expects = [] } = request;
  const { signer, attempts, silenceMs, deadline } = once;
  const silence = watchSilence(silenceMs, ((body?.length ?? 0) * 1000) / STORE_SENT_BYTES_PER_SECOND_MIN);
  try {
    const { url, headers: signed } = await signer.sign(request);
    const response = await fetch(url, {
      method,
      headers: signed,
      redirect: 'manual',
      signal: deadline ? AbortSignal.any([silence.signal, deadline]) : silence.signal,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
    const { status, headers } = response;
    const isWell = response.ok || expects.includes(status);
    const bytes = await readAll(response, isWell ? request.bytesMax : undefined, silence.restart);
    const isSkewed = signer.noteDate(headers);
    if (isWell) return { status, headers, bytes, attempts };
    if (status === 403 && isSkewed) return await askOnce(request, { ...once, attempts: attempts + 1 });
    throw new S3Failure(request, { status, body: Buffer.from(bytes).toString() });
  } catch (error) {
    throw error instanceof S3Failure ? error : new S3Failure(request, { cause: error });
  } finally {
    silence.end();
  }
}

/** Aborts after a period without data; an upload may take `sendingMs` longer. */
function watchSilence(silenceMs: number, sendingMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error(`no data for ${silenceMs} ms`));
  let timer = setTimeout(abort, silenceMs + sendingMs);
  return {
    signal: controller.signal,
    restart: () => {
      clearTimeout(timer);
      timer = setTimeout(abort, silenceMs);
    },
    end: () => clearTimeout(timer),
  };
}

/** @throws Error if the response exceeds the limit, or is shorter than announced */
async function readAll(
  response: Response,
  bytesMax = STORE_ANSWER_BYTES_MAX,
  heard: () => void,
): Promise<Uint8Array> {
  const announced = response.headers.get('content-length');
  const chunks: Uint8Array[] = [];
  let length = 0;
  heard();
  for await (const chunk of response.body ?? []) {
    heard();
    length += chunk.length;
    if (length > Math.min(bytesMax, OBJECT_BYTES_MAX)) throw new Error(`it sent more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  const isWhole = response.body === null || announced === null || Number(announced) === length;
  if (!isWhole) throw new Error(`it sent ${length} of ${announced} bytes`);
  const [only] = chunks;
  return only && chunks.length === 1
    ? Buffer.from(only.buffer, only.byteOffset, only.length)
    : Buffer.concat(chunks);
}

/**
 * Semaphore with a FIFO queue.
 * @throws Error if the queue is full, and the abort reason of `signal`
 */
function takeTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }) {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = async (signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= waitingMax) throw new Error('too many queued requests');
    const turn = Promise.withResolvers<void>();
    const leave = () => turn.reject(signal?.reason);
    waiting.add(turn.resolve);
    signal?.addEventListener('abort', leave);
    try {
      await turn.promise;
    } finally {
      waiting.delete(turn.resolve);
      signal?.removeEventListener('abort', leave);
    }
  };

  return async function run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await enter(signal);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running -= 1;
    }
  };
}
