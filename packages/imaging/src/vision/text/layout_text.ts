import type { Size } from '../../pixels/plane.ts';
import type { TextLine } from './text_line.ts';

/** Lines that belong together: rows from top to bottom, the lines of a row from left to right. */
export interface Paragraph {
  readonly rows: readonly (readonly TextLine[])[];
  /** 1 and 2 are larger than ordinary text. */
  readonly heading: 0 | 1 | 2;
}

/**
 * Criteria that distinguish columns of text from tables: lines in each, median line width in heights, and the gap between columns in line heights.
 */
const COLUMN_LINES_MIN = 3;
const COLUMN_RATIO_MIN = 8;
const COLUMN_GAP_MIN = 1;
/** Lines of one paragraph: maximum gap in line heights, and ratio of their heights. */
const PARAGRAPH_GAP_MAX = 0.9;
const PARAGRAPH_RATIO_MAX = 1.35;
/** Height of headings relative to the median line. */
const HEADING_RATIOS = [2, 1.45] as const;
/** Deeper splits no longer change the order. */
const DEPTH_MAX = 40;

/** Lines in reading order, by columns and rows (recursive XY-cut), in paragraphs. @param size of the image as shown, in pixels */
export function layoutText(lines: readonly TextLine[], size: Size): Paragraph[] {
  const items = lines.map(
    (line): Item => ({
      line,
      left: line.x * size.width,
      right: (line.x + line.width) * size.width,
      top: line.y * size.height,
      bottom: (line.y + line.height) * size.height,
    }),
  );
  const height = median(items.map(heightOf));
  const paragraphs: Item[][][] = [];
  for (const row of inOrder(items, height, DEPTH_MAX)) {
    const last = paragraphs.at(-1);
    if (last && isNextRow(last.at(-1)!, row)) last.push(row);
    else paragraphs.push([row]);
  }
  return paragraphs.map((rows) => ({
    rows: rows.map((row) => row.map(({ line }) => line)),
    heading: headingOf(median(rows.flat().map(heightOf)) / height, rows.length),
  }));
}

interface Item {
  readonly line: TextLine;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Size across the text: a vertical line is higher than wide. */
const heightOf = ({ left, right, top, bottom }: Item): number => Math.min(right - left, bottom - top);

function inOrder(items: readonly Item[], height: number, depth: number): Item[][] {
  if (items.length < 2) return items.length === 0 ? [] : [[...items]];
  const columns = gapsOf(items, 'left', 'right').filter(({ size }) => size >= COLUMN_GAP_MIN * height);
  for (const { at } of columns) {
    const [before, after] = split(items, 'left', at);
    if (depth > 0 && [before, after].every(isColumn))
      return [...inOrder(before, height, depth - 1), ...inOrder(after, height, depth - 1)];
  }
  const [widest] = gapsOf(items, 'top', 'bottom').toSorted((one, other) => other.size - one.size);
  if (!widest || depth === 0) return rowsOf(items);
  const [above, below] = split(items, 'top', widest.at);
  return [...inOrder(above, height, depth - 1), ...inOrder(below, height, depth - 1)];
}

function isColumn(items: readonly Item[]): boolean {
  const ratios = items.map((item) => (item.right - item.left) / heightOf(item));
  return items.length >= COLUMN_LINES_MIN && median(ratios) >= COLUMN_RATIO_MIN;
}

/** Empty ranges between the first item and the last. */
function gapsOf(
  items: readonly Item[],
  from: 'left' | 'top',
  to: 'right' | 'bottom',
): { at: number; size: number }[] {
  const gaps: { at: number; size: number }[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const item of items.toSorted((one, other) => one[from] - other[from])) {
    if (item[from] > end) gaps.push({ at: (item[from] + end) / 2, size: item[from] - end });
    end = Math.max(end === Number.POSITIVE_INFINITY ? item[to] : end, item[to]);
  }
  return gaps;
}

const split = (items: readonly Item[], from: 'left' | 'top', at: number): [Item[], Item[]] => [
  items.filter((item) => item[from] < at),
  items.filter((item) => item[from] >= at),
];

/** Groups lines whose centres are within half a line of each other. */
function rowsOf(items: readonly Item[]): Item[][] {
  const rows: Item[][] = [];
  const middle = ({ top, bottom }: Item) => (top + bottom) / 2;
  for (const item of items.toSorted((one, other) => middle(one) - middle(other))) {
    const first = rows.at(-1)?.[0];
    if (first && middle(item) - middle(first) < Math.min(heightOf(first), heightOf(item)) / 2)
      rows.at(-1)!.push(item);
    else rows.push([item]);
  }
  return rows.map((row) => row.toSorted((one, other) => one.left - other.left));
}

function isNextRow(above: readonly Item[], below: readonly Item[]): boolean {
  const [one, other] = [above[0]!, below[0]!];
  const height = Math.min(heightOf(one), heightOf(other));
  const gap = Math.min(...below.map(({ top }) => top)) - Math.max(...above.map(({ bottom }) => bottom));
  const isSimilar = Math.max(heightOf(one), heightOf(other)) <= PARAGRAPH_RATIO_MAX * height;
  return (
    isSimilar &&
    gap <= PARAGRAPH_GAP_MAX * height &&
    one.left < other.right &&
    other.left < one.right &&
    gap > -height
  );
}

function headingOf(ratio: number, rows: number): Paragraph['heading'] {
  if (rows > 3) return 0;
  if (ratio >= HEADING_RATIOS[0]) return 1;
  return ratio >= HEADING_RATIOS[1] ? 2 : 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
