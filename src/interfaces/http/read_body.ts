import { AsyncLocalStorage } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BODY_BYTES_PER_SECOND_MIN, BODY_SPAN_MS, JSON_BODY_COPIES } from '../../config/limits.ts';
import { acquireBuffer, recycleBuffer } from '../../core/buffer_pool.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Reserve } from '../../core/request_scope/request_scope.ts';
import { freePiece, type SpooledFile, type SpoolWriter } from '../../core/storage/blobs/spool.ts';
import type { SignedRequest } from '../../features/wallets/ownership/types.ts';
import { parseBody } from '../../pipeline/request_json.ts';
import { PARSE_TURN_BYTES_MIN } from './limits.ts';

/** Bytes are counted in these steps: reserving each chunk would cost more than reading it. */
const STEP_BYTES = 1024 * 1024;
/** Bytes in memory of a body that is written to disk. */
const SPOOLED_STEP_BYTES = 256 * 1024;

/**
 * Reads a body chunk by chunk. By events: iterating costs more than copying, for a body of fifteen chunks. An
 * error thrown by `add` ends it. While `reserve` waits for memory nothing is read from the connection, and
 * the client does not count as slow.
 * @throws AtelierError body_too_slow, unreadable_request; errors of `add` and `reserve`
 */
export function readIncoming(
  incoming: IncomingMessage,
  add: (chunk: Uint8Array) => void,
  reserve: (bytes: number) => Promise<void> | undefined,
  stepBytes = STEP_BYTES,
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
    // Before `add`, which may free the chunk.
    const { byteLength } = chunk;
    try {
      add(chunk);
    } catch (error) {
      return fail(error);
    }
    arrived += byteLength;
    pace.countBytes(byteLength);
    if (arrived > reserved) makeRoom(Math.max(arrived - reserved, stepBytes));
  };
  incoming
    .on('data', onData)
    .once('end', resolve)
    .on('error', (error) => reject(brokenOff(error)))
    // Every request closes; an error that nothing needs would still record its stack.
    .once('close', () => incoming.readableEnded || reject(brokenOff()));
  return promise.finally(pace.end);
}

/** Calls back when too few bytes of a body arrive in any span of time, without the time spent waiting. */
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
    `The body arrived at less than ${BODY_BYTES_PER_SECOND_MIN / 1024} KiB per second. The server stopped reading it.`,
  );

/**
 * A client that closes its connection is not a server failure: reporting each one would let clients fill the
 * log.
 */
export const brokenOff = (cause?: unknown): AtelierError =>
  new AtelierError('unreadable_request', 'The connection closed before the body was complete.', { cause });

/** The body of a request: Node's own stream if there is one (much cheaper), else the web stream. */
export interface BodySource {
  readonly incoming?: IncomingMessage | undefined;
  readonly request: Request;
  /** Receives every byte on arrival, for a digest: the body is read once. */
  onBytes?(chunk: Uint8Array): void;
  /** Charges the CPU time of receiving this number of bytes. */
  onReceived?(bytes: number): void;
  /** Resolves when it is this request's turn to parse a large body. */
  parseTurn?(): Promise<void>;
  /** Counts bytes before they are read into memory; absent: not counted. */
  reserve?: Reserve | undefined;
}

/**
 * Reads at most `maxBytes`. Refuses by Content-Length before reading, and while reading, so a false header
 * has no effect.
 * @param copies how often the bytes will be in memory
 * @throws AtelierError payload_too_large, body_too_slow, busy, unreadable_request, unsupported_media_type
 */
export async function readBody(source: BodySource, maxBytes: number, copies = 1): Promise<Buffer> {
  const body = growingBuffer(requireSize(source, maxBytes), maxBytes);
  // Chunks arrive in the async context of the connection, which is not a request scope.
  const reserve = AsyncLocalStorage.bind((bytes: number) =>
    source.reserve?.(bytes * copies, { isArriving: true }),
  );
  const add = (chunk: Uint8Array) => {
    body.add(chunk);
    source.onBytes?.(chunk);
    freePiece(chunk);
  };
  try {
    await receive(source, { add, reserve, stepBytes: STEP_BYTES });
  } catch (error) {
    body.discard();
    throw closingConnection(error);
  }
  return body.bytes();
}

