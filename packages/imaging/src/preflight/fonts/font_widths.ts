import type { PdfDocument } from '../pdf/document.ts';
import type { PdfDictionary } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';

/** Width of a code in thousandths of an em. Undefined if the widths of the standard font of this name apply. */
export type DeclaredWidth = (code: number) => number | undefined;

/** ISO 32000-1, 9.6.2 and table 122 */
export function simpleWidths(document: PdfDocument, font: PdfDictionary): DeclaredWidth {
  if (!font.has('Widths')) return () => undefined;
  const widths = document.numbers(font.get('Widths'));
  const first = Number(document.get(font, 'FirstChar')) || 0;
  const descriptor = document.dictionary(font.get('FontDescriptor'));
  const missing = Number(document.get(descriptor, 'MissingWidth')) || 0;
  return (code) => widths[code - first] ?? missing;
}

/**
 * Widths of the codes of a composite font with Identity-H encoding. ISO 32000-1, 9.7.4.3
 * @param codes codes in use
 */
export function compositeWidths(
  document: PdfDocument,
  descendant: PdfDictionary | undefined,
  codes: ReadonlySet<number>,
): DeclaredWidth {
  const usual = document.get(descendant, 'DW');
  const widths = new Map<number, number>();
  const table = document.list(descendant?.get('W'));
  for (let at = 0; at + 1 < table.length; ) {
    const [start, next] = [document.resolve(table[at]), document.resolve(table[at + 1])];
    if (typeof start !== 'number') break;
    if (Array.isArray(next)) {
      for (const [index, width] of document.numbers(next).entries()) widths.set(start + index, width);
      at += 2;
      continue;
    }
    const width = document.resolve(table[at + 2]);
    document.work.spend(COST.member * codes.size);
    if (typeof next === 'number' && typeof width === 'number')
      for (const code of codes) if (code >= start && code <= next) widths.set(code, width);
    at += 3;
  }
  return (code) => widths.get(code) ?? (typeof usual === 'number' ? usual : 1000);
}
