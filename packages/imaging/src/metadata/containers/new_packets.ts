import type { XmlElement } from '../xmp/parse_xml.ts';

/** Metadata blocks that replace those of a file. */
export interface NewPackets {
  readonly properties: readonly XmlElement[];
  readonly iim?: Uint8Array;
  /** Exif as a separate TIFF; for a TIFF file, `exifChanges` is used instead. */
  readonly exif?: Uint8Array;
  /** PNG texts by keyword. */
  readonly texts?: Readonly<Record<string, string>>;
}
