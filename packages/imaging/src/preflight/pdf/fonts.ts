import { COST } from '../work_budget.ts';
import type { PdfDocument } from './document.ts';
import { nameOf, type PdfDictionary, PdfStream, type PdfValue } from './values.ts';

/** ISO 32000-1, 9.5 to 9.8 */
export interface Font {
  readonly name: string;
  readonly kind: string;
  readonly isEmbedded: boolean;
  /** The embedded font file is empty. */
  readonly isFileEmpty: boolean;
  /** Whether codes have two bytes. */
  readonly isComposite: boolean;
  /** Width of a code in thousandths of an em. */
  width(code: number): number;
}

const WIDTH_UNKNOWN = 500;

export function readFont(document: PdfDocument, value: PdfValue | undefined): Font | undefined {
  const font = document.dictionary(value);
  if (!font) return undefined;
  document.work.spend(COST.resource);
  const kind = nameOf(document.get(font, 'Subtype')) ?? 'unknown';
  const name =
    nameOf(document.get(font, 'BaseFont')) ?? nameOf(document.get(font, 'Name')) ?? 'without a name';
  const isComposite = kind === 'Type0';
  const [descendant] = isComposite ? document.list(font.get('DescendantFonts')) : [];
  const described = isComposite ? document.dictionary(descendant) : font;
  const descriptor = document.dictionary(described?.get('FontDescriptor'));
  const file = ['FontFile', 'FontFile2', 'FontFile3']
    .map((key) => document.get(descriptor, key))
    .find((one) => one instanceof PdfStream);
  return {
    name,
    kind,
    isComposite,
    isEmbedded: kind === 'Type3' || file !== undefined,
    isFileEmpty: file instanceof PdfStream && document.decode(file).data.length === 0,
    width: isComposite ? compositeWidth(document, described) : simpleWidth(document, font),
  };
}

function simpleWidth(document: PdfDocument, font: PdfDictionary): Font['width'] {
  const widths = document.numbers(font.get('Widths'));
  const first = Number(document.get(font, 'FirstChar')) || 0;
  // Type 3 fonts define their own glyph space.
  const scale = 1000 * Math.abs(document.numbers(font.get('FontMatrix'))[0] ?? 0.001);
  return (code) => (widths[code - first] ?? WIDTH_UNKNOWN) * scale;
}

/** Reads DW (default 1000) and the W entries that list widths individually. */
function compositeWidth(document: PdfDocument, font: PdfDictionary | undefined): Font['width'] {
  const usual = document.get(font, 'DW');
  const widths = new Map<number, number>();
  const table = document.list(font?.get('W'));
  for (let at = 0; at + 1 < table.length; ) {
    const [start, next] = [document.resolve(table[at]), document.resolve(table[at + 1])];
    if (typeof start !== 'number') break;
    if (!Array.isArray(next)) {
      at += 3;
      continue;
    }
    for (const [index, width] of document.numbers(next).entries()) widths.set(start + index, width);
    at += 2;
  }
  return (code) => widths.get(code) ?? (typeof usual === 'number' ? usual : 1000);
}
