/** Permanent, content-addressed file storage. */
export interface PermanentStore {
  /** Its name in responses. */
  readonly name: 'archive' | 'arweave';
  /**
   * Idempotent for the same bytes with the same metadata. @throws AtelierError storage_full, upstream_failed, invalid_input
   * (metadata)
   */
  put(file: NewArchiveFile): Promise<ArchiveEntry>;
}

export interface NewArchiveFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly metadata: object;
  /** The open hold that pays for it: if it is released, the entry is undone. */
  readonly hold?: string | undefined;
  /** Aborts an upload. */
  readonly signal: AbortSignal;
}

export interface ArchiveEntry {
  /** Permanent id of the record. */
  readonly tx: string;
  /** URL of its record. */
  readonly provenanceUri: string;
  /** URL of the bytes. */
  readonly url: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** It was stored permanently before this call, so nothing was added. */
  readonly wasKept: boolean;
}

interface ArchivedRecord {
  readonly record: string;
}

interface ArchivedFile {
  readonly blob: Blob;
  readonly sha256: string;
  readonly contentType: string;
}

/** The archive of this server, the default store. */
export interface Archive extends PermanentStore {
  /** The record or file of a CID, with its type, streamed from the disk. */
  open(cid: string): Promise<ArchivedRecord | ArchivedFile | undefined>;
  /**
   * Record and file as a CARv1; for the CID of a file, only the file. Lazy: nothing is read before the first chunk is requested.
   */
  exportCar(cid: string): Promise<(() => AsyncGenerator<Uint8Array>) | undefined>;
}

/** Reads items that this server has stored on Arweave, through a gateway. */
export interface ArweaveReader {
  /**
   * A record or file stored by this server, if the gateway returns its exact bytes.
   * @param id of the data item
   * @throws AtelierError upstream_failed, timed_out
   */
  open(id: string, signal: AbortSignal): Promise<{ bytes: Uint8Array; contentType: string } | undefined>;
}
