/** Descriptive metadata of an image, under Atelier field names. Every field is optional. */
export interface MetadataFields {
  readonly title?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly alt_text?: string;
  readonly extended_description?: string;
  readonly creator?: readonly string[];
  /** Copyright notice; without it, `copyright_holder` is used. */
  readonly copyright_notice?: string;
  readonly copyright_holder?: string;
  readonly credit?: string;
  readonly usage_terms?: string;
  readonly rights_url?: string;
  /** Four digits, or an ISO 8601 date when read. */
  readonly creation_year?: string;
  /** Term of the IPTC vocabulary, or a URL from another one. */
  readonly digital_source_type?: string;
  /** Term of the PLUS vocabulary without its `DMI-`, or a URL from another one. */
  readonly data_mining?: string;
  readonly data_mining_constraints?: string;
  readonly ai_system?: string;
  readonly ai_system_version?: string;
  readonly ai_prompt?: string;
  readonly ai_prompt_writer?: string;
  /** A message to readers of the file, and its sender. */
  readonly soul_whisper?: string;
  readonly soul_whisper_sender?: string;
}

export type FieldName = keyof MetadataFields;
type Kind = 'text' | 'language' | 'bag' | 'sequence' | 'owner' | 'source_type' | 'data_mining';

interface Place {
  /** Qualified name in XMP. */
  readonly xmp: string;
  readonly kind: Kind;
  /** IPTC-IIM dataset and its maximum length in bytes. */
  readonly iim?: readonly [name: string, bytesMax: number];
  /** Exif tag that mirrors the field. */
  readonly exif?: number;
  /** PNG text keyword with the same meaning. */
  readonly png?: string;
}

/** Byte limits are those of IIM 4.2, Exif mirrors those of MWG 2.0. IPTC Photo Metadata Standard 2025.1. */
export const PLACES: Readonly<Record<FieldName, Place>> = {
  title: { xmp: 'dc:title', kind: 'language', iim: ['2:05', 64], png: 'Title' },
  description: {
    xmp: 'dc:description',
    kind: 'language',
    iim: ['2:120', 2000],
    exif: 270,
    png: 'Description',
  },
  keywords: { xmp: 'dc:subject', kind: 'bag', iim: ['2:25', 64] },
  alt_text: { xmp: 'Iptc4xmpCore:AltTextAccessibility', kind: 'language' },
  extended_description: { xmp: 'Iptc4xmpCore:ExtDescrAccessibility', kind: 'language' },
  creator: { xmp: 'dc:creator', kind: 'sequence', iim: ['2:80', 32], exif: 315, png: 'Author' },
  copyright_notice: {
    xmp: 'dc:rights',
    kind: 'language',
    iim: ['2:116', 128],
    exif: 33_432,
    png: 'Copyright',
  },
  copyright_holder: { xmp: 'plus:CopyrightOwner', kind: 'owner' },
  credit: { xmp: 'photoshop:Credit', kind: 'text', iim: ['2:110', 32] },
  usage_terms: { xmp: 'xmpRights:UsageTerms', kind: 'language' },
  rights_url: { xmp: 'xmpRights:WebStatement', kind: 'text' },
  creation_year: { xmp: 'photoshop:DateCreated', kind: 'text', iim: ['2:55', 8] },
  digital_source_type: { xmp: 'Iptc4xmpExt:DigitalSourceType', kind: 'source_type' },
  data_mining: { xmp: 'plus:DataMining', kind: 'data_mining' },
  data_mining_constraints: { xmp: 'plus:OtherConstraints', kind: 'language' },
  ai_system: { xmp: 'Iptc4xmpExt:AISystemUsed', kind: 'text' },
  ai_system_version: { xmp: 'Iptc4xmpExt:AISystemVersionUsed', kind: 'text' },
  ai_prompt: { xmp: 'Iptc4xmpExt:AIPromptInformation', kind: 'text' },
  ai_prompt_writer: { xmp: 'Iptc4xmpExt:AIPromptWriterName', kind: 'text' },
  soul_whisper: { xmp: 'atelier:SoulWhisper', kind: 'text' },
  soul_whisper_sender: { xmp: 'atelier:SoulWhisperSender', kind: 'text' },
};
