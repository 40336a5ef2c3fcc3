import { createHash } from 'node:crypto';
import { toUnicodeMap } from '../../print/to_unicode_map.ts';
import type { ReadFont } from '../../typography/open_fonts.ts';
import { writeTrueType } from '../../typography/write_truetype.ts';
import { flateStream } from '../convert/flate_stream.ts';
import type { NewDocument } from '../convert/new_document.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { readFont as readPdfFont } from '../pdf/fonts.ts';
import { Name, nameOf, type PdfDictionary, PdfText, type PdfValue, type Reference } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { type ChosenGlyphs, chooseGlyphs, type UsedCodes } from './choose_glyphs.ts';
import { simpleEncoding } from './encodings.ts';
import { compositeWidths, simpleWidths } from './font_widths.ts';
import { type Substitute, substituteFor } from './substitutes.ts';
import { readToUnicode } from './to_unicode.ts';

/** Font name for messages, without its subset tag. */
export const plainFontName = (name: string): string =>
  name
    .replace(/^[A-Z]{6}\+/, '')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 80);

/** A font that is not embedded, and its use in converted content. */
export class FontUse {
  readonly dictionary: PdfDictionary;
  /** Font name without its subset tag. */
  readonly name: string;
  readonly isComposite: boolean;
  readonly reference: Reference;
  /** Codes of shown text. */
  readonly codes = new Set<number>();
  /** Whether content selects the font, even for invisible text only. */
  isSet = false;
  /** Number of codes already written; -1 before the first time. */
  writtenCodes = -1;
  /** Objects of this font in the new file. */
  readonly parts = new Map<string, Reference>();

  constructor(
    dictionary: PdfDictionary,
    { name, isComposite }: { name: string; isComposite: boolean },
    reference: Reference,
  ) {
    this.dictionary = dictionary;
    this.name = plainFontName(name);
    this.isComposite = isComposite;
    this.reference = reference;
  }

  /** Records the codes of a shown string. */
  recordCodes(bytes: Uint8Array): void {
    const step = this.isComposite ? 2 : 1;
    for (let at = 0; at < bytes.length; at += step)
      this.codes.add(step === 2 ? (bytes[at]! << 8) | (bytes[at + 1] ?? 0) : bytes[at]!);
  }
}

/** Outcome for the fonts that were not embedded, by name. */
export interface ReplacedFonts {
  readonly replaced: Map<string, { readonly by: string; readonly fitted: ReadonlySet<string> }>;
  /** Reason why a font was not replaced, as a clause. */
  readonly left: Map<string, string>;
}

/**
 * Embeds metric-compatible fonts in place of fonts that are not embedded. Codes and positions of the text stay, so that
 * the content stays unchanged.
 */
export class FontReplacer {
  readonly outcome: ReplacedFonts = { replaced: new Map(), left: new Map() };
  readonly #document: PdfDocument;
  readonly #made: NewDocument;
  readonly #readFont: ReadFont;
  readonly #uses = new Map<number, FontUse>();
  /** Some text uses a font set elsewhere, so that the codes in use are unknown. */
  #hasInheritedFont = false;

  constructor(document: PdfDocument, made: NewDocument, readFont: ReadFont) {
    this.#document = document;
    this.#made = made;
    this.#readFont = readFont;
  }

