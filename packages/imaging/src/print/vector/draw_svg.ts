import { parseCssColor } from '../../color/css_color.ts';
import type { XmlElement } from '../../metadata/xmp/parse_xml.ts';
import { IDENTITY, type Matrix, multiply } from '../../preflight/content/matrix.ts';
import { flateStream } from '../../preflight/convert/flate_stream.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import type { PressColors } from '../../preflight/convert/press_colors.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';
import {
  Name,
  type PdfDictionary,
  type PdfStream,
  type PdfValue,
  type Reference,
} from '../../preflight/pdf/values.ts';
import { matrixText, parseMatrix } from './affine.ts';
import { RasterisationRequired } from './live_art.ts';
import type { SpotColor } from './spots.ts';
import { attribute, type SvgDrawing } from './svg_drawing.ts';
import { readGradient } from './svg_gradient.ts';
import { imageMatrix, imageObject } from './svg_image.ts';
import { type PathBox, pathOperators } from './svg_path.ts';

/** Inherited state: matrix from local to form coordinates, and spot colour. */
interface State {
  readonly matrix: Matrix;
  readonly spot: SpotColor | undefined;
}

type ResourceKind = 'ExtGState' | 'Pattern' | 'XObject' | 'ColorSpace';

/** Technical inks are drawn last. */
type Pass = 'art' | 'technical';

/** Bounding box of a group, which may extend as far as its paths. */
const UNBOUNDED: PdfValue[] = [-32_000, -32_000, 32_000, 32_000];
const BLENDS = /mix-blend-mode:\s*([a-z-]+)/;

/** A drawing as form XObjects in inks, in its own size, with the origin at the lower left. */
export interface SvgForms {
  readonly art: PdfStream;
  /** Content in technical inks. Absent if there is none. */
  readonly technical?: PdfStream;
  readonly spots: readonly string[];
}

/**
 * Converts a simplified SVG to live paths. Colours become inks, neutral colours black only; spot colours keep their own
 * plate.
 * @throws RasterisationRequired for filters, masks and patterns, which are not converted to live PDF objects
 */
export async function drawSvg(
  drawing: SvgDrawing,
  context: { colors: PressColors; made: NewDocument },
): Promise<SvgForms> {
  const writer = new SvgWriter(drawing, context);
  const art = await writer.form('art');
  const hasTechnical = [...drawing.spots.values()].some(({ isTechnical }) => isTechnical);
  const technical = hasTechnical ? await writer.form('technical') : undefined;
  writer.finish();
  return { art, ...(technical && { technical }), spots: writer.spotNames };
}

