import * as hb from 'harfbuzzjs';
import { divideByAlpha, openResvg } from '../decoders/svg.ts';
import type { DecoderResources } from '../decoders/types.ts';
import type { Region } from '../drawing/layer.ts';
import { type Affine, transform } from '../drawing/outline.ts';
import type { Font } from './font.ts';

/** A multicoloured glyph on the canvas. */
export interface ColorGlyph {
  readonly font: Font;
  readonly id: number;
  /** Maps font units, y upwards, to px of the canvas. */
  readonly place: Affine;
  /** Corners of its bounding box on the canvas: x, y, x, y … */
  readonly corners: number[];
}

/** Margin around the em box: emoji extend slightly beyond it. */
const MARGIN = 0.15;

export function colorGlyph(
  { font, id }: { font: Font; id: number },
  origin: Affine,
  size: number,
): ColorGlyph {
  const [top, bottom, width] = [font.ascent + MARGIN, -font.descent - MARGIN, 1.4];
  const scale = size / font.unitsPerEm;
  const [a, b, c, d, e, f] = origin;
  const box = [-MARGIN, -top, width, -top, width, -bottom, -MARGIN, -bottom].map((value) => value * size);
  return {
    font,
    id,
    place: [a * scale, b * scale, -c * scale, -d * scale, e, f],
    corners: transform([box], origin)[0]!,
  };
}

