import { type Box, IDENTITY, type Matrix } from '../content/matrix.ts';
import { BOX_COORDINATE_MAX, PAGES_MAX, USER_UNIT_MAX } from '../limits.ts';
import { COST } from '../work_budget.ts';
import type { PdfDocument } from './document.ts';
import { nameOf, type PdfDictionary, PdfStream, type PdfValue, Reference } from './values.ts';

/** A page. Boxes are in page units, normalised. ISO 32000-1, 7.7.3 and 14.11.2 */
export interface PdfPage {
  /** From 1. */
  readonly number: number;
  readonly dictionary: PdfDictionary;
  readonly object: number | undefined;
  readonly resources: PdfDictionary | undefined;
  readonly media: Box | undefined;
  readonly crop: Box | undefined;
  readonly bleed: Box | undefined;
  readonly trim: Box | undefined;
  readonly art: Box | undefined;
  /** Clockwise: 0, 90, 180 or 270. */
  readonly rotate: number;
  readonly userUnit: number;
  /** Names of implausible boxes and units, which are treated as absent. */
  readonly invalid: readonly string[];
}

/** Maximum nodes of the page tree visited. */
const NODES_MAX = 100_000;
const DEPTH_MAX = 64;
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** Reads the first PAGES_MAX pages and counts all. */
export function readPages(document: PdfDocument): { pages: PdfPage[]; count: number } {
  const root = document.dictionary(document.trailer.get('Root'));
  const pages: PdfPage[] = [];
  const seen = new Set<number>();
  let [count, nodes] = [0, 0];
  const walk = (value: PdfValue | undefined, inherited: PdfDictionary, depth: number): void => {
    const number = value instanceof Reference ? value.number : undefined;
    nodes += 1;
    document.work.spend(COST.member);
    if (depth > DEPTH_MAX || nodes > NODES_MAX || (number !== undefined && seen.has(number))) return;
    if (number !== undefined) seen.add(number);
    const dictionary = document.dictionary(value);
    if (!dictionary) return;
    const kids = document.get(dictionary, 'Kids');
    const own: PdfDictionary = new Map(inherited);
    for (const key of INHERITED) if (dictionary.has(key)) own.set(key, dictionary.get(key)!);
    if (Array.isArray(kids) && nameOf(document.get(dictionary, 'Type')) !== 'Page') {
      for (const kid of kids) walk(kid, own, depth + 1);
      return;
    }
    count += 1;
    if (pages.length < PAGES_MAX)
      pages.push(pageOf(document, { dictionary, own, number: count, object: number }));
  };
  walk(root?.get('Pages'), new Map(), 0);
  return { pages, count };
}

function pageOf(
  document: PdfDocument,
  {
    dictionary,
    own,
    number,
    object,
  }: {
    dictionary: PdfDictionary;
    own: PdfDictionary;
    number: number;
    object: number | undefined;
  },
): PdfPage {
  const invalid: string[] = [];
  const box = (of: PdfDictionary, key: string) => {
    const found = boxOf(document.numbers(of.get(key)));
    if (!found || isPlausible(found)) return found;
    invalid.push(key);
    return undefined;
  };
  const turned = Number(document.get(own, 'Rotate')) || 0;
  const unit = document.get(dictionary, 'UserUnit');
  const isUnit = typeof unit === 'number' && unit > 0 && unit <= USER_UNIT_MAX;
  if (unit !== null && !isUnit) invalid.push('UserUnit');
  return {
    number,
    dictionary,
    object,
    resources: document.dictionary(own.get('Resources')),
    media: box(own, 'MediaBox'),
    crop: box(own, 'CropBox'),
    bleed: box(dictionary, 'BleedBox'),
    trim: box(dictionary, 'TrimBox'),
    art: box(dictionary, 'ArtBox'),
    rotate: (((Math.round(turned / 90) * 90) % 360) + 360) % 360,
    userUnit: isUnit ? unit : 1,
    invalid,
  };
}

function boxOf([x1, y1, x2, y2]: readonly number[]): Box | undefined {
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  const box = {
    left: Math.min(x1, x2),
    right: Math.max(x1, x2),
    bottom: Math.min(y1, y2),
    top: Math.max(y1, y2),
  };
  return box.right > box.left && box.top > box.bottom ? box : undefined;
}

const isPlausible = (box: Box): boolean =>
  Object.values(box).every((value) => Math.abs(value) <= BOX_COORDINATE_MAX);

const A4: Box = { left: 0, bottom: 0, right: 595.28, top: 841.89 };

/** Returns the trim: TrimBox, else ArtBox, CropBox or MediaBox. */
export const trimOf = ({ trim, art, crop, media }: PdfPage): Box => trim ?? art ?? crop ?? media ?? A4;
export const mediaOf = ({ media }: PdfPage): Box => media ?? A4;

/** Returns the content of a page, its streams joined according to ISO 32000-1, 7.8.2. */
export function contentOf(
  document: PdfDocument,
  page: PdfPage,
): { data: Uint8Array; problem: string | undefined } {
  const parts = document
    .list(page.dictionary.get('Contents'))
    .map((part) => document.resolve(part))
    .filter((part) => part instanceof PdfStream)
    .map((part) => document.decode(part));
  const joined = parts.flatMap(({ data }) => [data, NEW_LINE]);
  return { data: Buffer.concat(joined), problem: parts.find(({ problem }) => problem)?.problem };
}
const NEW_LINE = Uint8Array.of(10);

/** From page units to millimetres from the upper left corner of the page as displayed. */
export function toMillimetres(page: PdfPage): Matrix {
  const { left, bottom, right, top } = mediaOf(page);
  const mm = (25.4 / 72) * page.userUnit;
  const turned: Record<number, Matrix> = {
    0: [1, 0, 0, -1, -left, top],
    90: [0, 1, 1, 0, -bottom, -left],
    180: [-1, 0, 0, 1, right, -bottom],
    270: [0, -1, -1, 0, top, right],
  };
  const [a, b, c, d, e, f] = turned[page.rotate] ?? IDENTITY;
  return [a * mm, b * mm, c * mm, d * mm, e * mm, f * mm];
}
