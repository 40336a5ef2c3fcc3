import { GRAY } from '../pdf/color_space.ts';
import type { PdfImage } from '../pdf/images.ts';
import { COST, type WorkBudget } from '../work_budget.ts';
import type { Mark, Paint, State } from './mark.ts';
import {
  type Box,
  boxAround,
  corners,
  expandBox,
  IDENTITY,
  intersection,
  type Matrix,
  multiply,
  type Point,
  scaleOf,
  transformPoint,
} from './matrix.ts';

const STATES_MAX = 512;
/** Maximum path points kept for the page drawing. */
const POINTS_KEPT_MAX = 300;
const CURVE_STEPS = 4;
const UNIT: Box = { left: 0, bottom: 0, right: 1, top: 1 };
const BLACK: Paint = { space: GRAY, values: [0] };

/** Graphics state (ISO 32000-1, 8.4), current path and text position of a content stream. */
export class Canvas {
  state: State;
  /** Number of `Q` operators without a matching `q`. */
  unbalanced = 0;
  readonly #work: WorkBudget;
  readonly #unit: number;
  readonly #onMark: (mark: Mark) => void;
  readonly #states: State[] = [];
  #overflow = 0;
  #path: Point[][] = [];
  #pathBox: Box | undefined;
  #points = 0;
  #last: Point = [0, 0];
  #clips = false;
  #textMatrix: Matrix = IDENTITY;
  #lineMatrix: Matrix = IDENTITY;

