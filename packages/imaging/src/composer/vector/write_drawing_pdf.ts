import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Rgba } from '../../color/css_color.ts';
import { type Affine, combine, flatten, type Outlines } from '../../drawing/outline.ts';
import type { BlendMode } from '../../editor/operations.ts';
import { pdfImage } from '../../encoders/write_picture_pdf.ts';
import { latin1, pdfStream, points } from '../../print/pdf_file.ts';
import { outputIntent } from '../../print/write_pdf.ts';
import type { Part } from '../../resample/resample.ts';
import type { TextResources } from '../../typography/draw_text.ts';
import type { CodedImage, DrawingPage, GroupMark, ImageMark, LineMark, Mark } from './marks.ts';
import { inksOf, type PageInks } from './page_inks.ts';
import { PdfFonts, PdfObjects } from './pdf_fonts.ts';

const POINTS_PER_INCH = 72;
/** Maximum side of a page in units; larger pages use larger units. ISO 32000-1, Annex C.2 and 14.11.2 */
const PAGE_UNITS_MAX = 14_400;

/** CSS blend modes have the same names in PDF, in another notation: soft-light is SoftLight. */
const blendName = (blend: BlendMode): string =>
  blend.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Writes a PDF with text in subset fonts, outlines, and images at full resolution. The trim box of a page is its canvas, with the bleed around it.
 * With inks, all colours are DeviceCMYK, and their printing condition is the output intent. Deterministic: contains no date. Syntax: ISO 32000-1.
 */
export function writeDrawingPdf(
  drawn: readonly DrawingPage[],
  resources: TextResources,
  inks?: PageInks,
): Buffer {
  const objects = new PdfObjects();
  const catalog = objects.reserve();
  const writer = new ContentWriter(objects, inks);
  for (const { marks } of drawn) writer.collect(marks);
  const contents = drawn.map((page) => ({ page, content: writePage(page, writer) }));
  writer.fonts.write(resources);
  const pages = objects.reserve();
  const { resources: shared, space } = writer;
  const leaves = contents.map(({ page, content }) =>
    objects.add(
      `<< /Type /Page /Parent ${pages} 0 R ${boxesOf(page)}${linksOf(page, objects)} /Group << /S /Transparency /CS ${space} >> /Resources ${shared} /Contents ${content} 0 R >>`,
    ),
  );
  const kids = leaves.map((leaf) => `${leaf} 0 R`).join(' ');
  objects.put(pages, `<< /Type /Pages /Kids [${kids}] /Count ${leaves.length} >>`);
  const intent = inks
    ? ` /OutputIntents [${outputIntent(inks.condition, objects.add(pdfStream('/N 4 /Filter /FlateDecode', deflateSync(inks.condition.profile))))}]`
    : '';
  objects.put(catalog, `<< /Type /Catalog /Pages ${pages} 0 R${intent} >>`);
  return objects.write({ catalog, info: objects.add('<< /Producer (Atelier) >>') });
}

/** Units of a page, and units per px of its canvas. */
function scaleOf({ width, height, dpi, bleed }: DrawingPage): { unit: number; scale: number } {
  const longest = (Math.max(width + 2 * bleed, height + 2 * bleed) * POINTS_PER_INCH) / dpi;
  const unit = Math.max(1, Math.ceil(longest / PAGE_UNITS_MAX));
  return { unit, scale: POINTS_PER_INCH / dpi / unit };
}

/** @returns the object number of its stream */
function writePage(page: DrawingPage, writer: ContentWriter): number {
  const { width, height, bleed, background, marks } = page;
  const { scale } = scaleOf(page);
  const ground: Mark[] =
    background[3] > 0
      ? [
          {
            kind: 'fill',
            outlines: [
              [-bleed, -bleed, width + bleed, -bleed, width + bleed, height + bleed, -bleed, height + bleed],
            ],
            color: background,
          },
        ]
      : [];
  const start = [scale, 0, 0, -scale, bleed * scale, (height + bleed) * scale].map(exact).join(' ');
  const area = { left: -bleed, top: -bleed, width: width + 2 * bleed, height: height + 2 * bleed };
  return writer.page(`${start} cm\n`, [...ground, ...marks], area);
}

