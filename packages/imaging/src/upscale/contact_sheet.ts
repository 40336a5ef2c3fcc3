import { sharp } from '../codecs/sharp.ts';
import type { Raster } from '../pixels/raster.ts';
import { setLine } from '../typography/set_line.ts';
import type { Typeface } from '../typography/typeface.ts';

export interface SheetCell extends Raster {
  readonly label: string;
}

const COLUMNS = 4;
const LABEL_PX = 22;
const GAP_PX = 4;
const TEXT_PX = 16;
const BACKGROUND = { r: 24, g: 24, b: 24 };

/**
 * Arranges images of one subject, each with its label, four per row. All are scaled to the same width by pixel repetition, which adds
 * nothing to an engine's output.
 * @returns a PNG
 */
export async function contactSheet(cells: readonly SheetCell[], typeface: Typeface): Promise<Uint8Array> {
  const [width, height] = [
    Math.max(...cells.map((cell) => cell.width)),
    Math.max(...cells.map((cell) => cell.height)),
  ];
  const columns = Math.min(COLUMNS, cells.length);
  // Columns are at least as wide as the longest label.
  const labels = cells.map(({ label }) => setLine(label, typeface, TEXT_PX));
  const column = Math.max(width, ...labels.map((label) => label.width)) + GAP_PX;
  const row = height + LABEL_PX + GAP_PX;
  const parts = await Promise.all(
    cells.flatMap((cell, index) => {
      const [left, top] = [(index % columns) * column + GAP_PX, Math.floor(index / columns) * row + GAP_PX];
      const label = labels[index]!;
      return [
        sharp(label.data, { raw: { width: label.width, height: label.height, channels: 1 } })
          .png()
          .toBuffer()
          .then((input) => ({ input, left, top, blend: 'lighten' as const })),
        sharp(cell.data, { raw: { width: cell.width, height: cell.height, channels: 3 } })
          .resize(width, height, { kernel: 'nearest', fit: 'fill' })
          .png()
          .toBuffer()
          .then((input) => ({ input, left, top: top + LABEL_PX })),
      ];
    }),
  );
  const rows = Math.ceil(cells.length / columns);
  return sharp({
    create: {
      width: columns * column + GAP_PX,
      height: rows * row + GAP_PX,
      channels: 3,
      background: BACKGROUND,
    },
  })
    .composite(parts)
    .png()
    .toBuffer();
}
