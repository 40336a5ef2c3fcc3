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
  /** It refers to a profile, whatever that is. */
  readonly hasProfile: boolean;
  readonly profile: (IccHeader & { readonly sha256: string; readonly name: string }) | undefined;
  /** N of the profile's stream. */
  readonly components: number | undefined;
}

/** What the file as a whole says. */
export interface DocumentFacts {
  readonly document: PdfDocument;
  readonly root: PdfDictionary;
  readonly info: Readonly<Record<string, string>>;
  /** By the names of `qualifiedName`, as text; undefined without any that can be read. */
  readonly xmp: Readonly<Record<string, string>> | undefined;
  readonly hasXmp: boolean;
  /** "1.4": of the head, or the later one of the catalogue. */
  readonly version: string;
  readonly intents: readonly OutputIntent[];
  readonly pages: readonly PdfPage[];
  /** Pages there are, of which not all may have been looked at. */
  readonly pageCount: number;
  /** Spot colours that paint something. */
  readonly spots: ReadonlySet<string>;
  /** What was left out as too much work, in words. */
  readonly unchecked: readonly string[];
}

/** What one page paints. */
export interface PageFacts {
  readonly page: PdfPage;
  readonly marks: number;
  /** How far that reaches which touches the trimmed page. */
  readonly reach: Box | undefined;
  /** Points squared of the trimmed page covered by boxes, those that overlap counted each. */
  readonly covered: number;
  /** What its content does wrong. */
  readonly problems: ReadonlySet<string>;
  readonly largest: Mark | undefined;
}