  /** Registers or copies a font, and returns its value in the new file. */
  take(value: PdfValue): PdfValue {
    const dictionary = this.#document.dictionary(value);
    const font = readPdfFont(this.#document, value);
    if (!dictionary || !font || (font.isEmbedded && !font.isFileEmpty)) return this.#made.copy(value);
    const use = new FontUse(dictionary, font, this.#made.reserve());
    this.#uses.set(use.reference.number, use);
    return use.reference;
  }

  /** @param reference in the new file @returns undefined for copied fonts */
  useOf(reference: Reference): FontUse | undefined {
    return this.#uses.get(reference.number);
  }

  /** Called for text in a font that its own content stream does not select. */
  onInheritedFont(): void {
    this.#hasInheritedFont = true;
  }

  /** Writes the fonts after content was converted, and again after more content. @throws WorkBudgetExceeded, TooManyObjects */
  writeFonts(): void {
    for (const use of this.#uses.values()) {
      if (use.writtenCodes === use.codes.size || (!use.isSet && !this.#hasInheritedFont)) continue;
      use.writtenCodes = use.codes.size;
      const made = use.codes.size === 0 ? undefined : this.#replacement(use);
      if (typeof made === 'string') this.outcome.left.set(use.name, made);
      const isReplaced = use.parts.size > 0;
      if (made instanceof Map) this.#made.set(use.reference, made);
      // A replacement made for earlier content stays.
      else if (!isReplaced) this.#made.set(use.reference, this.#made.copy(use.dictionary));
    }
  }

  /** Returns the dictionary of the embedded substitute, or the reason why there is none. */
  #replacement(use: FontUse): PdfDictionary | string {
    const substitute = substituteFor(use.name);
    if (!substitute) return 'no available font has its widths';
    if (this.#hasInheritedFont) return 'a form shows text in it without selecting it';
    const used = usedCodes(this.#document, use);
    if (typeof used === 'string') return used;
    const chosen = chooseGlyphs(substitute, used, { readFont: this.#readFont, work: this.#document.work });
    if (typeof chosen === 'string') return chosen;
    const before = this.outcome.replaced.get(use.name);
    const fitted = new Set([...(before?.fitted ?? []), ...chosen.fitted]);
    this.outcome.replaced.set(use.name, { by: substitute.name, fitted });
    return use.isComposite
      ? this.#composite(use, substitute, chosen)
      : this.#simple(use, substitute, { chosen, used });
  }

  #simple(
    use: FontUse,
    substitute: Substitute,
    { chosen, used }: { readonly chosen: ChosenGlyphs; readonly used: UsedCodes },
  ): PdfDictionary {
    const file = trueType(chosen, chosen.byCode);
    const name = taggedName(substitute, file);
    const [first, last] = [Math.min(...use.codes), Math.max(...use.codes)];
    const widths = Array.from({ length: last - first + 1 }, (_, at) => chosen.widths.get(first + at) ?? 0);
    return new Map<string, PdfValue>([
      ['Type', new Name('Font')],
      ['Subtype', new Name('TrueType')],
      ['BaseFont', new Name(name)],
      ['FirstChar', first],
      ['LastChar', last],
      ['Widths', widths],
      ['FontDescriptor', this.#descriptor(use, { name, substitute, chosen, file })],
      ['ToUnicode', this.#toUnicode(use, used)],
    ]);
  }

  #composite(use: FontUse, substitute: Substitute, chosen: ChosenGlyphs): PdfDictionary {
    const document = this.#document;
    const file = trueType(chosen);
    const name = taggedName(substitute, file);
    const [value] = document.list(use.dictionary.get('DescendantFonts'));
    const old = document.dictionary(value) ?? new Map<string, PdfValue>();
    const map = Buffer.alloc(2 * (Math.max(...use.codes) + 1));
    for (const [code, glyph] of chosen.byCode) map.writeUInt16BE(glyph, 2 * code);
    const descendant = new Map<string, PdfValue>([
      ['Type', new Name('Font')],
      ['Subtype', new Name('CIDFontType2')],
      ['BaseFont', new Name(name)],
      [
        'CIDSystemInfo',
        new Map<string, PdfValue>([
          ['Registry', new PdfText(Buffer.from('Adobe'))],
          ['Ordering', new PdfText(Buffer.from('Identity'))],
          ['Supplement', 0],
        ]),
      ],
      ['FontDescriptor', this.#descriptor(use, { name, substitute, chosen, file })],
      ['CIDToGIDMap', this.#part(use, 'map', flateStream(new Map(), map))],
    ]);
    for (const key of ['DW', 'W']) if (old.has(key)) descendant.set(key, this.#made.copy(old.get(key)));
    return new Map<string, PdfValue>([
      ['Type', new Name('Font')],
      ['Subtype', new Name('Type0')],
      ['BaseFont', new Name(name)],
      ['Encoding', new Name('Identity-H')],
      ['DescendantFonts', [this.#part(use, 'descendant', descendant)]],
      ['ToUnicode', this.#made.copy(use.dictionary.get('ToUnicode'))],
    ]);
  }

  /** ISO 32000-1, table 122 */
  #descriptor(
    use: FontUse,
    parts: { name: string; substitute: Substitute; chosen: ChosenGlyphs; file: Uint8Array },
  ): Reference {
    const { name, substitute, chosen, file } = parts;
    const { isFixedPitch, isSerif, isItalic, isBold } = substitute;
    const stream = flateStream(new Map([['Length1', file.length]]), file);
    const [ascent, descent] = [chosen.font.ascent, -chosen.font.descent].map((one) => Math.round(1000 * one));
    return this.#part(
      use,
      'descriptor',
      new Map<string, PdfValue>([
        ['Type', new Name('FontDescriptor')],
        ['FontName', new Name(name)],
        // Fixed pitch, serif, symbolic (codes map to glyphs without names), italic.
        ['Flags', (isFixedPitch ? 1 : 0) | (isSerif ? 2 : 0) | 4 | (isItalic ? 64 : 0)],
        ['FontBBox', [-1000, descent!, 2000, ascent!]],
        ['ItalicAngle', isItalic ? ITALIC_DEGREES : 0],
        ['Ascent', ascent!],
        ['Descent', descent!],
        ['CapHeight', CAPITALS],
        ['StemV', isBold ? STEM.bold : STEM.regular],
        ['FontFile2', this.#part(use, 'file', stream)],
      ]),
    );
  }

  #toUnicode(use: FontUse, used: UsedCodes): PdfValue {
    if (use.dictionary.has('ToUnicode')) return this.#made.copy(use.dictionary.get('ToUnicode'));
    const known = [...use.codes].flatMap((code) => {
      const text = used.characters(code);
      return text === undefined ? [] : [[code, text] as const];
    });
    const map = Buffer.from(toUnicodeMap(new Map(known), 1), 'latin1');
    return this.#part(use, 'unicode', flateStream(new Map(), map));
  }

  /** Writes an object of a font. It keeps its number if the font is written again. */
  #part(use: FontUse, key: string, value: PdfValue): Reference {
    const reference = use.parts.get(key) ?? this.#made.reserve();
    use.parts.set(key, reference);
    this.#made.set(reference, value);
    return reference;
  }
}

const ITALIC_DEGREES = -12;
/**
 * Cap height and stem width of Arial in thousandths of an em; viewers use them only for fonts that are not embedded.
 */
const CAPITALS = 716;
const STEM = { regular: 80, bold: 140 } as const;

/** Symbolic flag: the font has its own encoding. ISO 32000-1, table 123 */
const SYMBOLIC = 4;

/** Returns the characters and widths of the codes in use, or the reason why they are unknown. */
function usedCodes(document: PdfDocument, { dictionary, isComposite, codes }: FontUse): UsedCodes | string {
  const reported = readToUnicode(document, dictionary.get('ToUnicode'));
  document.work.spend(COST.member * codes.size);
  if (isComposite) {
    if (nameOf(document.get(dictionary, 'Encoding')) !== 'Identity-H')
      return 'its encoding is that of an East Asian character set';
    const [descendant] = document.list(dictionary.get('DescendantFonts'));
    const widthOf = compositeWidths(document, document.dictionary(descendant), codes);
    return { codes, characters: (code) => reported.get(code), widthOf };
  }
  const descriptor = document.dictionary(dictionary.get('FontDescriptor'));
  const isSymbolic = ((Number(document.get(descriptor, 'Flags')) || 0) & SYMBOLIC) !== 0;
  const isOwn = isSymbolic && !dictionary.has('Encoding');
  const encoding = isOwn ? new Map<number, string>() : simpleEncoding(document, dictionary.get('Encoding'));
  return {
    codes,
    characters: (code) => encoding.get(code) ?? reported.get(code),
    widthOf: simpleWidths(document, dictionary),
  };
}

const trueType = ({ font, glyphs }: ChosenGlyphs, codes?: ReadonlyMap<number, number>): Uint8Array =>
  writeTrueType({
    unitsPerEm: font.unitsPerEm,
    ascent: font.ascent * font.unitsPerEm,
    descent: font.descent * font.unitsPerEm,
    glyphs,
    ...(codes && { codes }),
  });

/** Font name with a subset tag of six letters. ISO 32000-1, 9.6.4 */
function taggedName({ name }: Substitute, file: Uint8Array): string {
  const digest = createHash('sha256').update(file).digest();
  const tag = String.fromCharCode(...[...digest.subarray(0, 6)].map((byte) => 65 + (byte % 26)));
  return `${tag}+${name.replaceAll(' ', '-')}`;
}
