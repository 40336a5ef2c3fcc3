import type { GlyphOutlines } from '../../decoders/glyph_outlines.ts';
import type { OutlineCommand } from '../../typography/font.ts';
import { flateStream } from '../convert/flate_stream.ts';
import { NewDocument } from '../convert/new_document.ts';
import { simpleEncoding } from '../fonts/encodings.ts';
import { simpleWidths } from '../fonts/font_widths.ts';
import { readToUnicode } from '../fonts/to_unicode.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { readFont } from '../pdf/fonts.ts';
import { Name, nameOf, type PdfDictionary, type PdfValue, Reference } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';

/** The reason why text cannot be converted to outlines. The message is a clause. */
export class OutliningError extends Error {}

/** A font whose text is converted to outlines. */
export interface OutlinedFont {
  /** Bytes per code. */
  readonly step: 1 | 2;
  /** In thousandths of an em. */
  width(code: number): number;
  /** In em. Undefined if the glyph cannot be read; its text then stays text. */
  outline(code: number): readonly OutlineCommand[] | undefined;
}

const BLANK = /^[\s\p{Zs}\p{Cc}\p{Cf}]*$/u;
const CODES = 65_536;

/** Opens the embedded fonts of a file, each once. */
export class OutlinedFonts {
  readonly #document: PdfDocument;
  readonly #open: (file: Uint8Array) => GlyphOutlines | undefined;
  readonly #known = new Map<number | PdfDictionary, OutlinedFont>();

  /** @param open reads the glyphs of a font from a PDF whose first page starts with text in it */
  constructor(document: PdfDocument, open: (file: Uint8Array) => GlyphOutlines | undefined) {
    this.#document = document;
    this.#open = open;
  }

  /** @throws OutliningError if the encoding of its text is not supported; WorkBudgetExceeded */
  font(value: PdfValue): OutlinedFont {
    const dictionary = this.#document.dictionary(value);
    if (!dictionary) throw new OutliningError('it has text without a font');
    const key = value instanceof Reference ? value.number : dictionary;
    const known = this.#known.get(key) ?? this.#read(value, dictionary);
    this.#known.set(key, known);
    return known;
  }

  #read(value: PdfValue, dictionary: PdfDictionary): OutlinedFont {
    const document = this.#document;
    document.work.spend(COST.font);
    const font = readFont(document, value)!;
    const step = font.isComposite ? 2 : 1;
    if (font.isComposite && nameOf(document.get(dictionary, 'Encoding')) !== 'Identity-H')
      throw new OutliningError(`the encoding of its font ${font.name.slice(0, 60)} is not supported`);
    const width = font.isComposite
      ? compositeWidthsOf(document, dictionary)
      : simpleWidthsOf(document, dictionary, font);
    if (font.kind === 'Type3' || !font.isEmbedded || font.isFileEmpty)
      return { step, width, outline: () => undefined };
    const glyphs = this.#open(pdfWithFont(document, dictionary, step));
    const reported = readToUnicode(document, dictionary.get('ToUnicode'));
    const encoding = step === 1 ? simpleEncoding(document, dictionary.get('Encoding')) : reported;
    const outlines = new Map<number, readonly OutlineCommand[] | undefined>();
    const read = (code: number) => {
      document.work.spend(COST.glyph);
      const text = reported.get(code) ?? encoding.get(code);
      return (
        glyphs?.outline(characterOf(code, step)) ?? (text !== undefined && BLANK.test(text) ? [] : undefined)
      );
    };
    return {
      step,
      width,
      outline(code) {
        if (!outlines.has(code)) outlines.set(code, read(code));
        return outlines.get(code);
      },
    };
  }
}

function simpleWidthsOf(
  document: PdfDocument,
  dictionary: PdfDictionary,
  font: { readonly kind: string; readonly name: string; width(code: number): number },
): (code: number) => number {
  if (font.kind === 'Type3') return font.width;
  if (!dictionary.has('Widths'))
    throw new OutliningError(`its font ${font.name.slice(0, 60)} has no glyph widths`);
  const declared = simpleWidths(document, dictionary);
  return (code) => declared(code) ?? 0;
}

