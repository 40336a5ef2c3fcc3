import { DATASET_QUOTES_MAX } from '../limits.ts';

/** What an import did, kept with its edition. */
export interface ImportReport {
  /** Rows of the file, bad ones included. */
  rows: number;
  /** New works. */
  added: number;
  /** Works whose record has changed. */
  changed: number;
  unchanged: number;
  /** Works of the museum that its file no longer holds. */
  removed: number;
  /** Rows that came twice. */
  duplicates: number;
  /** Rows that are no work of ours, by reason. */
  left_out: Record<string, number>;
  bad: number;
  /** The first bad rows: where, what is wrong, and their beginning. */
  bad_rows: { where: string; problem: string; quote: string }[];
  /** False where the file broke off: what was not met may still be there, so nothing was removed. */
  complete: boolean;
  /** The file was a part of what the museum publishes, as its operator has said. */
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
