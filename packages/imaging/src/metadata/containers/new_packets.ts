import type { XmlElement } from '../xmp/parse_xml.ts';

/** The metadata a container writer puts in place of what the file had. */
export interface NewPackets {
  readonly properties: readonly XmlElement[];
  readonly iim?: Uint8Array;
  /** Exif as a TIFF of its own; a TIFF file takes `exifChanges` instead. */
  readonly exif?: Uint8Array;
  /** Texts by keyword, where the container is PNG. */
  readonly texts?: Readonly<Record<string, string>>;
}
