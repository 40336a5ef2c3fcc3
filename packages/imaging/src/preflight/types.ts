import type { InkLimit } from '../print/ink_limit.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Preflight standard; `none` applies only rules that suit any printer. */
export type Standard = 'pdfx1a' | 'pdfx3' | 'pdfx4' | 'none';

/** In millimetres from the upper left corner of the page as displayed, or of the TIFF image. */
export interface BoxMm {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** From 1. */
  readonly page?: number | undefined;
  /** "image 12 0", "font Helvetica". */
  readonly object?: string | undefined;
  readonly box_mm?: BoxMm | undefined;
  readonly message: string;
  readonly remedy: string;
  /** Number in the page drawing. */
  readonly mark?: number | undefined;
}

/** Schematic drawing of a page with numbered findings. */
export interface PageDrawing {
  readonly page: number;
  /** PNG. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface PreflightReport {
  readonly kind: 'pdf' | 'tiff';
  /** PDF 1.6, TIFF, BigTIFF */
  readonly version: string;
  /** Claimed standard, verbatim. */
  readonly claimed: string | null;
  readonly standard: Standard;
  readonly pages: number;
  readonly pagesRead: number;
  /** Trim size of the first page. */
  readonly trimMm: { readonly width: number; readonly height: number } | null;
  readonly inks: readonly string[];
  /** Ink limit, and maximum total area coverage found. Undefined if no colour is in inks. */
  readonly ink: { readonly limit: InkLimit; readonly mostPercent: number | undefined };
  readonly counts: Readonly<Record<Severity, number>>;
  readonly findings: readonly Finding[];
  /** Findings that are counted but not listed. */
  readonly omitted: number;
  readonly rulesRun: number;
  readonly drawings: readonly PageDrawing[];
  readonly engine: { readonly name: string; readonly version: string };
}

export interface PreflightRequest {
  readonly bytes: Uint8Array;
  /** `claimed` uses the standard that the file claims. */
  readonly standard: Standard | 'claimed';
}
