/** Storage of everything that is not a database row. */
export interface Store {
  /** Objects of one kind: blobs, results, uploads, museum images. */
  objectsOf(kind: string): Objects;
  /** Present if they are not in DATA_DIR. */
  readonly remote?: RemoteStore;
}

export interface RemoteStore {
  /** Its URL, for messages. */
  readonly where: string;
  /** Objects outside of the kinds. */
  readonly root: Objects;
  /**
   * Tries each required operation once. `keepsFirst`: of several writers that add a name concurrently, exactly one succeeds.
   * @throws Error naming a missing permission or setting
   */
  probe(): Promise<{ keepsFirst: boolean }>;
  /** Aborts unfinished uploads of killed processes; returns their number. @throws AtelierError storage_unavailable */
  endAbandoned(now: Date): Promise<number>;
  /** Test write. @throws AtelierError storage_unavailable, storage_full */
  check(): Promise<void>;
}

/**
 * Bytes under names such as `2c/f2/2cf24d…`, on the local disk or in a shared object store. A resolved write survives the process,
 * and in an object store the machine.
 */
export interface Objects {
  readonly kind: 'files' | 's3';
  /**
   * Stores bytes under a name that is not referenced yet. `durable`: also after a power failure.
   * @throws AtelierError storage_full, storage_unavailable
   */
  write(name: string, bytes: Uint8Array, options?: { durable?: boolean }): Promise<void>;
  /** Stores bytes under a shared name: of several concurrent writers one succeeds. False if the object exists. @throws as `write` */
  add(name: string, bytes: Uint8Array): Promise<boolean>;
  /**
   * Stores a local file, which is not changed afterwards. Of several concurrent writers of a name one succeeds: false if the object exists.
   * `isFresh`: the name is not referenced yet.
   * @param file `sha256` in hex @throws as `write`
   */
  addFile(
    name: string,
    file: { readonly path: string; readonly sha256: string },
    options?: { isFresh?: boolean },
  ): Promise<boolean>;
  /** Atomically creates or replaces an object: a concurrent reader sees the old or the new bytes. @throws as `write` */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Stores a file that `fill` writes to the given path, which does not exist yet. A partial file is deleted.
   * @throws as `write`, and errors of `fill`
   */
  make<T>(name: string, fill: (path: string) => Promise<T>): Promise<{ sizeBytes: number; made: T }>;
  /** Undefined if it does not exist. @throws AtelierError storage_unavailable */
  sizeOf(name: string): Promise<number | undefined>;
  /**
   * @param admit called before anything is read
   * @throws AtelierError storage_unavailable, also if the bytes do not match the stored ones
   */
  read(name: string, admit?: Admit): Promise<Uint8Array | undefined>;
  /** Opens an object for streaming, in full or by range. Does not verify its hash. */
  open(name: string): Promise<Blob | DirectBlob | undefined>;
  /** Idempotent. */
  remove(name: string): Promise<void>;
  /** False if it was stored again since; a resolved `replace` is never undone. */
  removeIfOlder(name: string, than: Date): Promise<boolean>;
  /** All objects, or those in `folder`, unordered. */
  list(folder?: string): AsyncIterable<FoundObject>;
  /** First segments of names: `a` of `a/b/c`. */
  folders(): Promise<string[]>;
  /** Deletes all objects in a folder; returns their number. */
  removeFolder(folder: string): Promise<number>;
}

/** Admits a read of this size, or ends it by an error. May return a buffer of this size to read into. */
export type Admit = (sizeBytes: number) => Promise<Buffer | undefined>;

/** An object that a client may be redirected to: the store serves it directly, for a few minutes, to any holder of the URL. */
export interface DirectBlob extends Blob {
  addressFor(terms: DirectTerms): Promise<string>;
}

/** Response headers of the store. */
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
