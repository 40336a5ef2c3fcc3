/** ZIP files that clients send and receive. */
export interface Zips {
  /**
   * Lists the files of a ZIP and checks the limits before anything is unpacked. Folders are removed from names, and names are never
   * used as paths on the disk.
   * @throws AtelierError unreadable_zip, zip_too_large
   */
  read(bytes: Uint8Array): Promise<ReadZip>;
  /**
   * Writes files into a ZIP without compression, because images are compressed already. One file is in memory at a time.
   * @param path of a new file
   * @returns the files with their names in the ZIP, which are unique; images without an extension get that of their type
   */
  write(path: string, files: AsyncIterable<FileToPack>): Promise<readonly FileInZip[]>;
}

export interface FileToPack {
  /** Name of the file; default: `file_01` and so on. */
  readonly name: string | undefined;
  readonly bytes: Uint8Array;
}

export interface FileInZip {
  readonly name: string;
  readonly sizeBytes: number;
}

/** A file of a ZIP, with a name that is valid on every system. */
export interface PackedFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Unpacks the file. @throws AtelierError unreadable_zip where it is damaged or differs from its declared size */
  read(): Promise<Uint8Array>;
}

export interface ReadZip {
  readonly files: readonly PackedFile[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  close(): void;
}
