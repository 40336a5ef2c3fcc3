import type { DirectTerms } from '../types.ts';

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
