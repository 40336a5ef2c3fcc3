import { sharp } from '../../codecs/sharp.ts';
import type { Mark } from '../content/mark.ts';
import {
  type Box,
  corners,
  type Matrix,
  multiply,
  type Point,
  scaleOf,
  transformPoint,
} from '../content/matrix.ts';
import { DRAWING_SIDE_PX, DRAWINGS_MAX, PLACES_MARKED_MAX } from '../limits.ts';
import { approximateRgb } from '../pdf/inks.ts';
import type { ImageInspection } from '../pdf/inspect_image.ts';
import { mediaOf, type PdfPage, toMillimetres } from '../pdf/pages.ts';
import type { PageShapes } from '../preflight_page.ts';
import type { Finding, PageDrawing } from '../types.ts';

type Rgb = readonly [number, number, number];

/** Work limit of one drawing: polygon edges times rows, filled rows, and single pixels. */
const WORK_MAX = 40_000_000;
/** Pixels of a row filled per work unit. */
const PIXELS_PER_STEP = 16;

/** RGBA pixels, from the upper left corner. */
class Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** The same pixels, one number each. */
  readonly #colors: Uint32Array;
  #work = WORK_MAX;

  constructor(width: number, height: number, color: Rgb) {
    this.width = width;
    this.height = height;
    this.#colors = new Uint32Array(width * height).fill(toPixel(color));
    this.pixels = new Uint8Array(this.#colors.buffer);
  }

  /** Fills a rectangle, both edges included, clipped to the raster. Does nothing once the work limit is reached. */
  rectangle(left: number, top: number, right: number, bottom: number, color: Rgb): void {
    const [x1, x2] = [Math.max(0, Math.round(left)), Math.min(this.width - 1, Math.round(right))];
    const [y1, y2] = [Math.max(0, Math.round(top)), Math.min(this.height - 1, Math.round(bottom))];
    if (!(x1 <= x2 && y1 <= y2)) return;
    if (!this.affords((y2 - y1 + 1) * (2 + (x2 - x1) / PIXELS_PER_STEP))) return;
    const filled = toPixel(color);
    for (let y = y1; y <= y2; y += 1) this.#colors.fill(filled, y * this.width + x1, y * this.width + x2 + 1);
  }

  /** Draws a frame; dashes are 6 pixels with gaps of 4. */
  frame(
    [left, top, right, bottom]: readonly [number, number, number, number],
    color: Rgb,
    { width = 1, isDashed = false } = {},
  ): void {
    const shown = (at: number) => !isDashed || at % 10 < 6;
    for (let ring = 0; ring < width; ring += 1) {
      const [x1, y1, x2, y2] = [left - ring, top - ring, right + ring, bottom + ring].map(Math.round) as Four;
      for (let x = Math.max(0, x1); x <= Math.min(this.width - 1, x2); x += 1)
        if (shown(x)) for (const y of [y1, y2]) this.dot(x, y, color);
      for (let y = Math.max(0, y1); y <= Math.min(this.height - 1, y2); y += 1)
        if (shown(y)) for (const x of [x1, x2]) this.dot(x, y, color);
    }
  }

  /** Fills polygons by the even-odd rule, sampled at row centres. */
  polygon(paths: readonly (readonly Point[])[], color: Rgb): void {
    const edges = paths.flatMap((path) =>
      path.map((point, index) => [point, path[(index + 1) % path.length]!] as const),
    );
    const heights = edges.flatMap(([[, y]]) => (Number.isFinite(y) ? [y] : []));
    const first = Math.max(0, Math.floor(Math.min(...heights)));
    const last = Math.min(this.height - 1, Math.ceil(Math.max(...heights)));
    if (!this.affords(edges.length * Math.max(0, last - first))) return;
    for (let row = first; row <= last; row += 1) {
      const y = row + 0.5;
      const crossings = edges
        .filter(([[, y1], [, y2]]) => y1 <= y !== y2 <= y)
        .map(([[x1, y1], [x2, y2]]) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
        .sort((one, other) => one - other);
      for (let at = 0; at + 1 < crossings.length; at += 2) {
        const [from, to] = [crossings[at]!, Math.max(crossings[at + 1]! - 0.5, crossings[at]!)];
        this.rectangle(from, row, to, row, color);
      }
    }
  }

  /** Charges work. False once the limit of the drawing is reached. */
  affords(work: number): boolean {
    this.#work -= work;
    return this.#work >= 0;
  }

  dot(x: number, y: number, color: Rgb): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.#colors[y * this.width + x] = toPixel(color);
  }

  /** Draws a number in white 3 × 5 cell digits on a coloured label. `left` and `top` are its upper left corner. */
  label(number: number, left: number, top: number, color: Rgb): void {
    const text = String(number);
    const [width, height] = [text.length * 4 * CELL + CELL, 7 * CELL];
    const x = Math.min(Math.max(0, Math.round(left)), this.width - width);
    const y = Math.min(Math.max(0, Math.round(top)), this.height - height);
    this.rectangle(x, y, x + width - 1, y + height - 1, color);
    for (const [place, digit] of [...text].entries())
      for (let cell = 0; cell < 15; cell += 1) {
        if (DIGITS[Number(digit)]![cell] !== '#') continue;
        const [dx, dy] = [x + CELL * (1 + 4 * place + (cell % 3)), y + CELL * (1 + Math.floor(cell / 3))];
        this.rectangle(dx, dy, dx + CELL - 1, dy + CELL - 1, [255, 255, 255]);
      }
  }
}