/** The links of a page as annotations. ISO 32000-1, 12.5.6.5 and 12.6.4.7 */
function linksOf(page: DrawingPage, objects: PdfObjects): string {
  const { scale } = scaleOf(page);
  const { height, bleed } = page;
  const start: Affine = [scale, 0, 0, -scale, bleed * scale, (height + bleed) * scale];
  const links = placedLinks(page.marks, start).map(({ address, corners }) => {
    const [across, down] = [0, 1].map((at) => corners.map((corner) => corner[at]!)) as [number[], number[]];
    const rect = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
    const uri = address.replace(/[()\\]/g, '\\$&');
    return objects.add(
      `<< /Type /Annot /Subtype /Link /Rect [${rect.map(points).join(' ')}] /Border [0 0 0] /A << /S /URI /URI (${uri}) >> >>`,
    );
  });
  return links.length > 0 ? ` /Annots [${links.map((link) => `${link} 0 R`).join(' ')}]` : '';
}

/** Links of marks, including those in groups, with their position on the page. */
function placedLinks(
  marks: readonly Mark[],
  matrix: Affine,
): { address: string; corners: (readonly [number, number])[] }[] {
  const [a, b, c, d, e, f] = matrix;
  return marks.flatMap((mark) => {
    if (mark.kind === 'group')
      return placedLinks(mark.marks, mark.matrix ? combine(matrix, mark.matrix) : matrix);
    if (mark.kind !== 'link') return [];
    const { left, top, width, height } = mark.part;
    const corners = [left, left + width].flatMap((x) =>
      [top, top + height].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
    );
    return [{ address: mark.address, corners }];
  });
}

function boxesOf(page: DrawingPage): string {
  const { unit, scale } = scaleOf(page);
  const [across, down] = [page.width + 2 * page.bleed, page.height + 2 * page.bleed];
  const boxOf = (inset: number) =>
    `[${[inset, inset, across - inset, down - inset].map((value) => points(value * scale)).join(' ')}]`;
  const userUnit = unit > 1 ? ` /UserUnit ${unit}` : '';
  return `/MediaBox ${boxOf(0)} /BleedBox ${boxOf(0)} /TrimBox ${boxOf(page.bleed)}${userUnit}`;
}

/** Writes marks as content streams that share one resource dictionary. */
class ContentWriter {
  readonly fonts: PdfFonts;
  readonly #objects: PdfObjects;
  readonly #resources: number;
  readonly #named = new Map<string, string>();
  /** Names by digest: documents on a sheet share images. */
  readonly #images = new Map<string, string>();
  /** Visible area of the page, in px. */
  #area: Part = { left: 0, top: 0, width: 0, height: 0 };

  readonly #inks: PageInks | undefined;

  constructor(objects: PdfObjects, inks: PageInks | undefined) {
    this.#objects = objects;
    this.#inks = inks;
    this.#resources = objects.reserve();
    this.fonts = new PdfFonts(objects);
  }

  /** Registers the characters of each glyph before the first line is written. */
  collect(marks: readonly Mark[]): void {
    for (const mark of marks)
      if (mark.kind === 'line') this.fonts.note(mark.glyphs);
      else if (mark.kind === 'group') this.collect(mark.marks);
  }

  /** Colour space for blending. */
  get space(): string {
    return this.#inks ? '/DeviceCMYK' : '/DeviceRGB';
  }

  /** Completes the resources. */
  get resources(): string {
    const of = (kind: string) =>
      [...this.#named]
        .filter(([name]) => name.startsWith(kind))
        .map(([name, value]) => `/${name} ${value}`)
        .join(' ');
    this.#objects.put(
      this.#resources,
      `<< /ExtGState << ${of('S')} >> /XObject << ${of('X')} >> /Font << ${this.fonts.entries} >> >>`,
    );
    return `${this.#resources} 0 R`;
  }

  /** @returns the object number of the stream */
  page(start: string, marks: readonly Mark[], area: Part): number {
    this.#area = area;
    return this.#content(start, marks);
  }

  #content(start: string, marks: readonly Mark[], entries = ''): number {
    const text = latin1(start + marks.map((mark) => this.#mark(mark)).join(''));
    return this.#objects.add(pdfStream(`${entries} /Filter /FlateDecode`, deflateSync(text)));
  }

  #name(kind: 'S' | 'X', value: string): string {
    for (const [name, known] of this.#named) if (known === value && name.startsWith(kind)) return name;
    const name = `${kind}${this.#named.size}`;
    this.#named.set(name, value);
    return name;
  }

  #state(entries: string): string {
    return `/${this.#name('S', `<< ${entries} >>`)} gs `;
  }

