import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { TOKEN_BYTES_MAX } from '@atelier/imaging/provenance/timestamp/limits.ts';
import { TimeStampRefusal } from '@atelier/imaging/provenance/timestamp/refusal.ts';
import { noTimeStamp, type TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import { timeStampRequest } from '@atelier/imaging/provenance/timestamp/time_stamp_request.ts';
import { tokenInResponse } from '@atelier/imaging/provenance/timestamp/token_in_response.ts';
import { verifyAnswer, verifyTimeStamp } from '@atelier/imaging/provenance/timestamp/verify_token.ts';
import type { BaseLogger } from 'pino';
import type { Config } from '../../../config/config.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { fetchPublic, UnexpectedStatus } from '../../../core/outbound_http/fetch_public.ts';
import { ANY_NETWORK } from '../../../core/outbound_http/reach.ts';
import type { Fetched } from '../../../core/outbound_http/types.ts';

/** Timeout of one authority. */
const TIME_STAMP_TIMEOUT_MS = 3000;
/** Timeout of all authorities together: the longest a call waits for the time stamp of its manifest. */
const TIME_STAMP_TOTAL_MS = 5000;
/**
 * Maximum size of a certificate file in TSA_TRUST, in bytes. The list is sent to a process with every
 * manifest that is read.
 */
const TRUST_FILE_BYTES_MAX = 1_000_000;

interface Deps {
  /** URLs of the authorities, in the order in which they are queried. */
  readonly urls: readonly string[];
  readonly trust: readonly Uint8Array[];
  /** Object identifier of the requested policy; absent: the authority's default. */
  readonly policy?: string | undefined;
  readonly logger: Pick<BaseLogger, 'warn'>;
  readonly clock?: () => Date;
  readonly timeoutMs?: number;
  readonly totalMs?: number;
}

/** Nonce size in bytes. 64 bits cannot be guessed within the lifetime of a request. */
const NONCE_BYTES = 8;

export function createTimeStamps(deps: Deps): TimeStamps {
  const { urls, trust, clock = () => new Date() } = deps;
  return {
    trust,
    isConfigured: urls.length > 0,
    stamp: (message, signal) => stampMessage(deps, message, signal),
    check: (token, message) => verifyTimeStamp(token, { message, trust, now: clock().getTime() }),
  };
}

async function stampMessage(
  deps: Deps,
  message: Uint8Array,
  signal: AbortSignal = new AbortController().signal,
): Promise<StampedMessage> {
  const { urls, logger, totalMs = TIME_STAMP_TOTAL_MS } = deps;
  if (urls.length === 0)
    return { result: noTimeStamp('This server has no time-stamping authority: TSA_URL is not set.') };
  const deadline = performance.now() + totalMs;
  const reasons: string[] = [];
  for (const url of urls) {
    const leftMs = Math.ceil(deadline - performance.now());
    const timeoutMs = Math.min(deps.timeoutMs ?? TIME_STAMP_TIMEOUT_MS, leftMs);
    if (timeoutMs <= 0) {
      reasons.push('No time was left to query the next authority.');
      break;
    }
    try {
      return await requestStamp(deps, url, message, { timeoutMs, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const reason = reasonOf(error, timeoutMs);
      logger.warn({ url, err: error }, 'time stamp: authority gave none');
      if (!reasons.includes(reason)) reasons.push(reason);
    }
  }
  return { result: noTimeStamp(`No time stamp was obtained. ${reasons.join(' ')}`) };
}

async function requestStamp(
  { trust, policy, clock = () => new Date() }: Deps,
  url: string,
  message: Uint8Array,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<StampedMessage> {
  const nonce = randomBytes(NONCE_BYTES);
  const digest = createHash('sha256').update(message).digest();
  const answer = await fetchStamp(url, timeStampRequest({ digest, nonce, policy }), { timeoutMs, signal });
  const token = tokenInResponse(answer);
  const check = { message, trust, now: clock().getTime() };
  const result = verifyAnswer(token, check, { nonce, policy });
  if (trust.length > 0 && result.status !== 'trusted')
    throw new TimeStampRefusal('The authority is not on the trust list of this server (TSA_TRUST).');
  return { result, token };
}

/**
 * Requests a stamp. The operator configures the URL, so it may be in a private network and without TLS: the
 * token is signed. Redirects are not followed.
 */
async function fetchStamp(
  url: string,
  body: Uint8Array,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Uint8Array> {
  const { bytes, contentType }: Fetched = await fetchPublic(ANY_NETWORK, url, {
    field: 'TSA_URL',
    maxBytes: TOKEN_BYTES_MAX,
    redirectsMax: 0,
    timeoutMs,
    signal,
    body,
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
  });
  if (/^text\//i.test(contentType))
    throw new TimeStampRefusal('The authority returned a web page instead of a time stamp.');
  return bytes;
}

/** Error for the client. It contains no URL, which may belong to a private network. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof TimeStampRefusal) return error.message;
  if (!(error instanceof AtelierError)) return 'The authority could not be queried.';
  if (error.code === 'payload_too_large')
    return `The response of the authority has more than ${TOKEN_BYTES_MAX} bytes.`;
  const { cause } = error;
  if (cause instanceof UnexpectedStatus) return `The authority returned status ${cause.status}.`;
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `The authority did not respond within ${Number((timeoutMs / 1000).toFixed(1))} s.`;
  if (/redirects/.test(error.message)) return 'The authority redirects; redirects are not followed.';
  return 'The authority could not be reached.';
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the certificates of the TSA_TRUST files, as DER.
 * @throws Error naming a file that cannot be read, is too large, or contains anything but certificates
 */
export function readTrustList(paths: readonly string[]): Uint8Array[] {
  return paths.flatMap((path) => {
    const pems = textOf(path).match(PEM) ?? [];
    if (pems.length === 0) throw new Error(`TSA_TRUST: ${path} contains no PEM certificate.`);
    return pems.map((pem, index) => {
      try {
        return new Uint8Array(new X509Certificate(pem).raw);
      } catch (error) {
        throw new Error(`TSA_TRUST: certificate ${index + 1} of ${path} cannot be read.`, { cause: error });
      }
    });
  });
}

function textOf(path: string): string {
  try {
    if (statSync(path).size <= TRUST_FILE_BYTES_MAX) return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`TSA_TRUST: ${path} cannot be read.`, { cause: error });
  }
  throw new Error(`TSA_TRUST: ${path} has more than ${TRUST_FILE_BYTES_MAX} bytes.`);
}

/**
 * Creates the configured time-stamp client.
 * @throws Error naming what is wrong with TSA_TRUST
 */
export const openTimeStamps = (
  config: Config,
  { logger }: { logger: Pick<BaseLogger, 'warn'> },
): TimeStamps =>
  createTimeStamps({
    urls: config.TSA_URL,
    trust: trustListOf(config),
    policy: config.TSA_POLICY,
    logger,
  });

/** @throws Error naming the file that is wrong */
export const trustListOf = ({ TSA_TRUST }: Config): Uint8Array[] => readTrustList(TSA_TRUST);

/** Time stamps (RFC 3161) of the authorities in TSA_URL. */
export interface TimeStamps {
  /** Certificates of TSA_TRUST, as DER; empty where none are configured. */
  readonly trust: readonly Uint8Array[];
  /** Whether TSA_URL is set. */
  readonly isConfigured: boolean;
  /**
   * Requests a stamp of the message from the authorities in turn, and verifies it. They receive only the
   * hash. Takes at most `TIME_STAMP_TOTAL_MS`. Never throws because of an authority: the result says why
   * there is no stamp.
   */
  stamp(message: Uint8Array, signal?: AbortSignal): Promise<StampedMessage>;
  /** Verifies a stored token. */
  check(token: Uint8Array, message: Uint8Array): TimeStampResult;
}

export interface StampedMessage {
  readonly result: TimeStampResult;
  /** DER of the time-stamp token; absent if no authority returned a valid one. */
  readonly token?: Uint8Array;
}
