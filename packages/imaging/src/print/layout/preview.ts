import { openPicture } from '../../codecs/open_picture.ts';
import { sharp } from '../../codecs/sharp.ts';
import type { Size } from '../../pixels/plane.ts';
import { flattenCurve } from '../../vectorize/curve.ts';
import type { Curve } from '../../vectorize/fit_curve.ts';
import { PAGE_PREVIEW_SIDE_PX } from '../limits.ts';
import { placedMatrix, transformCurve } from './piece.ts';
import type { Line, PagePlan, Rect } from './types.ts';

/** Maximum pages in the preview. */
export const PAGES_SHOWN_MAX = 12;
const GUTTER_PX = 8;
const QUALITY = 80;
const BACKGROUND = { r: 226, g: 226, b: 226 };
const BLACK = [0, 0, 0] as const;
const MAGENTA = [230, 0, 126] as const;
const PLACEHOLDER = { r: 200, g: 200, b: 200 };

/** Appearance of a piece with its bleed. */
export interface PiecePreview {
  /** WebP of trim and bleed. Absent if the piece was not measured; it is then shown in grey. */
  readonly picture?: Uint8Array | undefined;
  /** In millimetres from the lower left corner of the trim. */
  readonly curves: readonly Curve[];
}

/** Renders the first pages of a layout as one preview image. */
export async function layoutPreview(
  pages: readonly PagePlan[],
  contents: PreviewContent,
): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const shown = pages.slice(0, PAGES_SHOWN_MAX);
  const { paper } = shown[0]!;
  const columns = columnsFor(shown.length, paper);
  const rows = Math.ceil(shown.length / columns);
  const scale = Math.min(
    (PAGE_PREVIEW_SIDE_PX - (columns - 1) * GUTTER_PX) / (columns * paper.width),
    (PAGE_PREVIEW_SIDE_PX - (rows - 1) * GUTTER_PX) / (rows * paper.height),
  );
  const cell = {
    width: Math.max(8, Math.round(paper.width * scale)),
    height: Math.max(8, Math.round(paper.height * scale)),
  };
  const size = {
    width: columns * cell.width + (columns - 1) * GUTTER_PX,
    height: rows * cell.height + (rows - 1) * GUTTER_PX,
  };
  const drawn = [];
  for (const [at, page] of shown.entries())
    drawn.push({
      input: await pagePixels(page, cell, { ...contents, scale }),
      raw: { ...cell, channels: 3 as const },
      left: (at % columns) * (cell.width + GUTTER_PX),
      top: Math.floor(at / columns) * (cell.height + GUTTER_PX),
    });
  const sheet = sharp({ create: { ...size, channels: 3, background: BACKGROUND } }).composite(drawn);
  return { bytes: await sheet.webp({ quality: QUALITY }).toBuffer(), ...size };
}

/** Number of columns for a roughly square preview. */
const columnsFor = (count: number, { width, height }: Size): number =>
  Math.min(count, Math.max(1, Math.round(Math.sqrt((count * height) / width))));

interface PageRendering extends PreviewContent {
  readonly scale: number;
}

/** Content of the pages. */
interface PreviewContent {
  readonly previews: readonly PiecePreview[];
  readonly sizeMm: Size;
  readonly bleedMm: number;
  /** Paper colour of the printing condition, in sRGB. */
  readonly paper: { readonly r: number; readonly g: number; readonly b: number };
}

async function pagePixels(page: PagePlan, cell: Size, rendering: PageRendering): Promise<Buffer> {
  const { previews, sizeMm, bleedMm, scale } = rendering;
  const across = (sizeMm.width + 2 * bleedMm) * scale;
  const down = (sizeMm.height + 2 * bleedMm) * scale;
  const pieces = [];
  for (const { piece, x, y, isTurned, clip } of page.placed) {
    const [width, height] = isTurned ? [down, across] : [across, down];
    const box = { left: x - bleedMm, top: y + height / scale - bleedMm };
    const place = boundsOf(clip, page.paper, { scale, cell });
    if (!place) continue;
    const look = previews[piece]?.picture;
    const whole = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
    const opened = look
      ? openPicture(look).rotate(isTurned ? 270 : 0)
      : sharp({ create: { ...whole, channels: 3, background: PLACEHOLDER } });
    const full = await opened
      .resize({ ...whole, fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer();
    const left = place.left - Math.round(box.left * scale);
    const top = place.top - Math.round((page.paper.height - box.top) * scale);
    const part = {
      left: Math.max(0, Math.min(whole.width - 1, left)),
      top: Math.max(0, Math.min(whole.height - 1, top)),
    };
    const size = {
      width: Math.min(place.width, whole.width - part.left),
      height: Math.min(place.height, whole.height - part.top),
    };
    const input = await sharp(full, { raw: { ...whole, channels: 3 } })
      .extract({ ...part, ...size })
      .removeAlpha()
      .raw()
      .toBuffer();
    pieces.push({ input, raw: { ...size, channels: 3 as const }, left: place.left, top: place.top });
  }
  const pixels = await sharp({ create: { ...cell, channels: 3, background: rendering.paper } })
    .composite(pieces)
    .removeAlpha()
    .raw()
    .toBuffer();
  const pen = penOn(pixels, cell, page.paper.height, scale);
  // Labels are omitted: they would be unreadable.
  for (const line of [...page.marks, ...page.dashes]) pen(line, BLACK);
  for (const one of page.placed) {
    const matrix = placedMatrix(one, sizeMm.height);
    for (const curve of previews[one.piece]?.curves ?? [])
      for (const line of linesOf(transformCurve(curve, matrix))) pen(line, MAGENTA);
  }
  return pixels;
}

/** Returns the pixel rectangle of a clip on the page. Undefined if it is empty. */
function boundsOf(clip: Rect, paper: Size, { scale, cell }: { scale: number; cell: Size }) {
  const [left, right] = [Math.round(clip.left * scale), Math.round(clip.right * scale)].map((x) =>
    Math.min(cell.width, Math.max(0, x)),
  ) as [number, number];
  const [top, bottom] = [paper.height - clip.top, paper.height - clip.bottom].map((y) =>
    Math.min(cell.height, Math.max(0, Math.round(y * scale))),
  ) as [number, number];
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : undefined;
}

function linesOf(curve: Curve): Line[] {
  const points = flattenCurve(curve);
  return Array.from(
    { length: points.length / 2 - 1 },
    (_, at): Line => [points[2 * at]!, points[2 * at + 1]!, points[2 * at + 2]!, points[2 * at + 3]!],
  );
}

/** Draws lines one pixel wide. Page coordinates start at the bottom, image coordinates at the top. */
function penOn(pixels: Buffer, { width, height }: Size, paperHeight: number, scale: number) {
  return ([x1, y1, x2, y2]: Line, color: readonly [number, number, number]): void => {
    const steps = Math.max(1, Math.ceil(2 * scale * Math.hypot(x2 - x1, y2 - y1)));
    for (let step = 0; step <= steps; step += 1) {
      const share = step / steps;
      const column = Math.floor((x1 + share * (x2 - x1)) * scale);
      const row = Math.floor((paperHeight - y1 - share * (y2 - y1)) * scale);
      if (column < 0 || column >= width || row < 0 || row >= height) continue;
      pixels.set(color, 3 * (row * width + column));
    }
  };
}
