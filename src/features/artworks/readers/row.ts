/** One row of a museum's file, or why it could not be read. */
export type Row =
  | { readonly where: string; readonly value: Record<string, unknown> }
  | { readonly where: string; readonly problem: string; readonly quote: string };

/** The beginning of an invalid row, safe to display: on one line, without terminal control characters. */
export const quoteValue = (text: string): string =>
  text.slice(0, 120).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
