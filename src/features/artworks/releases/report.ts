import { DATASET_QUOTES_MAX } from '../limits.ts';

/** Result of an import, stored with its edition. */
export interface ImportReport {
  /** Rows of the file, including invalid ones. */
  rows: number;
  /** New works. */
  added: number;
  /** Works with a changed record. */
  changed: number;
  unchanged: number;
  /** Works of the museum missing from its new file. */
  removed: number;
  /** Rows with an id that occurred before. */
  duplicates: number;
  /** Rows that are not imported, by reason. */
  left_out: Record<string, number>;
  bad: number;
  /** The first invalid rows: position, problem, and beginning. */
  bad_rows: { where: string; problem: string; quote: string }[];
  /** False if the file was truncated. Missing works were then not removed. */
  complete: boolean;
  /** True for a partial file, as stated by the operator. */
  part?: boolean;
}

export const emptyReport = (): ImportReport => ({
  rows: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  duplicates: 0,
  left_out: {},
  bad: 0,
  bad_rows: [],
  complete: true,
});

export function countBad(report: ImportReport, bad: ImportReport['bad_rows'][number]): void {
  report.bad += 1;
  if (report.bad_rows.length < DATASET_QUOTES_MAX) report.bad_rows.push(bad);
}

export function countLeftOut(report: ImportReport, reason: string): void {
  report.left_out[reason] = (report.left_out[reason] ?? 0) + 1;
}
