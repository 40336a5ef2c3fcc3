import type { z } from 'zod';
import type { Scope } from '../../core/principal.ts';
import type { SpooledFile } from '../../core/storage/blobs/spool.ts';
import type { DirectBlob } from '../../core/storage/objects/types.ts';
import type { OperatorIdentity, OperatorScope } from '../operator/types.ts';
import type { Services } from '../services.ts';
import type { AnyTool, CallContext, Deadlines, Limit } from './tool.ts';

export const TAGS = [
  'account',
  'payment',
  'community',
  'sandbox',
  'files',
  'storage',
  'iiif',
  'provenance',
  'jobs',
  'recipes',
  'workspaces',
  'webhooks',
  'operator',
  'discovery',
  'studio',
] as const;
export type Tag = (typeof TAGS)[number];

/** An endpoint that is not a tool. Routes, OpenAPI and llms.txt are computed from it. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Needs = Services,
> {
  /** operationId, snake_case. */
  readonly name: string;
  /** With ['GET', 'POST'] the input comes from the query or from a JSON body. */
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** Path parameters in braces, as in OpenAPI; they are part of `input`. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  readonly summary: string;
  readonly input: Input;
  /**
   * `raw`: the body is bytes, not JSON; `call.body` carries it. `file`: the same in a file that exists during the call; `call.file`.
   * `stream`: bytes as they come, too many for memory; `call.stream`.
   */
  readonly body?: 'json' | 'raw' | 'file' | 'stream';
  readonly maxBodyBytes?: number;
  /** Refuses a body of so many bytes before it is read. Not called where an answer may be replayed. */
  beforeBody?(services: Needs, bytes: number): Promise<void>;
  /** The JSON answer; or the media type of a file. */
  readonly answer: Output | FileType;
  readonly limit?: Limit;
  /** As with tools: what it reaches of the wallet in the input, or of the caller's where the input names none. */
  readonly reaches?: Scope;
  /** Only for callers that have proved to own the wallet; keys are not enough. `call.wallet` and `call.proof` are there then. */
  readonly ownerOnly?: true;
  /** Only for operators whose token has this scope. `call.operator` is there then, and wallets are not looked at. */
  readonly operator?: OperatorScope;
  /** Cannot be undone: forms ask the operator to confirm that. */
  readonly isFinal?: true;
  /** Takes POST only because what it asks with is long. */
  readonly onlyReads?: true;
  /** The answer holds a secret that is shown once, so it is not kept for a retry with the same Idempotency-Key. */
  readonly answersSecret?: true;
  /** The answer is for this caller alone: no cache keeps it. */
  readonly isPrivate?: true;
  /** Whether this answer uses up one call of `limit`; absent, every success does. */
  counts?(answer: z.output<Output>): boolean;
  /** With `force_error` in the input it fails as a call of this tool would, instead of running. */
  readonly rehearses?: AnyTool;
  /** Seconds a cache may keep the answer; absent means it is not kept. */
  readonly cacheSeconds?: number;
  /** A second status under which the same shape is sent: 503 for a health check that fails. */
  readonly alsoStatus?: number;
  /** Statuses of failures that do not follow from the rest of this value. */
  readonly alsoFails?: readonly number[];
  /** Where it may lead with 303 instead of answering. */
  readonly leadsTo?: string;
  run(
    input: z.output<Input>,
    services: Needs,
    call: OperationCall,
  ): Promise<z.input<Output> | FileAnswer | StreamAnswer>;
}

export interface FileType {
  readonly file: string;
  /** Another media type it is available in, by content negotiation. */
  readonly alsoAs?: string;
  readonly description: string;
}

/** A file: its bytes, or where they lie. */
export type FileAnswer = BytesAnswer | StoredFileAnswer;

export interface BytesAnswer {
  readonly bytes: Uint8Array | string;
  readonly contentType: string;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

/** A file that is read from the disk while it is sent. */
export interface StoredFileAnswer {
  readonly bytes: Blob | DirectBlob;
  /** Names these very bytes, so that nothing has to be read to tell versions apart; for a strong ETag. */
  readonly version: string;
  /** The same compressed by gzip, for clients that accept it and request no range. */
  readonly gzip?: Blob;
  /** The hash of the bytes, where it is known: they are checked while they are sent. */
  readonly sha256?: string;
  readonly contentType: string;
  readonly headers?: Record<string, string>;
  /** Where a store may answer it in our place: how it is to be saved or shown there, where our other headers are not. */
  readonly directDisposition?: string;
}

/** A file that is made while it is sent; `chunks` is only begun for a GET, and returned early when the caller hangs up. */
export interface StreamAnswer {
  chunks(): AsyncGenerator<string | Uint8Array>;
  readonly contentType: string;
  readonly headers?: Record<string, string>;
}

export interface OperationCall extends Omit<CallContext, 'deadline' | keyof Deadlines> {
  readonly method: string;
  /** Who acts as an operator. */
  readonly operator?: OperatorIdentity;
  /**
   * Whether the bearer is an operator's, where the endpoint is not only for them. Asking counts as a try.
   * @throws AtelierError operator_denied for one without the scope; rate_limited after too many wrong ones; upstream_failed
   */
  isOperator(scope: OperatorScope): Promise<boolean>;
  /** Media type and bytes of a `raw` body, and their sha256 in hex. */
  readonly body?: { readonly contentType: string; readonly bytes: Uint8Array; readonly sha256: string };
  /** Media type and file of a `file` body. */
  readonly file?: SpooledFile & { readonly contentType: string };
  /** Bytes of a `stream` body. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** Request headers an operation may look at, such as Purpose on a prefetch. */
  header(name: string): string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds operations of every input and answer type
export type AnyOperation = Operation<any, any, Services>;

export function defineOperation<I extends z.ZodObject, O extends z.ZodObject, Needs>(
  operation: Operation<I, O, Needs>,
): Operation<I, O, Needs> {
  return operation;
}

export const isFileAnswer = (answer: object): answer is FileAnswer =>
  'bytes' in answer && 'contentType' in answer;
export const isStoredFile = (file: FileAnswer): file is StoredFileAnswer => file.bytes instanceof Blob;
export const isStreamAnswer = (answer: object): answer is StreamAnswer => 'chunks' in answer;
export const isFileType = (answer: object): answer is FileType =>
  'file' in answer && typeof answer.file === 'string';
