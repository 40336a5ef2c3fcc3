import { INK_TOLERANCE, type InkLimit } from '../../print/ink_limit.ts';
import type { Mark } from '../content/mark.ts';
import type { Box } from '../content/matrix.ts';
import type { PdfDocument } from '../pdf/document.ts';
import type { ImageLook } from '../pdf/look_at_image.ts';
import type { PdfDictionary } from '../pdf/values.ts';
import type { TiffPage } from '../tiff/read_tiff_pages.ts';
import type { Severity, Standard } from '../types.ts';
import type { DocumentFacts, PageFacts } from './facts.ts';

/** Message and location of a rule violation. */
export interface Place {
  readonly message: string;
  readonly page?: number | undefined;
  readonly object?: string | undefined;
  /** In page units. */
  readonly box?: Box | undefined;
}

/** A plain message applies to the whole checked item. */
export type Verdict = string | Place | readonly Place[] | undefined | false;

/** Criteria of a preflight run. */
export interface Judged {
  readonly standard: Standard;
  /** Colour space of the output intent profile. Undefined without a profile. */
  readonly intent: string | undefined;
  /** Ink limit of the printing condition. */
  readonly ink: InkLimit;
}

interface Common {
  /** Public identifier. Its meaning never changes. */
  readonly id: string;
  readonly severity: Severity;
  /** Severity if no standard applies. Default: the same. */
  readonly withoutStandard?: Severity;
  /** Standards to which the rule applies. Default: all, and files without a standard. */
  readonly only?: readonly Standard[];
  /** Clause of a standard, or trade practice. */
  readonly basis: string;
  /** How to fix it. */
  readonly remedy: string;
}

interface About<What extends string, Subject extends unknown[]> extends Common {
  readonly about: What;
  readonly check: (...subject: Subject) => Verdict;
}

export interface PlacedImage {
  readonly mark: Mark;
  /** Undefined if the pixels could not be read. */
  readonly look: ImageLook | undefined;
}

export type DocumentRule = About<'document', [facts: DocumentFacts, judged: Judged]>;
/** Applies to every dictionary reachable from the catalogue, including stream dictionaries. */
export type ObjectRule = About<'object', [dictionary: PdfDictionary, document: PdfDocument, judged: Judged]>;
export interface PageRule extends About<'page', [facts: PageFacts, document: PdfDocument, judged: Judged]> {
  /** Depends on the content, so that it is skipped for pages whose content was not interpreted. */
  readonly needsContent?: true;
}
export interface MarkRule extends About<'mark', [mark: Mark, judged: Judged, page: PageFacts]> {
  /** Deduplication key: reported once per key and file. Absent: reported for every mark. */
  readonly once?: (mark: Mark) => string;
}
export type ImageRule = About<'image', [placed: PlacedImage, judged: Judged]>;
export type TiffRule = About<'tiff', [page: TiffPage, pages: number, ink: InkLimit]>;

export type Rule = DocumentRule | ObjectRule | PageRule | MarkRule | ImageRule | TiffRule;

/** Standards without transparency, based on PDF 1.3 and 1.4. */
export const BLIND: readonly Standard[] = ['pdfx1a', 'pdfx3'];
export const ANY_X: readonly Standard[] = ['pdfx1a', 'pdfx3', 'pdfx4'];

/** Message for ink coverage that counts as an error. */
export const tooMuchInk = (found: number, { percent: limit, most, of }: InkLimit): string | false =>
  found > most &&
  `${percent(found)} total area coverage; ${of} allows ${limit} %, and above ${most} % ink does not dry.`;

/** Message for ink coverage that counts as a warning. */
export const muchInk = (found: number, { percent: limit, most, of }: InkLimit): string | false =>
  found > limit + INK_TOLERANCE &&
  found <= most &&
  `${percent(found)} total area coverage; ${of} allows ${limit} %, and more ink dries poorly.`;

export const percent = (share: number): string => `${Math.round(share)} %`;