/**
 * Writes a body of at most `maxBytes` to a file while it arrives, with SPOOLED_STEP_BYTES of it in memory.
 * @param writer removed by the calling function, also after an error
 * @throws AtelierError as `readBody`; storage_full
 */
export async function spoolBody(
  source: BodySource,
  maxBytes: number,
  writer: SpoolWriter,
): Promise<SpooledFile> {
  requireSize(source, maxBytes);
  let sizeBytes = 0;
  const add = (chunk: Uint8Array) => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    source.onBytes?.(chunk);
    writer.add(chunk);
  };
  try {
    await source.reserve?.(SPOOLED_STEP_BYTES, { isArriving: true });
    await receive(source, { add, reserve: () => writer.flush(), stepBytes: SPOOLED_STEP_BYTES });
    return await writer.finish();
  } catch (error) {
    throw closingConnection(error);
  }
}

/** @returns the announced size @throws AtelierError unreadable_request, unsupported_media_type, payload_too_large */
function requireSize({ request }: BodySource, maxBytes: number): number {
  requireWholeBody(request);
  const announced = announcedBytes(request);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  return announced;
}

/** 0 if Content-Length is missing. */
export const announcedBytes = ({ headers }: Request): number => Number(headers.get('content-length')) || 0;

interface Receiver {
  add(chunk: Uint8Array): void;
  /** Awaited before each step of the body. */
  reserve(bytes: number): Promise<void> | undefined;
  readonly stepBytes: number;
}

async function receive(source: BodySource, { add, reserve, stepBytes }: Receiver): Promise<void> {
  const { incoming, request } = source;
  const take = (chunk: Uint8Array) => {
    // Before `add`, which may free the chunk.
    source.onReceived?.(chunk.byteLength);
    add(chunk);
  };
  if (incoming) return readIncoming(incoming, take, reserve, stepBytes);
  for await (const chunk of piecesOf(request)) {
    await reserve(chunk.byteLength);
    take(chunk);
  }
}

/** @throws AtelierError unreadable_request */
async function* piecesOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (error) {
    throw brokenOff(error);
  }
}

/**
 * Refuses a partial or compressed body: stored unchanged it would be a damaged file and use up an upload
 * link.
 * @throws AtelierError unreadable_request, as RFC 9110, 14.5 requires for Content-Range;
 * unsupported_media_type, as 8.4 requires for Content-Encoding
 */
export function requireWholeBody({ headers }: Request): void {
  if (headers.has('content-range'))
    throw new AtelierError(
      'unreadable_request',
      'This server does not support partial uploads (Content-Range). Send the complete file in one request without Content-Range.',
      { headers: { Connection: 'close' } },
    );
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return;
  throw new AtelierError(
    'unsupported_media_type',
    `This server does not decompress bodies (Content-Encoding: ${encoding.slice(0, 40)}). Send it uncompressed, without Content-Encoding.`,
    { headers: { Connection: 'close', 'Accept-Encoding': 'identity' } },
  );
}

/** The rest of the body is still in transit and will not be read. */
export function closingConnection(error: unknown): unknown {
  if (!(error instanceof AtelierError)) return error;
  const { code, message, details } = error;
  return new AtelierError(code, message, {
    ...details,
    headers: { ...details.headers, Connection: 'close' },
    cause: error,
  });
}

/** Collects bytes in one buffer of the announced size, and grows it if the announcement was wrong. */
function growingBuffer(announced: number, maxBytes: number) {
  let buffer = acquireBuffer(announced);
  let size = 0;
  return {
    /** @throws AtelierError payload_too_large */
    add(chunk: Uint8Array): void {
      const end = size + chunk.byteLength;
      if (end > maxBytes) throw tooLarge(maxBytes);
      if (end > buffer.length) {
        const larger = acquireBuffer(Math.max(end, Math.min(2 * buffer.length, maxBytes)));
        buffer.copy(larger, 0, 0, size);
        recycleBuffer(buffer);
        buffer = larger;
      }
      buffer.set(chunk, size);
      size = end;
    },
    bytes: (): Buffer => buffer.subarray(0, size),
    /** Frees the memory immediately: many broken bodies arrive faster than garbage is collected. */
    discard: (): void => recycleBuffer(buffer),
  };
}

/**
 * JSON, or the types that clients often send with JSON by mistake: none, plain text, and the form type of
 * `curl -d`.
 */