/** Opaque colour in the byte order RGBA of little-endian machines, which all supported platforms are. */
const toPixel = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

type Four = [number, number, number, number];
const CELL = 2;
/** Digit bitmaps: rows of three cells, from the top. */
const DIGITS = [
  '####.##.##.####',
  '.#.##..#..#.###',
  '###..#####..###',
  '###..####..####',
  '#.##.####..#..#',
  '####..###..####',
  '####..####.####',
  '###..#..#..#..#',
  '####.#####.####',
  '####.####..####',
];

const [PAPER, BACKGROUND, TRIM, BLEED, GREY] = [
  [255, 255, 255],
  [222, 222, 226],
  [30, 120, 60],
  [60, 110, 200],
  [190, 190, 190],
] as const satisfies readonly Rgb[];
const SEVERITY_COLORS: Readonly<Record<Finding['severity'], Rgb>> = {
  error: [205, 20, 30],
  warning: [215, 120, 0],
  info: [90, 90, 160],
};
const BORDER_PX = 12;

type Inspections = ReadonlyMap<string, ImageInspection | undefined>;

/**
 * Draws schematic pages with their boxes, areas, lines, text as bars, thumbnails of images and the numbered locations
 * of findings. Colours are approximate; overprint, blending and non-rectangular clips are ignored.
 * @returns the findings with their numbers in the drawings
 */
export async function drawPages(
  findings: readonly Finding[],
  pages: readonly PageShapes[],
  looks: Inspections,
): Promise<{ reported: Finding[]; drawings: PageDrawing[] }> {
  const isPlaced = (finding: Finding, { number }: PdfPage) =>
    finding.page === number && finding.box_mm !== undefined;
  const withFindings = pages.filter(({ page }) => findings.some((finding) => isPlaced(finding, page)));
  const drawn = (withFindings.length > 0 ? withFindings : pages.slice(0, 1)).slice(0, DRAWINGS_MAX);
  const numbers = new Map<Finding, number>();
  for (const { page } of drawn) {
    const placed = findings.filter((finding) => isPlaced(finding, page)).slice(0, PLACES_MARKED_MAX);
    for (const [index, finding] of placed.entries()) numbers.set(finding, index + 1);
  }
  const drawings: PageDrawing[] = [];
  for (const shapes of drawn) {
    const places = [...numbers].filter(([{ page }]) => page === shapes.page.number);
    drawings.push(await drawPage(shapes, places, looks));
  }
  const reported = findings.map((finding) => {
    const mark = numbers.get(finding);
    return mark === undefined ? finding : { ...finding, mark };
  });
  return { reported, drawings };
}

async function drawPage(
  { page, marks }: PageShapes,
  places: readonly (readonly [Finding, number])[],
  looks: Inspections,
): Promise<PageDrawing> {
  const toMm = toMillimetres(page);
  const size = boxOn(toMm, mediaOf(page));
  const scale = (DRAWING_SIDE_PX - 2 * BORDER_PX) / Math.max(size[2], size[3], 0.001);
  const toPixels = multiply(toMm, [scale, 0, 0, scale, BORDER_PX, BORDER_PX]);
  const width = Math.max(40, Math.round(size[2] * scale) + 2 * BORDER_PX);
  const height = Math.max(40, Math.round(size[3] * scale) + 2 * BORDER_PX);
  const raster = new Raster(width, height, BACKGROUND);
  const media = boxOn(toPixels, mediaOf(page));
  raster.rectangle(...media, PAPER);
  const pointPx = scaleOf(toPixels) / page.userUnit;
  for (const mark of marks) drawMark(raster, mark, { toPixels, pointPx, looks });
  raster.frame(media, GREY);
  if (page.bleed) raster.frame(boxOn(toPixels, page.bleed), BLEED, { isDashed: true });
  if (page.trim ?? page.art)
    raster.frame(boxOn(toPixels, (page.trim ?? page.art)!), TRIM, { isDashed: true });
  for (const [{ box_mm: box, severity }, number] of places.toReversed()) {
    const [left, top] = [BORDER_PX + box!.left * scale, BORDER_PX + box!.top * scale];
    const [right, bottom] = [left + box!.width * scale, top + box!.height * scale];
    raster.frame([left - 1, top - 1, right + 1, bottom + 1], SEVERITY_COLORS[severity], { width: 2 });
    raster.label(number, left, top - 14, SEVERITY_COLORS[severity]);
  }
  const bytes = await sharp(raster.pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ palette: true })
    .toBuffer();
  return { page: page.number, bytes, width, height };
}

