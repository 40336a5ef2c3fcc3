import type { IncomingMessage } from 'node:http';
import { BODY_BYTES_PER_SECOND_MIN, BODY_SPAN_MS } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';

/** Bytes are counted in such steps: asking for every piece would cost more than taking it. */
const STEP_BYTES = 1024 * 1024;

/**
 * Takes a body piece by piece. By events: iterating costs more than copying, in a body of fifteen pieces. What `add` throws
 * ends it. While `reserve` waits for room nothing is taken from the connection, and the sender is not called slow for it.
 * @throws AtelierError body_too_slow, unreadable_request; what `add` and `reserve` throw
 */
export function readIncoming(
  incoming: IncomingMessage,
  add: (chunk: Uint8Array) => void,
  reserve: (bytes: number) => Promise<void> | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const pace = watchPace(() => fail(tooSlow()));
  let arrived = 0;
  let reserved = 0;
  const fail = (error: unknown) => {
    incoming.off('data', onData).pause();
    reject(error);
  };
  const makeRoom = (bytes: number) => {
    const waiting = reserve(bytes);
    reserved += bytes;
    if (!waiting) return;
    incoming.pause();
    pace.wait();
    waiting.then(() => incoming.resume(), fail).finally(pace.goOn);
  };
  const onData = (chunk: Uint8Array) => {
    try {
      add(chunk);
    } catch (error) {
      return fail(error);
    }
    arrived += chunk.byteLength;
    pace.countBytes(chunk.byteLength);
    if (arrived > reserved) makeRoom(Math.max(arrived - reserved, STEP_BYTES));
  };
  incoming
    .on('data', onData)
    .once('end', resolve)
    .on('error', (error) => reject(brokenOff(error)))
    .once('close', () => reject(brokenOff()));
  return promise.finally(pace.end);
}

/** Tells when too little of a body has come in any span of time, but for what was spent waiting. */
export function watchPace(onSlow: () => void) {
  let bytes = 0;
  let waitedMs = 0;
  let waitingSince: number | undefined;
  const stopWaiting = () => {
    if (waitingSince !== undefined) waitedMs += performance.now() - waitingSince;
    waitingSince = undefined;
  };
  const look = () => {
    const isWaiting = waitingSince !== undefined;
    stopWaiting();
    const seconds = (BODY_SPAN_MS - waitedMs) / 1000;
    if (bytes < seconds * BODY_BYTES_PER_SECOND_MIN) onSlow();
    bytes = 0;
    waitedMs = 0;
    if (isWaiting) waitingSince = performance.now();
  };
  const timer = setInterval(look, BODY_SPAN_MS).unref();
  return {
    countBytes: (more: number) => {
      bytes += more;
    },
    wait: () => {
      waitingSince = performance.now();
    },
    goOn: stopWaiting,
    end: () => clearInterval(timer),
  };
}

export const tooSlow = (): AtelierError =>
  new AtelierError(
    'body_too_slow',
    `The body came more slowly than ${BODY_BYTES_PER_SECOND_MIN / 1024} KiB a second, so it was not waited for.`,
  );

/** A client that closes its connection is no failure of the server: reporting each one would let clients fill the log. */
export const brokenOff = (cause?: unknown): AtelierError =>
  new AtelierError('unreadable_request', 'The connection closed before the body was complete.', { cause });