  /** @param unit points per page unit; matrices and boxes stay in page units, sizes of marks are in points */
  constructor(
    ctm: Matrix,
    clip: Box,
    { work, unit, onMark }: { work: WorkBudget; unit: number; onMark: (mark: Mark) => void },
  ) {
    this.#work = work;
    this.#unit = unit;
    this.#onMark = onMark;
    this.state = {
      ctm,
      clip,
      fill: BLACK,
      stroke: BLACK,
      lineWidth: 1,
      fillAlpha: 1,
      strokeAlpha: 1,
      blend: 'Normal',
      hasSoftMask: false,
      overprintFill: false,
      overprintStroke: false,
      overprintMode: 0,
      font: undefined,
      fontSize: 0,
      characterSpace: 0,
      wordSpace: 0,
      stretch: 1,
      leading: 0,
      rise: 0,
      renderMode: 0,
    };
  }

  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
  }

  save(): void {
    if (this.#states.length < STATES_MAX) this.#states.push(this.state);
    else this.#overflow += 1;
  }

  restore(): void {
    if (this.#overflow > 0) this.#overflow -= 1;
    else if (this.#states.length > 0) this.state = this.#states.pop()!;
    else this.unbalanced += 1;
  }

  get depth(): number {
    return this.#states.length + this.#overflow;
  }

  restoreTo(depth: number): void {
    while (this.depth > depth) this.restore();
  }

  transform(matrix: Matrix): void {
    this.set({ ctm: multiply(matrix, this.state.ctm) });
  }

  clipTo(box: Box): void {
    const found = boxAround(corners(this.state.ctm, box));
    this.set({ clip: (found && intersection(this.state.clip, found)) ?? EMPTY_BOX });
  }

  moveTo(x: number, y: number): void {
    this.#path.push([]);
    this.lineTo(x, y);
  }

  lineTo(x: number, y: number): void {
    const point = transformPoint(this.state.ctm, x, y);
    this.#extendPathBox(point);
    this.#keepPoint(point);
    this.#last = point;
  }

  /**
   * Adds a Bézier curve. Its bounding box is that of its control points; a few points on it are kept for the page
   * drawing.
   * @param first absent: the current point
   */
  curveTo(first: Point | undefined, second: Point, end: Point): void {
    this.#work.spend(COST.curve);
    const { ctm } = this.state;
    const start = this.#last;
    const [one, two, stop] = [
      first ? transformPoint(ctm, ...first) : start,
      transformPoint(ctm, ...second),
      transformPoint(ctm, ...end),
    ];
    for (const point of [one, two]) this.#extendPathBox(point);
    for (let step = 1; step < CURVE_STEPS; step += 1) {
      const t = step / CURVE_STEPS;
      const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      const along = (axis: 0 | 1) => a * start[axis] + b * one[axis] + c * two[axis] + d * stop[axis];
      this.#keepPoint([along(0), along(1)]);
    }
    this.lineTo(...end);
  }

  rectangle(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
  }

  clipAtPathEnd(): void {
    this.#clips = true;
  }

  endPath({ fills = false, strokes = false } = {}): void {
    const box = this.#pathBox;
    const { state } = this;
    const outline = this.#path.filter((points) => points.length > 1);
    if (box && fills) this.#mark({ kind: 'fill', object: 'filled area', ...this.#filled(), outline }, box);
    if (box && strokes) {
      const lineWidth = state.lineWidth * scaleOf(state.ctm);
      this.#mark(
        { kind: 'stroke', object: 'line', ...this.#stroked(), lineWidth: lineWidth * this.#unit, outline },
        expandBox(box, lineWidth / 2),
      );
    }
    if (this.#clips) this.set({ clip: (box && intersection(state.clip, box)) ?? EMPTY_BOX });
    [this.#path, this.#pathBox, this.#points, this.#clips] = [[], undefined, 0, false];
  }

  /** Fills the whole clip area. */
  shade(paint: Paint): void {
    this.#mark({ kind: 'shading', object: 'shading', ...this.#filled(), paint }, this.state.clip);
  }

  image(image: PdfImage, object: string): void {
    const { ctm } = this.state;
    const points = corners(ctm, UNIT);
    const box = boxAround(points);
    if (!box) return;
    const [across, up] = [Math.hypot(ctm[0], ctm[1]), Math.hypot(ctm[2], ctm[3])];
    const dpi = (72 / this.#unit) * Math.min(image.width / across, image.height / up);
    const paint = image.isStencil ? this.state.fill : { space: image.space, values: [] };
    this.#mark(
      { kind: 'image', object, ...this.#filled(), paint, image, matrix: ctm, dpi, outline: [points] },
      box,
    );
  }

  beginText(): void {
    [this.#textMatrix, this.#lineMatrix] = [IDENTITY, IDENTITY];
  }

  moveText(x: number, y: number): void {
    this.setTextMatrix(multiply([1, 0, 0, 1, x, y], this.#lineMatrix));
  }

  setTextMatrix(matrix: Matrix): void {
    [this.#textMatrix, this.#lineMatrix] = [matrix, matrix];
  }

  /** Moves the text position without painting, in thousandths of the font size. */
  kern(thousandths: number): void {
    const { fontSize, stretch } = this.state;
    this.#advance((-thousandths / 1000) * fontSize * stretch);
  }

  /** ISO 32000-1, 9.4.3. The covered area follows from the glyph widths; it reaches from 0.2 em below the baseline to 0.8 em above it. */
  showText(bytes: Uint8Array): void {
    const { font, fontSize, characterSpace, wordSpace, stretch, rise, renderMode, ctm } = this.state;
    this.#work.spend(COST.letter * bytes.length);
    const step = font?.isComposite ? 2 : 1;
    let width = 0;
    for (let at = 0; at < bytes.length; at += step) {
      const code = step === 2 ? (bytes[at]! << 8) | (bytes[at + 1] ?? 0) : bytes[at]!;
      const space = step === 1 && code === 32 ? wordSpace : 0;
      width += (((font?.width(code) ?? 500) / 1000) * fontSize + characterSpace + space) * stretch;
    }
    const place = multiply(this.#textMatrix, ctm);
    const points = corners(place, {
      left: 0,
      right: width,
      bottom: rise - 0.2 * fontSize,
      top: rise + 0.8 * fontSize,
    });
    const box = boxAround(points);
    const mode = renderMode % 4;
    if (box && bytes.length > 0 && renderMode !== 7)
      this.#mark(
        {
          kind: 'text',
          object: `text in ${font?.name ?? 'no font'}`,
          font,
          outline: [points],
          ...(mode === 1 ? this.#stroked() : this.#filled()),
          fontSize: Math.abs(fontSize) * scaleOf(place) * this.#unit,
          isInvisible: mode === 3,
        },
        box,
      );
    this.#advance(width);
  }

  #advance(x: number): void {
    this.#textMatrix = multiply([1, 0, 0, 1, x, 0], this.#textMatrix);
  }

  #keepPoint(point: Point): void {
    if (this.#points >= POINTS_KEPT_MAX) return;
    if (this.#path.length === 0) this.#path.push([]);
    this.#path.at(-1)!.push(point);
    this.#points += 1;
  }

  #extendPathBox([x, y]: Point): void {
    if (!Number.isFinite(x + y)) return;
    const box = this.#pathBox;
    this.#pathBox = box
      ? {
          left: Math.min(box.left, x),
          right: Math.max(box.right, x),
          bottom: Math.min(box.bottom, y),
          top: Math.max(box.top, y),
        }
      : { left: x, right: x, bottom: y, top: y };
  }

  #filled() {
    const { fill, fillAlpha, overprintFill } = this.state;
    return { paint: fill, alpha: fillAlpha, overprint: overprintFill, ...this.#blended() };
  }

  #stroked() {
    const { stroke, strokeAlpha, overprintStroke } = this.state;
    return { paint: stroke, alpha: strokeAlpha, overprint: overprintStroke, ...this.#blended() };
  }

  #blended() {
    const { blend, hasSoftMask, overprintMode } = this.state;
    return { blend, hasSoftMask, overprintMode };
  }

  #mark(mark: Omit<Mark, 'box'>, reached: Box): void {
    const box = intersection(reached, this.state.clip);
    this.#work.spend(box ? COST.mark : 0);
    if (box) this.#onMark({ ...mark, box });
  }
}

const EMPTY_BOX: Box = { left: 1, bottom: 1, right: 0, top: 0 };