/** Left, top, right and bottom after the transformation. */
function boxOn(matrix: Matrix, box: Box): [number, number, number, number] {
  const points = corners(matrix, box);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

interface Drawing {
  readonly toPixels: Matrix;
  /** Pixels per point. */
  readonly pointPx: number;
  readonly looks: Inspections;
}

function drawMark(raster: Raster, mark: Mark, { toPixels, pointPx, looks }: Drawing): void {
  if (mark.isInvisible) return;
  const color = mark.paint.values.length > 0 ? approximateRgb(mark.paint.space, mark.paint.values) : GREY;
  const paths = (mark.outline ?? []).map((path) => path.map(([x, y]) => transformPoint(toPixels, x, y)));
  const clip = boxOn(toPixels, mark.box);
  if (mark.kind === 'image') drawImage(raster, mark, { toPixels, looks });
  else if (mark.kind === 'text') raster.polygon([clipPath(paths[0] ?? [], clip)], lighter(color));
  else if (mark.kind === 'stroke')
    drawLines(raster, paths, { color, width: (mark.lineWidth ?? 0) * pointPx });
  else if (paths.length > 0)
    raster.polygon(
      paths.map((path) => clipPath(path, clip)),
      color,
    );
  else raster.rectangle(...clip, lighter(color));
}

/** Moves points outside a clip to its edge. */
const clipPath = (
  path: readonly Point[],
  [left, top, right, bottom]: readonly [number, number, number, number],
): Point[] => path.map(([x, y]) => [Math.min(right, Math.max(left, x)), Math.min(bottom, Math.max(top, y))]);

const lighter = (color: Rgb): Rgb => color.map((value) => Math.round(value / 2 + 105)) as unknown as Rgb;

const STEPS_MAX = 4000;

function drawLines(
  raster: Raster,
  paths: readonly (readonly Point[])[],
  { color, width }: { color: Rgb; width: number },
): void {
  const half = Math.min(20, Math.max(0, width / 2 - 0.5));
  for (const path of paths)
    for (const [index, [x1, y1]] of path.entries()) {
      const [x2, y2] = path[index + 1] ?? path[index]!;
      const steps = Math.min(STEPS_MAX, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1))));
      if (!raster.affords(steps * (2 * half + 1) ** 2)) return;
      for (let step = 0; step <= steps; step += 1) {
        const share = step / Math.max(1, steps);
        const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
        raster.rectangle(x - half, y - half, x + half, y + half, color);
      }
    }
}

/**
 * Draws the thumbnail of an image, or a grey frame if its pixels were not read. Maps each drawing pixel back to the
 * image.
 */
function drawImage(raster: Raster, mark: Mark, { toPixels, looks }: Omit<Drawing, 'pointPx'>): void {
  const thumb = looks.get(mark.image!.key)?.thumb;
  const [left, top, right, bottom] = boxOn(toPixels, mark.box);
  const [a, b, c, d, e, f] = multiply(mark.matrix!, toPixels);
  const area = a * d - b * c;
  const seen = Math.min(raster.width, right - left) * Math.min(raster.height, bottom - top);
  if (!thumb || mark.image!.isStencil || Math.abs(area) < 1e-9 || !raster.affords(seen)) {
    raster.rectangle(left, top, right, bottom, [235, 235, 240]);
    raster.frame([left, top, right, bottom], GREY);
    return;
  }
  const stop = { x: Math.min(raster.width - 1, right), y: Math.min(raster.height - 1, bottom) };
  for (let y = Math.max(0, Math.round(top)); y <= stop.y; y += 1)
    for (let x = Math.max(0, Math.round(left)); x <= stop.x; x += 1) {
      const u = (d * (x + 0.5 - e) - c * (y + 0.5 - f)) / area;
      const v = (a * (y + 0.5 - f) - b * (x + 0.5 - e)) / area;
      if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
      const at =
        3 * (Math.floor((1 - v) * 0.9999 * thumb.height) * thumb.width + Math.floor(u * thumb.width));
      raster.dot(x, y, [thumb.rgb[at]!, thumb.rgb[at + 1]!, thumb.rgb[at + 2]!]);
    }
}
