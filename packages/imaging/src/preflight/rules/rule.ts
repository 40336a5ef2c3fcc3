import { INK_TOLERANCE, type InkLimit } from '../../print/ink_limit.ts';
import type { Mark } from '../content/mark.ts';
import type { Box } from '../content/matrix.ts';
import type { PdfDocument } from '../pdf/document.ts';
import type { ImageLook } from '../pdf/look_at_image.ts';
import type { PdfDictionary } from '../pdf/values.ts';
import type { TiffPage } from '../tiff/read_tiff_pages.ts';
import type { Severity, Standard } from '../types.ts';
import type { DocumentFacts, PageFacts } from './facts.ts';

/** Where a rule is broken. */
export interface Place {
  readonly message: string;
  readonly page?: number | undefined;
  readonly object?: string | undefined;
  /** In points of the page. */
  readonly box?: Box | undefined;
}

/** A message alone is about the whole thing that was looked at. */
export type Verdict = string | Place | readonly Place[] | undefined | false;

/** What a file is judged by. */
export interface Judged {
  readonly standard: Standard;
  /** Colours of the printing condition: of its profile, else CMYK for a standard. */
  readonly intent: string | undefined;
  /** Ink that its printing condition takes. */
  readonly ink: InkLimit;
}

interface Common {
  /** Known to callers; never changes its meaning. */
  readonly id: string;
  readonly severity: Severity;
  /** In a file judged by no standard; absent: the same. */
  readonly withoutStandard?: Severity;
  /** Standards it belongs to; absent: all, and files of none. */
  readonly only?: readonly Standard[];
  /** Standard and subject, or practice of the trade. */
  readonly basis: string;
  /** What mends it. */
  readonly remedy: string;
}

interface About<What extends string, Subject extends unknown[]> extends Common {
  readonly about: What;
  readonly check: (...subject: Subject) => Verdict;
}

export interface PlacedImage {
  readonly mark: Mark;
  /** Undefined where its pixels could not be read here. */
  readonly look: ImageLook | undefined;
}

export type DocumentRule = About<'document', [facts: DocumentFacts, judged: Judged]>;
/** Of every dictionary that can be reached from the catalogue, those of streams included. */
export type ObjectRule = About<'object', [dictionary: PdfDictionary, document: PdfDocument, judged: Judged]>;
export interface PageRule extends About<'page', [facts: PageFacts, document: PdfDocument, judged: Judged]> {
  /** Asks what is painted, so that nothing is said of a page whose content was not gone through. */
  readonly needsContent?: true;
}
export interface MarkRule extends About<'mark', [mark: Mark, judged: Judged, page: PageFacts]> {
  /** Told once in a file for what has the same text; absent: for every mark. */
  readonly once?: (mark: Mark) => string;
}
export type ImageRule = About<'image', [placed: PlacedImage, judged: Judged]>;
export type TiffRule = About<'tiff', [page: TiffPage, pages: number, ink: InkLimit]>;

export type Rule = DocumentRule | ObjectRule | PageRule | MarkRule | ImageRule | TiffRule;

/** The standards without transparency, of PDF 1.3 and 1.4. */
export const BLIND: readonly Standard[] = ['pdfx1a', 'pdfx3'];
export const ANY_X: readonly Standard[] = ['pdfx1a', 'pdfx3', 'pdfx4'];

/** What is said of ink above the limit of a condition. */
export const tooMuchInk = (found: number, { percent: limit, most, of }: InkLimit): string | false =>
  found > most && `${percent(found)} ink, and ${of} takes ${limit} %; nothing above ${most} % dries.`;

/** What is said of ink that is above the limit and may still pass. */
export const muchInk = (found: number, { percent: limit, most, of }: InkLimit): string | false =>
  found > limit + INK_TOLERANCE &&
  found <= most &&
  `${percent(found)} ink, and ${of} takes ${limit} %; more dries badly.`;

export const percent = (share: number): string => `${Math.round(share)} %`;
