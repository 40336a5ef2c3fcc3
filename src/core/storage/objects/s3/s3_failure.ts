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
 * A small document of a store as a tree; undefined where it is none. Entities of a document type are not expanded: the parser
 * knows the five of XML only.
 */
export function parseXml(text: string): XmlNode | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const root: XmlNode = { name: '', text: '', children: [] };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    if (open.length > DEPTH_MAX) throw new Error('too deep');
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

/** The text of the child of that name, or of its first. */
export const textOf = (node: XmlNode | undefined, name: string): string | undefined =>
  node?.children.find((child) => child.name === name)?.text.trim();

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];

/** What stores say where nothing more fits, beside 507. */
const FULL = /^(QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage)$/;
/** Statuses that pass. */
const PASSING = [408, 429, 500, 502, 503, 504];
/** So does this one, of two writes of one name at once. */
const PASSING_CODE = /^(OperationAborted|ConditionalRequestConflict)$/;

/** Why a store did not do what it was asked to; for the operator, not for callers. */
export class S3Failure extends Error {
  /** Absent where it did not answer. */
  readonly status: number | undefined;
  /** As it names the reason: NoSuchBucket, say. */
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
        ? `did not answer: ${wordsOf(cause)}`
        : `answered ${[status, code].join(' ').trim()}${why && `: ${why.slice(0, 200)}`}`;
    super(`${request.method} ${request.key ?? 'of the bucket'}: the store ${what}`, { cause });
    this.name = 'S3Failure';
    this.status = status;
    this.code = code;
  }

  get isPassing(): boolean {
    return this.status === undefined || PASSING.includes(this.status) || PASSING_CODE.test(this.code);
  }

  /** What callers are told. */
  get toldAs(): AtelierError {
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
    'The storage of this server is full, so nothing was kept. Try again later.',
    { cause, retryAfterSeconds: 300 },
  );

/** fetch says "fetch failed" and has the reason as its cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? error.cause : error;
  return inner.message || (inner as NodeJS.ErrnoException).code || inner.name;
}

/** One question to the store. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Absent: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Statuses beside success that answer the question. */
  readonly expects?: readonly number[];
  /** The most the answer may hold. */
  readonly bytesMax?: number;
  /** Asked once, within this time, waiting for a turn included. */
  readonly onceWithinMs?: number;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** How often was asked: after a first time whose answer was lost, the store may find what it did itself. */
  readonly attempts: number;
}

export interface S3Client {
  /** @throws AtelierError storage_unavailable, storage_full */
  ask(request: S3Request): Promise<S3Answer>;
  /** An address of the object for anybody, for some minutes. */
  addressOf(key: string, terms: DirectTerms): Promise<string>;
  /** Milliseconds that the clock of the store is ahead of ours, where that is worth correcting. */
  skewMs(): number;
}
