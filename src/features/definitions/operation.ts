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

/** An endpoint that is not a tool. Routes, OpenAPI and llms.txt are derived from it. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Needs = Services,
> {
  /** operationId, snake_case. */
  readonly name: string;
  /** With ['GET', 'POST'], the input is the query or a JSON body. */
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** Path parameters in braces, as in OpenAPI; they are part of `input`. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  readonly summary: string;
  readonly input: Input;
  /**
   * `raw`: bytes instead of JSON, in `call.body`. `file`: the same in a file that exists during the call, in `call.file`. `stream`: a
   * stream of bytes, for bodies too large for memory, in `call.stream`.
   */
  readonly body?: 'json' | 'raw' | 'file' | 'stream';
  readonly maxBodyBytes?: number;
  /** May refuse a body of this size before it is read. Not called where a response may be replayed. */
  beforeBody?(services: Needs, bytes: number): Promise<void>;
  /** Schema of the JSON response, or the media type of a file. */
  readonly answer: Output | FileType;
  readonly limit?: Limit;
  /** Required scope, as with tools, for the wallet in the input, or else of the client. */
  readonly reaches?: Scope;
  /** Only for clients that have proved to own the wallet; keys are not enough. Sets `call.wallet` and `call.proof`. */
  readonly ownerOnly?: true;
  /** Only for operators whose token has this scope. Sets `call.operator`; wallets are ignored. */
  readonly operator?: OperatorScope;
  /** Irreversible: forms ask the operator for confirmation. */
  readonly isFinal?: true;
  /** Uses POST only because its input is long. */
  readonly onlyReads?: true;
  /** The response contains a secret that is shown once, so it is not stored for a retry with the same Idempotency-Key. */
  readonly answersSecret?: true;
  /** The response is private: caches must not store it. */
  readonly isPrivate?: true;
  /** Whether a response counts against `limit`; default: every success. */
  counts?(answer: z.output<Output>): boolean;
  /** Tool whose failures the input field `force_error` simulates. */
  readonly rehearses?: AnyTool;
  /** Cache lifetime of the response, in s; default: not cached. */
  readonly cacheSeconds?: number;
  /** A second status with the same schema, such as 503 for a failed health check. */
  readonly alsoStatus?: number;
  /** Error statuses that cannot be derived from other properties. */
  readonly alsoFails?: readonly number[];
  /** Description of the target of a possible 303 redirect. */
  readonly leadsTo?: string;
  run(
    input: z.output<Input>,
    services: Needs,
    call: OperationCall,
  ): Promise<z.input<Output> | FileAnswer | StreamAnswer>;
}

export interface FileType {
  readonly file: string;
  /** Additional media type, by content negotiation. */
  readonly alsoAs?: string;
  readonly description: string;
}

/** A file: its bytes, or their location. */
export type FileAnswer = BytesAnswer | StoredFileAnswer;

export interface BytesAnswer {
  readonly bytes: Uint8Array | string;
  readonly contentType: string;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

/** A file that is streamed from storage. */
export interface StoredFileAnswer {
  readonly bytes: Blob | DirectBlob;
  /** Identifies these bytes, for a strong ETag without reading the file. */
  readonly version: string;
  /** The same compressed by gzip, for clients that accept it and request no range. */
  readonly gzip?: Blob;
  /** SHA-256 of the bytes, if known, which is verified while they are sent. */
  readonly sha256?: string;
  readonly contentType: string;
  readonly headers?: Record<string, string>;
  /** Content-Disposition for a direct download from the object store, which does not send the other headers. */
  readonly directDisposition?: string;
}

/** A file generated while it is sent. `chunks` starts only for a GET, and is closed early when the client disconnects. */
export interface StreamAnswer {
  chunks(): AsyncGenerator<string | Uint8Array>;
  readonly contentType: string;
  readonly headers?: Record<string, string>;
}

export interface OperationCall extends Omit<CallContext, 'deadline' | keyof Deadlines> {
  readonly method: string;
  /** The operator. */
  readonly operator?: OperatorIdentity;
  /**
   * Whether the bearer token belongs to an operator, at an endpoint that is not only for operators. Counts as an attempt.
   * @throws AtelierError operator_denied without the scope; rate_limited after too many invalid tokens; upstream_failed
   */
  isOperator(scope: OperatorScope): Promise<boolean>;
  /** Media type and bytes of a `raw` body, and their sha256 in hex. */
  readonly body?: { readonly contentType: string; readonly bytes: Uint8Array; readonly sha256: string };
  /** Media type and file of a `file` body. */
  readonly file?: SpooledFile & { readonly contentType: string };
  /** Bytes of a `stream` body. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** A request header, such as Purpose on a prefetch. */
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
