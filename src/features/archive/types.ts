/** Files kept for good under the name of their content. */
export interface PermanentStore {
  /** How it is named in answers. */
  readonly name: 'archive' | 'arweave';
  /** The same bytes with the same words about them are stored once. @throws AtelierError storage_full, upstream_failed, invalid_input (metadata) */
  put(file: NewArchiveFile): Promise<ArchiveEntry>;
}

export interface NewArchiveFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly metadata: object;
  /** The open hold that pays for it: when the credits are given back, the entry is undone. */
  readonly hold?: string | undefined;
  /** Ends an upload. */
  readonly signal: AbortSignal;
}

export interface ArchiveEntry {
  /** What names the record of the file for ever. */
  readonly tx: string;
  /** Where its record lies. */
  readonly provenanceUri: string;
  /** Where the bytes lie. */
  readonly url: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The same was kept for good before this call, and nothing was stored. */
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

/** The archive of this server, which is the store unless another is set. */
export interface Archive extends PermanentStore {
  /** What a CID of this archive names, with its type: a record, or the file it tells of, read from the disk as it is used. */
  open(cid: string): Promise<ArchivedRecord | ArchivedFile | undefined>;
  /** Record and file as a CARv1; of a file's own CID, the file. Nothing is read before the first piece is asked for. */
  exportCar(cid: string): Promise<(() => AsyncGenerator<Uint8Array>) | undefined>;
}

/** What this server has stored on Arweave, read through a gateway. */
export interface ArweaveReader {
  /**
   * A record or file that was stored there from here, if the gateway has it and it is the bytes that were stored.
   * @param id of the data item
   * @throws AtelierError upstream_failed, timed_out
   */
  open(id: string, signal: AbortSignal): Promise<{ bytes: Uint8Array; contentType: string } | undefined>;
}
