/** One row of a museum's file, or what was wrong where a row should have been. */
export type Row =
  | { readonly where: string; readonly value: Record<string, unknown> }
  | { readonly where: string; readonly problem: string; readonly quote: string };

/** The beginning of a bad row, safe to show: one line, nothing that moves a terminal's cursor. */
export const quoteValue = (text: string): string =>
  text.slice(0, 120).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