class SvgWriter {
  readonly #drawing: SvgDrawing;
  readonly #colors: PressColors;
  readonly #made: NewDocument;
  /** Resources shared by all forms. */
  readonly #shared: Reference;
  readonly #resources: Record<ResourceKind, PdfDictionary> = {
    ExtGState: new Map(),
    Pattern: new Map(),
    XObject: new Map(),
    ColorSpace: new Map(),
  };
  readonly #spots = new Map<string, string>();
  readonly #states = new Map<string, string>();
  #pass: Pass = 'art';

  constructor(drawing: SvgDrawing, { colors, made }: { colors: PressColors; made: NewDocument }) {
    this.#drawing = drawing;
    this.#colors = colors;
    this.#made = made;
    this.#shared = made.reserve();
  }

  get spotNames(): string[] {
    return [...this.#spots.keys()];
  }

  async form(pass: Pass): Promise<PdfStream> {
    this.#pass = pass;
    const { root, width, height } = this.#drawing;
    const base = viewMatrix(root, { width, height });
    const content = await this.#children(root, { matrix: base, spot: undefined });
    return this.#formOf(`${matrixText(base)} cm\n${content}`, [0, 0, width, height]);
  }

  finish(): void {
    this.#made.set(this.#shared, new Map(Object.entries(this.#resources)));
  }

  #formOf(content: string, box: PdfValue[], more: readonly (readonly [string, PdfValue])[] = []): PdfStream {
    return flateStream(
      new Map<string, PdfValue>([
        ['Type', new Name('XObject')],
        ['Subtype', new Name('Form')],
        ['BBox', box],
        ['Resources', this.#shared],
        ...more,
      ]),
      Buffer.from(content, 'latin1'),
    );
  }

  #add(kind: ResourceKind, value: PdfValue): string {
    const entries = this.#resources[kind];
    const name = `${kind.slice(0, 2)}${entries.size}`;
    entries.set(name, value);
    return name;
  }

  async #children(element: XmlElement, state: State): Promise<string> {
    const pieces: string[] = [];
    for (const child of element.children) pieces.push(await this.#element(child, state));
    return pieces.join('');
  }

  async #element(element: XmlElement, outer: State): Promise<string> {
    if (!/^(g|path|image)$/.test(element.name)) return '';
    const own = parseMatrix(attribute(element, 'transform'));
    const state = {
      matrix: multiply(own, outer.matrix),
      spot: this.#drawing.spots.get(attribute(element, 'id') ?? '') ?? outer.spot,
    };
    rejectUnsupported(element);
    const inside = await this.#inside(element, state);
    if (inside === '') return '';
    const clip = this.#clipOf(element);
    const before = `q ${own === IDENTITY ? '' : `${matrixText(own)} cm `}${clip}`;
    return `${before}${inside}Q\n`;
  }

  async #inside(element: XmlElement, state: State): Promise<string> {
    if (element.name === 'path') return this.#isInPass(state.spot) ? this.#path(element, state) : '';
    if (element.name === 'image') return this.#isInPass(state.spot) ? this.#image(element) : '';
    const opacity = Number(attribute(element, 'opacity') ?? 1);
    const blend = BLENDS.exec(attribute(element, 'style') ?? '')?.[1] ?? 'normal';
    if (opacity >= 1 && blend === 'normal') return this.#children(element, state);
    // A transparency group: its elements are composited with each other first, then with the backdrop.
    const content = await this.#children(element, { ...state, matrix: IDENTITY });
    if (content === '') return '';
    const group = new Map<string, PdfValue>([
      ['S', new Name('Transparency')],
      ['CS', new Name('DeviceCMYK')],
    ]);
    const form = this.#add('XObject', this.#made.add(this.#formOf(content, UNBOUNDED, [['Group', group]])));
    return `/${this.#state({ ca: opacity, CA: opacity, BM: new Name(blendName(blend)) })} gs /${form} Do `;
  }

  #isInPass(spot: SpotColor | undefined): boolean {
    return (spot?.isTechnical ?? false) === (this.#pass === 'technical');
  }

  /** Adds a graphics state. Equal states share one resource. */
  #state(entries: Record<string, PdfValue>): string {
    const key = JSON.stringify(entries);
    const known = this.#states.get(key);
    if (known) return known;
    const name = this.#add('ExtGState', new Map(Object.entries(entries)));
    this.#states.set(key, name);
    return name;
  }

  #path(element: XmlElement, state: State): string {
    const { operators, box } = pathOperators(attribute(element, 'd') ?? '');
    if (operators === '') return '';
    const [fill, stroke] = [attribute(element, 'fill') ?? '#000', attribute(element, 'stroke') ?? 'none'];
    const isEvenOdd = attribute(element, 'fill-rule') === 'evenodd';
    const pieces: string[] = [];
    if (fill !== 'none') {
      const opacity = Number(attribute(element, 'fill-opacity') ?? 1);
      pieces.push(
        `q ${this.#paint(fill, { state, box, opacity, isStroke: false })}${operators} ${isEvenOdd ? 'f*' : 'f'} Q\n`,
      );
    }
    if (stroke !== 'none') {
      const opacity = Number(attribute(element, 'stroke-opacity') ?? 1);
      pieces.push(
        `q ${this.#paint(stroke, { state, box, opacity, isStroke: true })}${strokeSettings(element)}${operators} S Q\n`,
      );
    }
    return pieces.join('');
  }

  /** Returns the operators that set the fill or stroke colour. */
  #paint(
    paint: string,
    { state, box, opacity, isStroke }: { state: State; box: PathBox; opacity: number; isStroke: boolean },
  ): string {
    const transparent = opacity < 1 ? `/${this.#state({ ca: opacity, CA: opacity })} gs ` : '';
    if (state.spot) return `${transparent}${this.#spot(state.spot, { paint, isStroke })}`;
    const id = /^url\(#(.+)\)$/.exec(paint)?.[1];
    if (id === undefined) {
      const rgb = parseCssColor(paint) ?? [0, 0, 0];
      const inks = this.#colors.inksOf(rgb.slice(0, 3)).map(writeNumber).join(' ');
      return `${transparent}${inks} ${isStroke ? 'K' : 'k'} `;
    }
    const element = this.#drawing.byId.get(id);
    if (!element || !/Gradient$/.test(element.name)) throw new RasterisationRequired('it has patterns');
    const gradient = readGradient(element, box, { colors: this.#colors, made: this.#made });
    const pattern = this.#add(
      'Pattern',
      new Map<string, PdfValue>([
        ['PatternType', 2],
        ['Shading', gradient.shading],
        ['Matrix', [...multiply(gradient.matrix, state.matrix)]],
      ]),
    );
    const mask = gradient.opacity ? `/${this.#fading(gradient.opacity, gradient.matrix)} gs ` : '';
    return `${transparent}${mask}/Pattern ${isStroke ? 'CS' : 'cs'} /${pattern} ${isStroke ? 'SCN' : 'scn'} `;
  }

  /** Adds a soft mask for the opacity of a gradient. ISO 32000-1, 11.6.5.2 */
  #fading(shading: PdfDictionary, matrix: Matrix): string {
    const group = new Map<string, PdfValue>([
      ['S', new Name('Transparency')],
      ['CS', new Name('DeviceGray')],
    ]);
    const form = flateStream(
      new Map<string, PdfValue>([
        ['Type', new Name('XObject')],
        ['Subtype', new Name('Form')],
        ['BBox', UNBOUNDED],
        ['Group', group],
        ['Resources', new Map([['Shading', new Map([['Fade', shading as PdfValue]])]])],
      ]),
      Buffer.from(`${matrixText(matrix)} cm /Fade sh`, 'latin1'),
    );
    const mask = new Map<string, PdfValue>([
      ['S', new Name('Luminosity')],
      ['G', this.#made.add(form)],
    ]);
    return this.#add('ExtGState', new Map<string, PdfValue>([['SMask', mask]]));
  }

  #spot(spot: SpotColor, { paint, isStroke }: { paint: string; isStroke: boolean }): string {
    const known = this.#spots.get(spot.name);
    const name = known ?? this.#add('ColorSpace', this.#separation(spot, paint));
    this.#spots.set(spot.name, name);
    const overprint = spot.overprints ? `/${this.#state({ OP: true, op: true, OPM: 1 })} gs ` : '';
    return `${overprint}/${name} ${isStroke ? 'CS 1 SCN' : 'cs 1 scn'} `;
  }

  /**
   * Separation colour space. Alternate colour: magenta for cut contours, nothing for white, otherwise the colour in the
   * drawing.
   */
  #separation({ name }: SpotColor, paint: string): PdfValue {
    const own = this.#colors.inksOf((parseCssColor(paint) ?? [0, 0, 0]).slice(0, 3));
    const alternate = name === 'CutContour' ? [0, 1, 0, 0] : name === 'White' ? [0, 0, 0, 0] : own;
    const tint = new Map<string, PdfValue>([
      ['FunctionType', 2],
      ['Domain', [0, 1]],
      ['C0', [0, 0, 0, 0]],
      ['C1', [...alternate]],
      ['N', 1],
    ]);
    return [new Name('Separation'), new Name(name), new Name('DeviceCMYK'), tint];
  }

  #clipOf(element: XmlElement): string {
    const id = /^url\(#(.+)\)$/.exec(attribute(element, 'clip-path') ?? '')?.[1];
    if (id === undefined) return '';
    const clip = this.#drawing.byId.get(id);
    if (!clip) return '';
    if (attribute(clip, 'clipPathUnits') === 'objectBoundingBox')
      throw new RasterisationRequired('a clip path uses objectBoundingBox units');
    const inner = this.#clipOf(clip);
    const own = parseMatrix(attribute(clip, 'transform'));
    const paths = clip.children.flatMap((child) => (child.name === 'g' ? child.children : [child]));
    if (
      paths.some(
        ({ name, attributes }) => name !== 'path' || attributes.some((one) => one.name === 'clip-path'),
      )
    )
      throw new RasterisationRequired('a clip path has a clip path itself');
    const pieces = paths.map((path) => {
      const matrix = multiply(parseMatrix(attribute(path, 'transform')), own);
      return pathOperators(attribute(path, 'd') ?? '', matrix).operators;
    });
    const isEvenOdd = paths.length === 1 && attribute(paths[0]!, 'clip-rule') === 'evenodd';
    // A clip without paths clips everything.
    const operators = pieces.filter(Boolean).join('\n') || '0 0 0 0 re';
    return `${inner}${operators} ${isEvenOdd ? 'W*' : 'W'} n\n`;
  }

  async #image(element: XmlElement): Promise<string> {
    const image = await imageObject(element, { colors: this.#colors, made: this.#made });
    const name = this.#add('XObject', image.reference);
    return `q ${matrixText(imageMatrix(element, image))} cm /${name} Do Q\n`;
  }
}

