/** The metadata blocks of an image file as unparsed bytes. */
export interface Packets {
  /** XMP packets, the main one first; the ExtendedXMP of a JPEG, assembled, is second. */
  readonly xmp: readonly Uint8Array[];
  /** IPTC-IIM datasets. */
  readonly iim?: Uint8Array;
  /** Exif: a TIFF without pixels. For a TIFF file, the file itself. */
  readonly exif?: Uint8Array;
  /** PNG texts by keyword. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Whether the file embeds a C2PA manifest store. */
  readonly hasManifest: boolean;
  /** Blocks that could not be read and were skipped, as sentences. */
  readonly problems: readonly string[];
}

/** Mutable result of a container reader. Readers never throw. */
export interface Found {
  xmp: Uint8Array[];
  iim?: Uint8Array;
  exif?: Uint8Array;
  texts?: Record<string, string>;
  hasManifest: boolean;
  problems: string[];
}

export const nothingFound = (): Found => ({ xmp: [], hasManifest: false, problems: [] });
