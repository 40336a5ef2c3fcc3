import { sharp } from '../codecs/sharp.ts';
import { applyLink, type ColorLink } from '../color/color_link.ts';
import { PAGE_PREVIEW_SIDE_PX } from './limits.ts';
import { pageBoxes } from './page_boxes.ts';
import { pageMarks } from './page_marks.ts';
import type { SheetPlan } from './plan_sheet.ts';

export interface PagePreview {
  /** WebP in sRGB. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const QUALITY = 80;
const INKS = 4;

/**
 * A small picture of the page of a PDF, from the very inks that go into it: each of its pixels is the mean of those it stands for, seen
 * on the paper of the press. Around the sheet the paper, and the marks that are drawn there; they are thinner than a pixel, so they
 * are shown as wide as one.
 * @param proof from inks to how they look on that paper
 */
export function pagePreview(plan: SheetPlan, hasMarks: boolean, proof: ColorLink) {
  const { sheet } = plan;
  const boxes = pageBoxes(plan, hasMarks);
  const { media, bleed } = boxes;
  const sheetPixelsAPoint = sheet.width / bleed.width;
  const longest = Math.max(media.width, media.height);
  /** Pixels of the preview for a point of the page. */
  const scale = Math.min(sheetPixelsAPoint, PAGE_PREVIEW_SIDE_PX / longest);
  const place = (points: number) => Math.round(points * scale);
  const [width, height] = [Math.max(1, place(media.width)), Math.max(1, place(media.height))];
  const [left, top] = [place(bleed.x), place(bleed.y)];
  const across = Math.max(1, Math.min(width - left, place(bleed.x + bleed.width) - left));
  const down = Math.max(1, Math.min(height - top, place(bleed.y + bleed.height) - top));
  const columns = Int32Array.from({ length: sheet.width }, (_, x) => Math.floor((x * across) / sheet.width));
  const sums = new Float32Array(INKS * across * down);
  const counts = new Uint32Array(across * down);
  return {
    /** Four inks a pixel of a row of the sheet. */
    row(inks: Uint8ClampedArray, row: number): void {
      const start = across * Math.floor((row * down) / sheet.height);
      for (let x = 0, from = 0; x < sheet.width; x += 1, from += INKS) {
        const pixel = start + columns[x]!;
        const to = INKS * pixel;
        sums[to]! += inks[from]!;
        sums[to + 1]! += inks[from + 1]!;
        sums[to + 2]! += inks[from + 2]!;
        sums[to + 3]! += inks[from + 3]!;
        counts[pixel]! += 1;
      }
    },
    async finish(): Promise<PagePreview> {
      const page = new Uint8ClampedArray(INKS * width * height);
      for (let pixel = 0; pixel < across * down; pixel += 1) {
        const to = INKS * ((top + Math.floor(pixel / across)) * width + left + (pixel % across));
        for (let ink = 0; ink < INKS; ink += 1)
          page[to + ink] = sums[INKS * pixel + ink]! / Math.max(1, counts[pixel]!);
      }
      if (hasMarks) drawMarks(page, { width, height }, pageMarks(plan, boxes), scale);
      const data = Buffer.from(applyLink(proof, page).buffer);
      const picture = sharp(data, { raw: { width, height, channels: 3 } });
      return { bytes: await picture.webp({ quality: QUALITY }).toBuffer(), width, height };
    },
  };
}

/** In all four inks. The page is told from below, the picture from above. */
function drawMarks(
  page: Uint8ClampedArray,
  { width, height }: { width: number; height: number },
  { lines, circles }: ReturnType<typeof pageMarks>,
  scale: number,
): void {
  const dot = (x: number, y: number): void => {
    const [column, row] = [Math.floor(x * scale), height - 1 - Math.floor(y * scale)];
    if (column < 0 || column >= width || row < 0 || row >= height) return;
    const at = INKS * (row * width + column);
    page.fill(255, at, at + INKS);
  };
  const along = (length: number, draw: (share: number) => void): void => {
    const steps = Math.max(1, Math.ceil(2 * length * scale));
    for (let step = 0; step <= steps; step += 1) draw(step / steps);
  };
  for (const [x1, y1, x2, y2] of lines)
    along(Math.hypot(x2 - x1, y2 - y1), (share) => dot(x1 + share * (x2 - x1), y1 + share * (y2 - y1)));
  for (const { x, y, radius } of circles)
    along(2 * Math.PI * radius, (share) => {
      const angle = 2 * Math.PI * share;
      dot(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    });
}
