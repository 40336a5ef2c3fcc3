import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { createPdfFile, latin1, pdfStream, textString } from '../../print/pdf_file.ts';
import { memorySink } from '../../print/sheet_file.ts';
import { toUnicodeMap } from '../../print/to_unicode_map.ts';
import type { TextResources } from '../../typography/draw_text.ts';
import type { Font } from '../../typography/font.ts';
import type { PlacedGlyph } from '../../typography/paragraph.ts';
import { subsetFont } from '../../typography/subset_font.ts';

interface UsedFont {
  readonly name: string;
  readonly number: number;
  /** Characters of each glyph, from its first use. */
  readonly glyphs: Map<number, string>;
}

/** Glyphs of one font on one baseline, in em of the line; y upwards. */
interface Shown {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Operators that show them; a glyph with other characters than at its first use carries its own. */
  readonly show: string;
}

/** Lengths of fonts in a PDF are thousandths of an em. */
const UNITS = 1000;
/** Symbolic: glyphs are addressed by index. ISO 32000-1, table 123 */
const SYMBOLIC = 4;

/** The fonts of a file: each is a subset of the used glyphs, with the characters of each glyph. */
export class PdfFonts {
  readonly #objects: PdfObjects;
  readonly #fonts = new Map<Font, UsedFont>();

  constructor(objects: PdfObjects) {
    this.#objects = objects;
  }

  note(glyphs: readonly PlacedGlyph[]): void {
    for (const { font, id, text } of glyphs) {
      const used = this.#used(font);
      if (text !== '' && !used.glyphs.has(id)) used.glyphs.set(id, text);
    }
  }

  get entries(): string {
    return [...this.#fonts.values()].map(({ name, number }) => `/${name} ${number} 0 R`).join(' ');
  }

  /** Runs of glyphs of one font on one baseline, each with the advances from shaping. */
  shown(glyphs: readonly PlacedGlyph[]): Shown[] {
    const runs: Shown[] = [];
    for (let at = 0; at < glyphs.length; ) {
      const { font, x, y } = glyphs[at]!;
      const start = at;
      while (glyphs[at]?.font === font && glyphs[at]!.y === y) at += 1;
      runs.push({ name: this.#used(font).name, x, y, show: this.#show(font, glyphs.slice(start, at)) });
    }
    return runs;
  }

  /** In visual order; readers reorder right-to-left lines themselves. */
  #show(font: Font, glyphs: readonly PlacedGlyph[]): string {
    const { glyphs: known } = this.#used(font);
    let pen = glyphs[0]!.x;
    let show = '';
    let plain = '';
    const endPlain = () => {
      if (plain !== '') show += `[${plain}] TJ `;
      plain = '';
    };
    for (const { id, x, text } of glyphs) {
      const back = Math.round((pen - x) * UNITS);
      const code = `${back === 0 ? '' : `${back} `}<${hex(id)}> `;
      pen += (widthOf(font, id) - back) / UNITS;
      if (known.get(id) === text) plain += code;
      else {
        endPlain();
        show += `/Span << /ActualText ${textString(text)} >> BDC [${code}] TJ EMC `;
      }
    }
    endPlain();
    return show;
  }

  /** Writes all font files. */
  write(resources: TextResources): void {
    for (const [font, used] of this.#fonts) this.#write(font, used, resources);
  }

  #used(font: Font): UsedFont {
    const known = this.#fonts.get(font);
    if (known) return known;
    const made = { name: `F${this.#fonts.size}`, number: this.#objects.reserve(), glyphs: new Map() };
    this.#fonts.set(font, made);
    return made;
  }

  #write(font: Font, { name, number, glyphs }: UsedFont, resources: TextResources): void {
    const ids = [...glyphs.keys()].sort((one, other) => one - other);
    const subset = subsetFont(font.path, ids, resources);
    const file = this.#objects.add(
      pdfStream(`/Length1 ${subset.length} /Filter /FlateDecode`, deflateSync(subset)),
    );
    const [ascent, descent] = [font.ascent, -font.descent].map((value) => Math.round(value * UNITS));
    const title = `${tagOf(name)}+${nameOf(font)}`;
    const descriptor = this.#objects.add(
      `<< /Type /FontDescriptor /FontName /${title} /Flags ${SYMBOLIC} /FontBBox [-1000 ${descent} 3000 ${ascent}] /ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight 700 /StemV 80 /FontFile2 ${file} 0 R >>`,
    );
    const widths = ids.map((id) => `${id} [${widthOf(font, id)}]`).join(' ');
    const descendant = this.#objects.add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${title} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /W [${widths}] /CIDToGIDMap /Identity >>`,
    );
    const map = this.#objects.add(
      pdfStream('/Filter /FlateDecode', deflateSync(latin1(toUnicodeMap(glyphs, 2)))),
    );
    this.#objects.put(
      number,
      `<< /Type /Font /Subtype /Type0 /BaseFont /${title} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${map} 0 R >>`,
    );
  }
}

const widthOf = (font: Font, glyph: number): number => Math.round(font.advance(glyph) * UNITS);
const hex = (value: number): string => value.toString(16).padStart(4, '0');

/** Six letters that distinguish subsets. ISO 32000-1, 9.6.4 */
const tagOf = (name: string): string =>
  [...name.slice(1).padStart(6, '0')].map((digit) => String.fromCharCode(65 + Number(digit))).join('');

/** inter-latin-400-normal, from the path of its file. */
const nameOf = ({ path }: Font): string =>
  path
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '')
    .replace(/[^\w-]/g, '');

/** The objects of a file, numbered from 1. */
export class PdfObjects {
  readonly #bodies: (string | Uint8Array)[] = [];

  reserve(): number {
    return this.#bodies.push('null');
  }

  put(number: number, body: string | Uint8Array): void {
    this.#bodies[number - 1] = body;
  }

  add(body: string | Uint8Array): number {
    return this.#bodies.push(body);
  }

  write(shape: { catalog: number; info: number }): Buffer {
    const sink = memorySink();
    const file = createPdfFile(sink, { objects: this.#bodies.length + 1, ...shape });
    const hash = createHash('sha256');
    for (const [at, body] of this.#bodies.entries()) {
      file.object(at + 1, body);
      hash.update(body);
    }
    file.finish(hash.digest('hex').slice(0, 32));
    return Buffer.concat(sink.pieces);
  }
}
