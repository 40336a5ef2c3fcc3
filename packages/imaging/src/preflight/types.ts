import type { InkLimit } from '../print/ink_limit.ts';

export type Severity = 'error' | 'warning' | 'info';

/** What a file is judged by: one of the standards, or only what is good for any printer. */
export type Standard = 'pdfx1a' | 'pdfx3' | 'pdfx4' | 'none';

/** In millimetres from the upper left corner of the page as it is looked at; of a TIFF from that of the picture. */
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
  /** Its number in the drawing of its page. */
  readonly mark?: number | undefined;
}

/** A schematic page with its places marked. */
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
  /** As the file says it, word for word. */
  readonly claimed: string | null;
  readonly standard: Standard;
  readonly pages: number;
  readonly pagesRead: number;
  /** Of the first page, after trimming. */
  readonly trimMm: { readonly width: number; readonly height: number } | null;
  readonly inks: readonly string[];
  /** What its printing condition takes, and the most that was found in one place; undefined where no colour is in inks. */
  readonly ink: { readonly limit: InkLimit; readonly mostPercent: number | undefined };
  readonly counts: Readonly<Record<Severity, number>>;
  readonly findings: readonly Finding[];
  /** Findings that are counted and not told. */
  readonly untold: number;
  readonly rulesRun: number;
  readonly drawings: readonly PageDrawing[];
  readonly engine: { readonly name: string; readonly version: string };
}

export interface PreflightRequest {
  readonly bytes: Uint8Array;
  /** `claimed`: what the file says it is. */
  readonly standard: Standard | 'claimed';
}
