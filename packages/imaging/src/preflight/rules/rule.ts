import { INK_TOLERANCE, type InkLimit } from '../../print/ink_limit.ts';
import type { Mark } from '../content/mark.ts';
import type { Box } from '../content/matrix.ts';
import type { PdfDocument } from '../pdf/document.ts';
import type { ImageInspection } from '../pdf/inspect_image.ts';
import type { PdfDictionary } from '../pdf/values.ts';
import type { TiffPage } from '../tiff/read_tiff_pages.ts';
import type { Severity, Standard } from '../types.ts';
import type { DocumentFacts, PageFacts } from './facts.ts';

/** Message and location of a rule violation. */
export interface Violation {
  readonly message: string;
  readonly page?: number | undefined;
  readonly object?: string | undefined;
  /** In page units. */
  readonly box?: Box | undefined;
}

/** A plain message applies to the whole checked item. */
export type CheckResult = string | Violation | readonly Violation[] | undefined | false;

/** Criteria of a preflight run. */
export interface PreflightCriteria {
  readonly standard: Standard;
  /** Colour space of the output intent profile. Undefined without a profile. */
  readonly intent: string | undefined;
  /** Ink limit of the printing condition. */
  readonly ink: InkLimit;
}

interface RuleBase {
  /** Public identifier. Its meaning never changes. */
  readonly id: string;
  readonly severity: Severity;
  /** Severity if no standard applies. Default: the same. */
  readonly severityWithoutStandard?: Severity;
  /** Standards to which the rule applies. Default: all, and files without a standard. */
  readonly standards?: readonly Standard[];
  /** Clause of a standard, or trade practice. */
  readonly basis: string;
  /** How to fix it. */
  readonly remedy: string;
}

interface RuleFor<What extends string, Subject extends unknown[]> extends RuleBase {
  readonly about: What;
  readonly check: (...subject: Subject) => CheckResult;
}

export interface PlacedImage {
  readonly mark: Mark;
  /** Undefined if the pixels could not be read. */
  readonly inspection: ImageInspection | undefined;
}

export type DocumentRule = RuleFor<'document', [facts: DocumentFacts, criteria: PreflightCriteria]>;
/** Applies to every dictionary reachable from the catalogue, including stream dictionaries. */
export type ObjectRule = RuleFor<
  'object',
  [dictionary: PdfDictionary, document: PdfDocument, criteria: PreflightCriteria]
>;
export interface PageRule
  extends RuleFor<'page', [facts: PageFacts, document: PdfDocument, criteria: PreflightCriteria]> {
  /** Depends on the content, so that it is skipped for pages whose content was not interpreted. */
  readonly needsContent?: true;
}
export interface MarkRule
  extends RuleFor<'mark', [mark: Mark, criteria: PreflightCriteria, page: PageFacts]> {
  /** Deduplication key: reported once per key and file. Absent: reported for every mark. */
  readonly deduplicationKey?: (mark: Mark) => string;
}
export type ImageRule = RuleFor<'image', [placed: PlacedImage, criteria: PreflightCriteria]>;
export type TiffRule = RuleFor<'tiff', [page: TiffPage, pages: number, ink: InkLimit]>;

export type Rule = DocumentRule | ObjectRule | PageRule | MarkRule | ImageRule | TiffRule;

/** Standards without transparency, based on PDF 1.3 and 1.4. */
export const WITHOUT_TRANSPARENCY: readonly Standard[] = ['pdfx1a', 'pdfx3'];
export const ANY_PDFX: readonly Standard[] = ['pdfx1a', 'pdfx3', 'pdfx4'];

/** Message for ink coverage that counts as an error. */
export const inkErrorText = (
  found: number,
  { percent: limit, errorAbovePercent, condition }: InkLimit,
): string | false =>
  found > errorAbovePercent &&
  `${percent(found)} total area coverage; ${condition} allows ${limit} %, and above ${errorAbovePercent} % ink does not dry.`;

/** Message for ink coverage that counts as a warning. */
export const inkWarningText = (
  found: number,
  { percent: limit, errorAbovePercent, condition }: InkLimit,
): string | false =>
  found > limit + INK_TOLERANCE &&
  found <= errorAbovePercent &&
  `${percent(found)} total area coverage; ${condition} allows ${limit} %, and more ink dries poorly.`;

export const percent = (share: number): string => `${Math.round(share)} %`;
