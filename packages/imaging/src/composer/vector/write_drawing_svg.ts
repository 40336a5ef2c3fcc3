import type { Rgba } from '../../color/css_color.ts';
import type { Affine, Outlines } from '../../drawing/outline.ts';
import type { Font } from '../../typography/font.ts';
import type { DrawingPage, GroupMark, LineMark, LinkMark, Mark } from './marks.ts';

const MM_PER_INCH = 25.4;
const CSS_DPI = 96;

/**
 * Writes an SVG with text as outlines, so that it looks the same in browsers and in renderers that load no fonts (resvg, Inkscape and others ignore
 * @font-face). Each glyph is defined once; the text is in `aria-label`.
 */
export function writeDrawingSvg(page: DrawingPage): Buffer {
  const { width, height, dpi, background, marks } = page;
  const writer = new SvgWriter();
  const body = writer.marks(marks);
  const ground = background[3] > 0 ? `<rect width="${width}" height="${height}"${fillOf(background)}/>` : '';
  const [across, down] = [width, height].map((side) => sizeOf(side, dpi));
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" viewBox="0 0 ${width} ${height}">${writer.definitions}${ground}${body}</svg>\n`,
  );
}

/** In px at the CSS resolution, otherwise in mm. */
const sizeOf = (side: number, dpi: number): string =>
  dpi === CSS_DPI ? `${side}` : `${short((side * MM_PER_INCH) / dpi)}mm`;

const inXml = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`);

const linkOf = ({ address, part: { left, top, width, height } }: LinkMark): string =>
  `<a href="${inXml(address)}"><rect x="${short(left)}" y="${short(top)}" width="${short(width)}" height="${short(height)}" fill="none" pointer-events="all"/></a>`;

class SvgWriter {
  readonly #glyphs = new Map<Font, Map<number, string>>();
  readonly #defs: string[] = [];
  #clips = 0;

  get definitions(): string {
    return this.#defs.length > 0 ? `<defs>${this.#defs.join('')}</defs>` : '';
  }

  marks(marks: readonly Mark[]): string {
    return marks.map((mark) => this.#mark(mark)).join('');
  }

  #mark(mark: Mark): string {
    if (mark.kind === 'fill') {
      const crisp = mark.isCrisp ? ' shape-rendering="crispEdges"' : '';
      return mark.outlines.length === 0
        ? ''
        : `<path d="${pathOf(mark.outlines)}"${fillOf(mark.color)}${crisp}/>`;
    }
    if (mark.kind === 'line') return this.#line(mark);
    if (mark.kind === 'link') return linkOf(mark);
    if (mark.kind === 'group') return this.#group(mark);
    const { image, place, clip } = mark;
    const data = Buffer.from(image.file).toString('base64');
    const drawn = `<image width="1" height="1" preserveAspectRatio="none" transform="${matrixOf(place)}" href="data:image/${image.kind};base64,${data}"/>`;
    return clip ? `<g${this.#clip(clip)}>${drawn}</g>` : drawn;
  }

  #line({ text, glyphs, place, color }: LineMark): string {
    const uses = glyphs.map(({ font, id, x, y }) => {
      const name = this.#glyph(font, id);
      return name && `<use href="#${name}" x="${short(x)}" y="${short(-y)}"/>`;
    });
    const label = inXml(text.replace(NOT_IN_XML, ''));
    return `<g role="img" aria-label="${label}" transform="${matrixOf(place)}"${fillOf(color)}>${uses.join('')}</g>`;
  }

  /** Id of an outline in em; empty for glyphs without one. */
  #glyph(font: Font, id: number): string {
    const known = this.#glyphs.get(font) ?? new Map<number, string>();
    this.#glyphs.set(font, known);
    const name = known.get(id);
    if (name !== undefined) return name;
    const commands = font.outline(id);
    const made = commands.length > 0 ? `g${this.#defs.length}` : '';
    known.set(id, made);
    if (made === '') return made;
    const path = commands
      .map(
        ({ type, values }) =>
          type + values.map((value, at) => short(at % 2 === 0 ? value : -value)).join(' '),
      )
      .join('');
    this.#defs.push(`<path id="${made}" d="${path}"/>`);
    return made;
  }

  #group({ marks, matrix, clip, opacity, blend }: GroupMark): string {
    const moved = matrix ? ` transform="${matrixOf(matrix)}"` : '';
    const clear = opacity < 1 ? ` opacity="${short(opacity)}"` : '';
    const style = blend === 'normal' ? 'isolation:isolate' : `mix-blend-mode:${blend}`;
    const inner = this.marks(marks);
    const clipped = clip ? `<g${this.#clip(clip)}>${inner}</g>` : inner;
    return `<g${moved}${clear} style="${style}">${clipped}</g>`;
  }

  #clip(outlines: Outlines): string {
    this.#clips += 1;
    this.#defs.push(`<clipPath id="c${this.#clips}"><path d="${pathOf(outlines)}"/></clipPath>`);
    return ` clip-path="url(#c${this.#clips})"`;
  }
}

/** Characters that XML 1.0 excludes, and unpaired surrogates. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const short = (value: number): string => String(Math.round(value * 1e4) / 1e4);
const matrixOf = (affine: Affine): string => `matrix(${affine.map(short).join(' ')})`;

function pathOf(outlines: Outlines): string {
  const to = (value: number) => String(Math.round(value * 100) / 100);
  return outlines.map((points) => `M${points.map(to).join(' ')}Z`).join('');
}

function fillOf([red, green, blue, alpha]: Rgba): string {
  const hex = [red, green, blue]
    .map((value) =>
      Math.round(255 * value)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
  return ` fill="#${hex}"${alpha < 1 ? ` fill-opacity="${short(alpha)}"` : ''}`;
}
