/** Where everything is kept that is not a row. */
export interface Store {
  /** Those of one kind: blobs, results, uploads, the pictures of museums. */
  objectsOf(kind: string): Objects;
  /** Present where they lie elsewhere than in DATA_DIR. */
  readonly remote?: RemoteStore;
}

export interface RemoteStore {
  /** Its address, for messages. */
  readonly where: string;
  /** What lies beside the kinds. */
  readonly root: Objects;
  /**
   * Does once everything that is asked of it. `keepsFirst`: of several who add a name at once, one always succeeds alone.
   * @throws Error saying what it cannot do and what to set
   */
  probe(): Promise<{ keepsFirst: boolean }>;
  /** Ends uploads that a killed process has left half sent; returns how many. @throws AtelierError storage_unavailable */
  endAbandoned(now: Date): Promise<number>;
  /** Writes to it. @throws AtelierError storage_unavailable, storage_full */
  check(): Promise<void>;
}

/**
 * Bytes under names such as `2c/f2/2cf24d…`, on the disk of this machine or in an object store that many share. What resolves is kept: it
 * outlives the process, and in a store the machine.
 */
export interface Objects {
  readonly kind: 'files' | 's3';
  /**
   * Keeps bytes under a name nobody has been told yet. `durable`: also after a power cut.
   * @throws AtelierError storage_full, storage_unavailable
   */
  write(name: string, bytes: Uint8Array, options?: { durable?: boolean }): Promise<void>;
  /** The same under a name others may know: of several at once one is kept. False where something is there. @throws as `write` */
  add(name: string, bytes: Uint8Array, options?: { durable?: boolean }): Promise<boolean>;
  /** Puts bytes in the place of others, or where there were none: whoever reads meanwhile has the one or the other. @throws as `write` */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Keeps what `fill` writes to the path it is given, where nothing is yet. What fails half-way is deleted.
   * @throws as `write`, and what `fill` throws
   */
  make<T>(name: string, fill: (path: string) => Promise<T>): Promise<{ sizeBytes: number; made: T }>;
  /** Undefined where nothing is. @throws AtelierError storage_unavailable */
  sizeOf(name: string): Promise<number | undefined>;
  /** @throws AtelierError storage_unavailable, also where what arrives is not what was kept */
  read(name: string): Promise<Uint8Array | undefined>;
  /** For whoever passes them on: read as they are used, whole or in parts, and not checked. */
  open(name: string): Promise<Blob | DirectBlob | undefined>;
  /** Nothing is wrong where nothing is. */
  remove(name: string): Promise<void>;
  /** False where it was put there again since; no `replace` that has resolved is ever undone. */
  removeIfOlder(name: string, than: Date): Promise<boolean>;
  /** Everything, or everything in one of `folders`, in no order. */
  list(folder?: string): AsyncIterable<FoundObject>;
  /** First parts of names: `a` of `a/b/c`. */
  folders(): Promise<string[]>;
  /** Removes everything in one; returns how many there were. */
  removeFolder(folder: string): Promise<number>;
}

/** Bytes that a caller may be sent to: the store answers them itself, for a few minutes to whoever has the address. */
export interface DirectBlob extends Blob {
  addressFor(terms: DirectTerms): Promise<string>;
}

/** Headers of the store's answer. */
export interface DirectTerms {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

export interface FoundObject {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}