function rejectUnsupported(element: XmlElement): void {
  if (attribute(element, 'filter') !== undefined) throw new RasterisationRequired('it has filters');
  if (attribute(element, 'mask') !== undefined) throw new RasterisationRequired('it has masks');
}

const blendName = (blend: string): string =>
  blend.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

const CAPS: Readonly<Record<string, number>> = { butt: 0, round: 1, square: 2 };
const JOINS: Readonly<Record<string, number>> = { miter: 0, round: 1, bevel: 2 };

/** Line width, caps, joins and dashes of a stroke. */
function strokeSettings(element: XmlElement): string {
  const width = Number(attribute(element, 'stroke-width') ?? 1);
  const [cap, join] = [attribute(element, 'stroke-linecap'), attribute(element, 'stroke-linejoin')];
  const limit = Number(attribute(element, 'stroke-miterlimit') ?? 4);
  const dashes = (attribute(element, 'stroke-dasharray') ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const offset = Number(attribute(element, 'stroke-dashoffset') ?? 0);
  const dash = dashes.length > 0 ? `[${dashes.map(writeNumber).join(' ')}] ${writeNumber(offset)} d ` : '';
  return `${writeNumber(width)} w ${CAPS[cap ?? ''] ?? 0} J ${JOINS[join ?? ''] ?? 0} j ${writeNumber(limit)} M ${dash}`;
}

/** From the view box to the size of the drawing. Flips the y axis, because SVG coordinates start at the top. */
function viewMatrix(root: XmlElement, { width, height }: { width: number; height: number }): Matrix {
  const [left = 0, top = 0, across = width, down = height] = (attribute(root, 'viewBox') ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const how = attribute(root, 'preserveAspectRatio') ?? 'xMidYMid meet';
  const [toX, toY] = [width / across, height / down];
  const scale = how.includes('slice') ? Math.max(toX, toY) : Math.min(toX, toY);
  const [scaleX, scaleY] = how.startsWith('none') ? [toX, toY] : [scale, scale];
  const share = (letter: 'x' | 'Y') =>
    how.includes(`${letter}Min`) ? 0 : how.includes(`${letter}Max`) ? 1 : 0.5;
  const x = share('x') * (width - across * scaleX) - left * scaleX;
  const y = share('Y') * (height - down * scaleY) - top * scaleY;
  return [scaleX, 0, 0, -scaleY, x, height - y];
}
