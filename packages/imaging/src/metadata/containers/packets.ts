/** The blocks of metadata a picture file carries, as bytes, before anything in them is read. */
export interface Packets {
  /** XMP packets, the main one first; ExtendedXMP of a JPEG is put together and comes second. */
  readonly xmp: readonly Uint8Array[];
  /** IPTC-IIM datasets. */
  readonly iim?: Uint8Array;
  /** Exif: a TIFF without pixels. Of a TIFF file the file itself. */
  readonly exif?: Uint8Array;
  /** Texts of a PNG by keyword. */
  readonly texts?: Readonly<Record<string, string>>;
  /** There is a C2PA manifest store inside. */
  readonly hasManifest: boolean;
  /** What could not be read and was left out, in words for a person. */
  readonly problems: readonly string[];
}

/** A container reader adds to this; nothing in it throws. */
export interface Found {
  xmp: Uint8Array[];
  iim?: Uint8Array;
  exif?: Uint8Array;
  texts?: Record<string, string>;
  hasManifest: boolean;
  problems: string[];
}

export const nothingFound = (): Found => ({ xmp: [], hasManifest: false, problems: [] });
