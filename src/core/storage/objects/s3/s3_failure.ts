import { SaxesParser } from 'saxes';
import { AtelierError } from '../../../errors/atelier_error.ts';
import { STORE_RETRY_AFTER_SECONDS } from '../limits.ts';
import type { DirectTerms } from '../types.ts';

/** An element with its own text and its children. */
export interface XmlNode {
  readonly name: string;
  text: string;
  readonly children: XmlNode[];
}

const DEPTH_MAX = 16;

/**
 * Parses a small XML document of a store; undefined if it is malformed. Custom entities are not expanded: the parser supports only the five
 * predefined ones.
 */
export function parseXml(text: string): XmlNode | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const root: XmlNode = { name: '', text: '', children: [] };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    if (open.length > DEPTH_MAX) throw new Error('nested too deeply');
    const node: XmlNode = { name: name.replace(/^.*:/, ''), text: '', children: [] };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  const addText = (more: string) => {
    open.at(-1)!.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return root.children[0];
}

/** Text of the named child, or of its first child. */
export const textOf = (node: XmlNode | undefined, name: string): string | undefined =>
  node?.children.find((child) => child.name === name)?.text.trim();

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];

/** Error codes of a full store, beside status 507. */
const FULL = /^(QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage)$/;
/** Transient statuses. */
const PASSING = [408, 429, 500, 502, 503, 504];
/** Transient code of two concurrent writes of one name. */
const PASSING_CODE = /^(OperationAborted|ConditionalRequestConflict)$/;

/** Failure of a store request; for the operator, not for clients. */
export class S3Failure extends Error {
  /** Absent without a response. */
  readonly status: number | undefined;
  /** Error code of the store, such as NoSuchBucket. */
  readonly code: string;

  constructor(
    request: S3Request,
    { status, body, cause }: { status?: number; body?: string; cause?: unknown },
  ) {
    const told = body === undefined ? undefined : parseXml(body);
    const code = textOf(told, 'Code') ?? '';
    const why = textOf(told, 'Message') ?? '';
    const what =
      status === undefined
        ? `did not respond: ${wordsOf(cause)}`
        : `answered ${[status, code].join(' ').trim()}${why && `: ${why.slice(0, 200)}`}`;
    super(`${request.method} ${request.key ?? 'of the bucket'}: the store ${what}`, { cause });
    this.name = 'S3Failure';
    this.status = status;
    this.code = code;
  }

  get isPassing(): boolean {
    return this.status === undefined || PASSING.includes(this.status) || PASSING_CODE.test(this.code);
  }

  /** The error for the client. */
  get asClientError(): AtelierError {
    return this.status === 507 || FULL.test(this.code) ? storeFull(this) : storageUnavailable(this);
  }
}

export const storageUnavailable = (cause: unknown): AtelierError =>
  new AtelierError('storage_unavailable', undefined, {
    cause,
    retryAfterSeconds: STORE_RETRY_AFTER_SECONDS,
  });

const storeFull = (cause: unknown): AtelierError =>
  new AtelierError(
    'storage_full',
    'The storage of this server is full, so nothing was saved. Try again later.',
    { cause, retryAfterSeconds: 300 },
  );

/** fetch reports "fetch failed", with the reason as its cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? error.cause : error;
  return inner.message || (inner as NodeJS.ErrnoException).code || inner.name;
}

/** One request to the store. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Absent: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Expected statuses besides success. */
  readonly expects?: readonly number[];
  /** Maximum size of the response. */
  readonly bytesMax?: number;
  /** Single attempt with this timeout, including the wait in the queue. */
  readonly onceWithinMs?: number;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Number of attempts: after a lost response, the store may report the effect of the first one. */
  readonly attempts: number;
}

export interface S3Client {
  /** @throws AtelierError storage_unavailable, storage_full */
  ask(request: S3Request): Promise<S3Answer>;
  /** A presigned URL of the object, valid for some minutes. */
  addressOf(key: string, terms: DirectTerms): Promise<string>;
  /** Clock offset of the store in milliseconds, if it is worth correcting. */
  skewMs(): number;
}