/** Renders colour glyphs (COLR version 1) to a region. @returns RGBA, not premultiplied */
export async function paintColorGlyphs(
  glyphs: readonly ColorGlyph[],
  { left, top, width, height }: Region,
  resources: Pick<DecoderResources, 'readModule'>,
): Promise<Uint8Array> {
  const { Resvg } = await openResvg(resources);
  const drawn = new Map<Font, Map<number, number>>();
  const definitions: string[] = [];
  const uses = glyphs.map(({ font, id, place: [a, b, c, d, e, f] }) => {
    const ofFont = drawn.get(font) ?? new Map<number, number>();
    drawn.set(font, ofFont);
    let number = ofFont.get(id);
    if (number === undefined) {
      number = definitions.length;
      ofFont.set(id, number);
      const { defs, body } = glyphSvg(font, id, `g${number}`);
      definitions.push(`${defs}<g id="g${number}">${body}</g>`);
    }
    return `<use href="#g${number}" transform="matrix(${[a, b, c, d, e - left, f - top].join(' ')})"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${definitions.join('')}</defs>${uses.join('')}</svg>`;
  const drawing = new Resvg(svg);
  try {
    const image = drawing.render();
    const pixels = divideByAlpha(image.pixels);
    image.free();
    return pixels;
  } finally {
    drawing.free();
  }
}

/** A transform or clip on the paint stack. */
type Frame = { readonly matrix: string } | { readonly path: string } | { readonly isBox: true };

const BLENDS: ReadonlyMap<number, string> = new Map([
  [hb.PaintCompositeMode.MULTIPLY, 'multiply'],
  [hb.PaintCompositeMode.SCREEN, 'screen'],
  [hb.PaintCompositeMode.OVERLAY, 'overlay'],
  [hb.PaintCompositeMode.DARKEN, 'darken'],
  [hb.PaintCompositeMode.LIGHTEN, 'lighten'],
  [hb.PaintCompositeMode.HARD_LIGHT, 'hard-light'],
  [hb.PaintCompositeMode.SOFT_LIGHT, 'soft-light'],
  [hb.PaintCompositeMode.DIFFERENCE, 'difference'],
  [hb.PaintCompositeMode.EXCLUSION, 'exclusion'],
]);
const SPREADS = ['pad', 'repeat', 'reflect'];
/** A path that covers any glyph, in font units. */
const EVERYTHING = 'M-4000-4000H8000V8000H-4000Z';

/** Converts HarfBuzz's paint callbacks for a glyph to SVG in font units. */
class GlyphPainter {
  readonly #prefix: string;
  readonly #frames: Frame[] = [];
  readonly #groups: string[][] = [];
  readonly #defs: string[] = [];
  #body: string[] = [];

  /** @param prefix of the ids, unique in the drawing */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get svg(): { defs: string; body: string } {
    return { defs: this.#defs.join(''), body: this.#body.join('') };
  }

  push(frame: Frame): void {
    this.#frames.push(frame);
  }

  pop(): void {
    this.#frames.pop();
  }

  /** Fills the innermost clip, transformed by the frames outside it; transforms inside it apply to the paint. */
  fill(paint: (transform: string) => string): void {
    const inner: string[] = [];
    for (let at = this.#frames.length - 1; at >= 0; at -= 1) {
      const frame = this.#frames[at]!;
      if ('matrix' in frame) inner.unshift(frame.matrix);
      if (!('path' in frame)) continue;
      const outer = this.#frames.slice(0, at).flatMap((one) => ('matrix' in one ? [one.matrix] : []));
      const moved = outer.length > 0 ? ` transform="${outer.join(' ')}"` : '';
      this.#body.push(`<path d="${frame.path}"${moved} ${paint(inner.join(' '))}/>`);
      return;
    }
    this.#body.push(`<path d="${EVERYTHING}" ${paint('')}/>`);
  }

  gradient(kind: 'linear' | 'radial', place: string, line: hb.ColorLine): void {
    const id = `${this.#prefix}p${this.#defs.length}`;
    const stops = line.colorStops
      .toSorted((one, other) => one.offset - other.offset)
      .map(
        ({ offset, color }) =>
          `<stop offset="${offset}" stop-color="${hexOf(color)}" stop-opacity="${color.alpha / 255}"/>`,
      );
    this.fill((moved) => {
      const transformed = moved === '' ? '' : ` gradientTransform="${moved}"`;
      const spread = SPREADS[line.extend];
      this.#defs.push(
        `<${kind}Gradient id="${id}" gradientUnits="userSpaceOnUse" ${place} spreadMethod="${spread}"${transformed}>${stops.join('')}</${kind}Gradient>`,
      );
      return `fill="url(#${id})"`;
    });
  }

  openGroup(): void {
    this.#groups.push(this.#body);
    this.#body = [];
  }

  closeGroup(mode: number): void {
    const inner = this.#body.join('');
    const below = this.#groups.pop() ?? [];
    const { SRC_IN, DEST_IN } = hb.PaintCompositeMode;
    if (mode === SRC_IN || mode === DEST_IN) {
      const [shape, paint] = mode === SRC_IN ? [below.join(''), inner] : [inner, below.join('')];
      const id = `${this.#prefix}m${this.#defs.length}`;
      this.#defs.push(
        `<mask id="${id}" mask-type="alpha" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="-4000" y="-4000" width="12000" height="12000">${shape}</mask>`,
      );
      this.#body = [`<g mask="url(#${id})">${paint}</g>`];
      return;
    }
    const blend = BLENDS.get(mode);
    this.#body = [...below, blend ? `<g style="mix-blend-mode:${blend}">${inner}</g>` : inner];
  }
}

const hexOf = ({ red, green, blue }: hb.Color): string =>
  `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;

let painter: GlyphPainter;
let functions: hb.PaintFuncs | undefined;

function glyphSvg({ handle }: Font, glyph: number, prefix: string): { defs: string; body: string } {
  functions ??= paintFunctions();
  painter = new GlyphPainter(prefix);
  handle.paintGlyph(glyph, functions);
  return painter.svg;
}

/** Callbacks cannot be released, so one set serves all glyphs. */
function paintFunctions(): hb.PaintFuncs {
  const paint = new hb.PaintFuncs();
  paint.setPushTransformFunc((xx, yx, xy, yy, dx, dy) =>
    painter.push({ matrix: `matrix(${[xx, yx, xy, yy, dx, dy].join(' ')})` }),
  );
  paint.setPopTransformFunc(() => painter.pop());
  paint.setPushClipGlyphFunc((glyph, font) => painter.push({ path: font.glyphToPath(glyph) }));
  paint.setPushClipRectangleFunc(() => painter.push({ isBox: true }));
  paint.setPopClipFunc(() => painter.pop());
  paint.setColorFunc((_, color) =>
    painter.fill(() => `fill="${hexOf(color)}" fill-opacity="${color.alpha / 255}"`),
  );
  paint.setLinearGradientFunc((line, x0, y0, x1, y1, x2, y2) => {
    // Colours are perpendicular to the line from point 0 to point 2: point 1 is projected onto its normal.
    const [nx, ny] = [y0 - y2, x2 - x0];
    const share = ((x1 - x0) * nx + (y1 - y0) * ny) / (nx * nx + ny * ny || 1);
    painter.gradient('linear', `x1="${x0}" y1="${y0}" x2="${x0 + nx * share}" y2="${y0 + ny * share}"`, line);
  });
  paint.setRadialGradientFunc((line, x0, y0, r0, x1, y1, r1) =>
    painter.gradient('radial', `fx="${x0}" fy="${y0}" fr="${r0}" cx="${x1}" cy="${y1}" r="${r1}"`, line),
  );
  paint.setSweepGradientFunc(({ colorStops: [first] }) => {
    if (first) painter.fill(() => `fill="${hexOf(first.color)}"`);
  });
  paint.setPushGroupFunc(() => painter.openGroup());
  paint.setPopGroupFunc((mode) => painter.closeGroup(mode));
  return paint;
}