const MAY_HOLD_JSON = /^(application\/([\w.-]+\+)?json|text\/plain|application\/x-www-form-urlencoded)?$/;

/**
 * Reads a JSON object; an empty body is `{}`. `asBytes` as for `parseJson`.
 * @throws AtelierError invalid_json, unsupported_media_type, payload_too_large
 */
export async function readJson(
  source: BodySource,
  maxBytes: number,
  asBytes?: readonly string[],
): Promise<Record<string, unknown>> {
  const type = mediaType(source.request);
  if (!MAY_HOLD_JSON.test(type)) throw notJson(type);
  const bytes = await readBody(source, maxBytes, JSON_BODY_COPIES);
  if (bytes.byteLength === 0) return {};
  if (bytes.byteLength >= PARSE_TURN_BYTES_MIN) await source.parseTurn?.();
  if (type.endsWith('urlencoded') && !/^\s*[{[]/.test(bytes.toString('latin1', 0, 100))) throw notJson(type);
  if (!isUtf8(bytes))
    throw new AtelierError('invalid_json', 'The body is not UTF-8. Send one JSON object encoded as UTF-8.');
  const value = parse(bytes, asBytes);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new AtelierError(
    'invalid_json',
    `The body must be one JSON object, such as {"width": 300}; it is ${describe(value)}.`,
  );
}

const notJson = (type: string): AtelierError =>
  new AtelierError(
    'unsupported_media_type',
    `This endpoint accepts JSON, not ${type.slice(0, 80)}. Send Content-Type: application/json.`,
  );

export const mediaType = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();

function parse(bytes: Buffer, asBytes?: readonly string[]): unknown {
  try {
    return parseBody(startsWithBom(bytes) ? bytes.subarray(3) : bytes, asBytes);
  } catch (error) {
    if (error instanceof AtelierError) throw error;
    const place = /position (\d+)/.exec((error as Error).message)?.[1];
    throw new AtelierError(
      'invalid_json',
      `The body is not valid JSON${place ? ` (at character ${place})` : ''}. Send one JSON object.`,
    );
  }
}

const startsWithBom = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const describe = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;

export const tooLarge = (maxBytes: number): AtelierError =>
  new AtelierError(
    'payload_too_large',
    `The body limit is ${sizeText(maxBytes)}. Upload large files once with POST /api/uploads and send the handle it returns.`,
    { headers: { Connection: 'close' } },
  );

const sizeText = (bytes: number): string =>
  bytes >= 1_048_576 ? `${Math.floor(bytes / 1_048_576)} MiB` : `${Math.floor(bytes / 1024)} KiB`;

/** A request that is being read, and the parts of it that a signature can cover. */
export interface SignedBody {
  onBytes(chunk: Uint8Array): void;
  /** Call it when the body was read to its end. */
  finish(): SignedRequest;
}

/**
 * ERC-8128 selects by the tag, and both forms of its keyid name the chain like this. Other signatures are
 * ignored.
 */
const NAMES_A_WALLET = /erc8128|eip155:/;

/**
 * Undefined if the request does not claim a signature by a wallet. The digests that Content-Digest names are
 * computed while the body arrives, so that a large body is read only once.
 */
export function signedBody(incoming: IncomingMessage | undefined, request: Request): SignedBody | undefined {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  if (!NAMES_A_WALLET.test(header('signature-input') ?? '')) return undefined;
  const hashes = hashesFor(header('content-digest') ?? '');
  let sizeBytes = 0;
  return {
    onBytes(chunk) {
      sizeBytes += chunk.byteLength;
      for (const [, hash] of hashes) hash.update(chunk);
    },
    finish: () => ({
      method: request.method,
      target: targetOf(incoming, request),
      header,
      body: {
        sizeBytes,
        digests: Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest()])),
      },
    }),
  };
}

function hashesFor(contentDigest: string): ['sha-256' | 'sha-512', Hash][] {
  const known = [
    ['sha-256', 'sha256'],
    ['sha-512', 'sha512'],
  ] as const;
  return known
    .filter(([name]) => contentDigest.includes(name))
    .map(([name, algorithm]) => [name, createHash(algorithm)]);
}

/** As sent in the request line: parsing a URL may normalise it. */
function targetOf(incoming: IncomingMessage | undefined, request: Request): string {
  if (incoming?.url?.startsWith('/')) return incoming.url;
  return request.url.slice(new URL(request.url).origin.length);
}
