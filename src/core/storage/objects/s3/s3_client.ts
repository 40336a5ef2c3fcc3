import { setTimeout as sleep } from 'node:timers/promises';
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
import { createRequestSigner, type RequestSigner, type S3Place } from './request_signer.ts';
import { S3Failure } from './s3_failure.ts';
import type { S3Answer, S3Client, S3Request } from './s3_request.ts';
import { takeTurns } from './take_turns.ts';

interface Options {
  readonly silenceMs?: number;
  readonly retryPauseMs?: number;
  readonly now?: () => number;
}

/** Signed requests to one bucket, repeated where that can help. */
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
        if (!failure.isPassing || attempts >= attemptsMax || isLate) throw failure.toldAs;
        // Those that failed together do not all come back together.
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
      ...{ method, headers: signed, redirect: 'manual' },
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

/** Aborts where nothing is heard for a while; what is sent first may take `sendingMs` longer. */
function watchSilence(silenceMs: number, sendingMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error(`it was silent for ${silenceMs} ms`));
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

/** @throws Error where more comes than may, or less than was announced */
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
