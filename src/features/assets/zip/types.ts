/** ZIP files that clients send and receive. */
export interface Zips {
  /**
   * Lists the files of a ZIP and refuses what could not be unpacked within the bounds, before anything is. Folders are dropped from
   * the names; nothing is ever written by a name.
   * @throws AtelierError unreadable_zip, zip_too_large
   */
  read(bytes: Uint8Array): Promise<ReadZip>;
  /**
   * Writes files into a ZIP, stored as they are: pictures are compressed already. One file is in memory at a time.
   * @param path of a file that does not exist yet
   * @returns the files as they are named inside: each name once, a picture without an extension with that of its bytes
   */
  write(path: string, files: AsyncIterable<FileToPack>): Promise<readonly FileInZip[]>;
}

export interface FileToPack {
  /** What it is called; undefined: `file_01` and so on. */
  readonly name: string | undefined;
  readonly bytes: Uint8Array;
}

export interface FileInZip {
  readonly name: string;
  readonly sizeBytes: number;
}

/** A file of a ZIP, with a name that every system takes. */
export interface PackedFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** @throws AtelierError unreadable_zip where the bytes are damaged, or more or fewer than announced */
  read(): Promise<Uint8Array>;
}

export interface ReadZip {
  readonly files: readonly PackedFile[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  close(): void;
}
