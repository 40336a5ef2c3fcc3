/** Files a call produced, kept for a day behind a signed link. */
export interface Results {
  /** Keeps the bytes. `id` is unguessable; `url` is signed and expires. `durable` waits for the disk (paid calls). */
  keep(bytes: Uint8Array, contentType: string, options?: { durable?: boolean }): Promise<KeptResult>;
  /** @throws AtelierError result_not_found */
  open(id: string): Promise<{ bytes: Uint8Array; contentType: string }>;
  /** True when the link's signature is ours and it has not expired. */
  verifyLink(id: string, expiresAt: string, signature: string): boolean;
  /** Deletes what has expired; returns how many files went. */
  sweep(now: Date): Promise<number>;
}

export interface KeptResult {
  /** `result:<id>` */
  readonly handle: string;
  readonly url: string;
  readonly expiresAt: Date;
}

export { createResults } from './results.ts';
