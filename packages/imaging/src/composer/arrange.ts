import { resolveLength } from '../editor/lengths.ts';
import type { Size } from '../pixels/plane.ts';
import type { Part } from '../resample/resample.ts';
import type { Layout } from './layers.ts';

/** The cell of a layer, and below it that of its caption. */
export interface Cell {
  readonly box: Part;
  readonly caption?: Part;
}

/** Height of captions relative to the shorter side of the area, with limits in px. */
const CAPTION = { share: 0.035, least: 14, most: 72 } as const;
const GAP_DEFAULT = '2%';

/**
 * Computes cells for layers in reading order.
 * @param aspects width to height of each layer; undefined if it has none
 */
export function arrange(
  layout: Layout,
  aspects: readonly (number | undefined)[],
  area: Size & { readonly dpi: number },
): Cell[] {
  const shorter = Math.min(area.width, area.height);
  const px = (length: Layout['gap']) =>
    Math.max(0, resolveLength(length ?? GAP_DEFAULT, { whole: shorter, dpi: area.dpi }));
  const [gap, padding] = [px(layout.gap), px(layout.padding ?? layout.gap)];
  const caption =
    layout.captions || layout.numbers
      ? Math.round(Math.min(CAPTION.most, Math.max(CAPTION.least, CAPTION.share * shorter)))
      : 0;
  const columns = columnsOf(layout, aspects.length, area);
  const inner = {
    left: padding,
    top: padding,
    width: Math.max(1, area.width - 2 * padding),
    height: Math.max(1, area.height - 2 * padding),
  };
  return layout.type === 'masonry'
    ? masonry(aspects, { columns, gap, caption, inner })
    : grid(aspects.length, { columns, gap, caption, inner });
}

function columnsOf({ type, columns }: Layout, count: number, { width, height }: Size): number {
  if (type === 'row') return count;
  if (type === 'column') return 1;
  return Math.min(count, columns ?? Math.max(1, Math.round(Math.sqrt((count * width) / height))));
}

interface Space {
  readonly columns: number;
  readonly gap: number;
  readonly caption: number;
  readonly inner: Part;
}

function grid(count: number, { columns, gap, caption, inner }: Space): Cell[] {
  const rows = Math.ceil(count / columns);
  const width = (inner.width - gap * (columns - 1)) / columns;
  const height = (inner.height - gap * (rows - 1)) / rows;
  return Array.from({ length: count }, (_, at) => {
    const left = inner.left + (at % columns) * (width + gap);
    const top = inner.top + Math.floor(at / columns) * (height + gap);
    return cellOf({ left, top, width, height }, caption);
  });
}

/** Adds each layer to the shortest column, then scales each column to fill the height. */
function masonry(aspects: readonly (number | undefined)[], { columns, gap, caption, inner }: Space): Cell[] {
  const width = (inner.width - gap * (columns - 1)) / columns;
  const filled: { readonly at: number; readonly height: number }[][] = Array.from(
    { length: columns },
    () => [],
  );
  const heightOf = (column: readonly { height: number }[]) =>
    column.reduce((sum, { height }) => sum + height + gap, 0);
  for (const [at, aspect = 1] of aspects.entries()) {
    const shortest = filled.reduce((best, column) => (heightOf(column) < heightOf(best) ? column : best));
    shortest.push({ at, height: width / aspect + caption });
  }
  const cells: Cell[] = [];
  for (const [column, entries] of filled.entries()) {
    const natural = entries.reduce((sum, { height }) => sum + height, 0);
    const scale = (inner.height - gap * (entries.length - 1)) / natural;
    let top = inner.top;
    for (const { at, height } of entries) {
      cells[at] = cellOf(
        { left: inner.left + column * (width + gap), top, width, height: height * scale },
        caption,
      );
      top += height * scale + gap;
    }
  }
  return cells;
}

function cellOf({ left, top, width, height }: Part, caption: number): Cell {
  if (caption === 0) return { box: { left, top, width, height } };
  const picture = Math.max(1, height - caption * 1.3);
  return {
    box: { left, top, width, height: picture },
    caption: { left, top: top + picture + caption * 0.1, width, height: caption * 1.2 },
  };
}