/** ISO 32000-1, 9.7.4.3 */
function compositeWidthsOf(document: PdfDocument, dictionary: PdfDictionary): (code: number) => number {
  const [value] = document.list(dictionary.get('DescendantFonts'));
  const descendant = document.dictionary(value);
  const usual = document.get(descendant, 'DW');
  const widths = new Float64Array(CODES).fill(typeof usual === 'number' ? usual : 1000);
  const table = document.list(descendant?.get('W'));
  for (let at = 0; at + 1 < table.length; ) {
    const [start, next] = [document.resolve(table[at]), document.resolve(table[at + 1])];
    if (typeof start !== 'number' || start < 0) break;
    if (Array.isArray(next)) {
      for (const [index, width] of document.numbers(next).entries()) widths[start + index] = width;
      at += 2;
      continue;
    }
    const [last, width] = [Math.min(CODES - 1, Number(next) || 0), document.resolve(table[at + 2])];
    document.work.spend(COST.member * Math.max(1, last - start));
    if (typeof width === 'number') widths.fill(width, start, last + 1);
    at += 3;
  }
  return (code) => widths[code] ?? 0;
}

/** PDFium looks up glyphs by character: every code gets a unique one, single-byte codes in the private use area. */
const PRIVATE = 0xe000;
const characterOf = (code: number, step: 1 | 2): number => (step === 1 ? PRIVATE + code : code);

function privateCharacterMap(step: 1 | 2): string {
  const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0');
  const rows = Array.from({ length: step === 1 ? 1 : 256 }, (_, high) => {
    const [first, last] = [256 * high, 256 * high + 255];
    return `<${hex(first, step)}> <${hex(last, step)}> <${hex(characterOf(first, step), 2)}>`;
  });
  const lists = [rows.slice(0, 100), rows.slice(100, 200), rows.slice(200)].filter(
    ({ length }) => length > 0,
  );
  const ranges = lists.map((list) => `${list.length} beginbfrange\n${list.join('\n')}\nendbfrange`);
  return `begincmap\n1 begincodespacerange\n<${hex(0, step)}> <${'ff'.repeat(step)}>\nendcodespacerange\n${ranges.join('\n')}\nendcmap`;
}

/** Writes a single-page PDF whose content is text in a font. */
function pdfWithFont(document: PdfDocument, font: PdfDictionary, step: 1 | 2): Uint8Array {
  const made = new NewDocument(document);
  const [root, pages, page] = [made.reserve(), made.reserve(), made.reserve()];
  const name = (text: string): PdfValue => new Name(text);
  const characters = made.add(flateStream(new Map(), Buffer.from(privateCharacterMap(step), 'latin1')));
  const own = new Map([...(made.copy(font) as PdfDictionary), ['ToUnicode', characters] as const]);
  const content = `BT /F 1 Tf <${'41'.repeat(step)}> Tj ET`;
  made.set(
    page,
    new Map<string, PdfValue>([
      ['Type', name('Page')],
      ['Parent', pages],
      ['MediaBox', [0, 0, 9, 9]],
      ['Resources', new Map([['Font', new Map([['F', own as PdfValue]])]])],
      ['Contents', made.add(flateStream(new Map(), Buffer.from(content, 'latin1')))],
    ]),
  );
  made.set(
    pages,
    new Map<string, PdfValue>([
      ['Type', name('Pages')],
      ['Kids', [page]],
      ['Count', 1],
    ]),
  );
  made.set(
    root,
    new Map<string, PdfValue>([
      ['Type', name('Catalog')],
      ['Pages', pages],
    ]),
  );
  return made.write({ root, info: made.add(new Map()), version: '1.7', documentId: '0'.repeat(32) });
}
