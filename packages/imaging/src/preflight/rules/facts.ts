import type { Mark } from '../content/mark.ts';
import type { Box } from '../content/matrix.ts';
import type { PdfDocument } from '../pdf/document.ts';
import type { IccHeader } from '../pdf/icc_header.ts';
import type { PdfPage } from '../pdf/pages.ts';
import type { PdfDictionary } from '../pdf/values.ts';

export interface OutputIntent {
  readonly subtype: string;
  readonly identifier: string | undefined;
  readonly registry: string | undefined;
  readonly info: string | undefined;
  /** Whether it refers to a profile, valid or not. */
  readonly hasProfile: boolean;
  readonly profile: (IccHeader & { readonly sha256: string; readonly name: string }) | undefined;
  /** N entry of the profile stream. */
  readonly components: number | undefined;
}

/** Facts about the whole file. */
export interface DocumentFacts {
  readonly document: PdfDocument;
  readonly root: PdfDictionary;
  readonly info: Readonly<Record<string, string>>;
  /** XMP properties as text, by the names of `qualifiedName`. Undefined if there are none that can be read. */
  readonly xmp: Readonly<Record<string, string>> | undefined;
  readonly hasXmp: boolean;
  /** PDF version, such as "1.4": from the header, or a later one from the catalogue. */
  readonly version: string;
  readonly intents: readonly OutputIntent[];
  readonly pages: readonly PdfPage[];
  /** Page count of the file. Not all pages may have been checked. */
  readonly pageCount: number;
  /** Spot colours in use. */
  readonly spots: ReadonlySet<string>;
  /** Checks skipped because the work budget was exhausted, as clauses. */
  readonly unchecked: readonly string[];
}

/** Facts about the content of one page. */
export interface PageFacts {
  readonly page: PdfPage;
  readonly marks: number;
  /** Bounding box of the content that touches the trim. */
  readonly paintedBox: Box | undefined;
  /** Covered area of the trim in square points; overlapping boxes count separately. */
  readonly coveredArea: number;
  /** Problems of the content, as clauses. */
  readonly problems: ReadonlySet<string>;
  readonly largest: Mark | undefined;
}