  #mark(mark: Mark): string {
    if (mark.kind === 'fill') {
      const { outlines, color } = mark;
      return outlines.length === 0 ? '' : `q ${this.#paint(color)}${pathOf(outlines)}f Q\n`;
    }
    if (mark.kind === 'line') return this.#line(mark);
    if (mark.kind === 'link') return '';
    return mark.kind === 'group' ? this.#group(mark) : this.#image(mark);
  }

  #paint(color: Rgba): string {
    const [red, green, blue, alpha] = color;
    const clear = alpha < 1 ? this.#state(`/ca ${exact(alpha)}`) : '';
    return this.#inks
      ? `${clear}${inksOf(color, this.#inks.drawn).map(exact).join(' ')} k `
      : `${clear}${[red, green, blue].map(exact).join(' ')} rg `;
  }

  #image({ image, place: [a, b, c, d, e, f], clip }: ImageMark): string {
    const digest = digestOf(image);
    const known = this.#images.get(digest) ?? this.#name('X', `${this.#imageObject(image)} 0 R`);
    this.#images.set(digest, known);
    const clipped = clip ? `${pathOf(clip)}W n ` : '';
    // PDF images have their origin at the lower edge.
    const matrix = [a, b, -c, -d, e + c, f + d].map(exact).join(' ');
    return `q ${clipped}${matrix} cm /${known} Do Q\n`;
  }

  #imageObject({ width, height, kind, file, opacity }: CodedImage): number {
    const mask =
      opacity && this.#objects.add(pdfImage({ width, height, channels: 1, file: opacity, kind: 'png' }));
    const channels = kind === 'inks' ? 4 : 3;
    return this.#objects.add(
      pdfImage({ width, height, channels, file, kind }, mask ? ` /SMask ${mask} 0 R` : ''),
    );
  }

  #group({ marks, matrix, clip, opacity, blend }: GroupMark): string {
    const { left, top, width, height } = this.#area;
    const inner = clip ? `${pathOf(clip)}W n\n` : '';
    const box = clip ? boundsOf(clip) : [left, top, left + width, top + height];
    const form = this.#content(
      inner,
      marks,
      `/Type /XObject /Subtype /Form /BBox [${box.map(exact).join(' ')}] /Group << /S /Transparency /CS ${this.space} /I true >> /Resources ${this.#resources} 0 R`,
    );
    const state = this.#state(`/ca ${exact(opacity)} /BM /${blendName(blend)}`);
    const moved = matrix ? `${matrix.map(exact).join(' ')} cm ` : '';
    return `q ${state}${moved}/${this.#name('X', `${form} 0 R`)} Do Q\n`;
  }

  /**
   * Glyphs with characters are text. Marks and parts of letters are outlines: readers would extract them as separate characters, or as spaces if they
   * are set back.
   */
  #line({ glyphs, place, color }: LineMark): string {
    const [a, b, c, d, e, f] = place;
    const spoken = glyphs.filter(({ text }) => text !== '');
    const runs = this.fonts.shown(spoken).map(({ name, x, y, show }) => {
      const matrix = [a, b, -c, -d, a * x - c * y + e, b * x - d * y + f];
      return `/${name} 1 Tf ${matrix.map(exact).join(' ')} Tm ${show}\n`;
    });
    const parts = glyphs
      .filter(({ text }) => text === '')
      .map(({ font, id, x, y }) => flatten(font.outline(id), combine(place, [1, 0, 0, -1, x, -y])))
      .filter((outline) => outline.length > 0)
      .map((outline) => `${pathOf(outline)}f\n`);
    return `q ${this.#paint(color)}BT ${runs.join('')}ET ${parts.join('')}Q\n`;
  }
}

function digestOf({ kind, width, height, file, opacity = NOTHING }: CodedImage): string {
  const hash = createHash('sha256').update(`${kind} ${width} ${height} ${file.length} `);
  return hash.update(file).update(opacity).digest('base64');
}
const NOTHING = new Uint8Array();

const exact = (value: number): string => String(Math.round(value * 1e6) / 1e6);

function boundsOf(outlines: Outlines): number[] {
  const axis = (at: 0 | 1) => outlines.flat().filter((_, index) => index % 2 === at);
  return [Math.min(...axis(0)), Math.min(...axis(1)), Math.max(...axis(0)), Math.max(...axis(1))];
}

function pathOf(outlines: Outlines): string {
  const lines: string[] = [];
  for (const outline of outlines) {
    for (let at = 0; at < outline.length; at += 2)
      lines.push(`${points(outline[at]!)} ${points(outline[at + 1]!)} ${at === 0 ? 'm' : 'l'}`);
    lines.push('h');
  }
  return `${lines.join(' ')} `;
}
