import { expect, test } from 'vitest';
import { planBooklet } from './plan_booklet.ts';
import { planNUp } from './plan_n_up.ts';
import { planTiles } from './plan_tiles.ts';

const A4 = { width: 210, height: 297 };
const CARD = { width: 85, height: 55 };
const piece = (sizeMm = CARD, count = 1, hasContours = false) => ({
  count,
  sizeMm,
  bleedMm: 3,
  hasMarks: true,
  hasContours,
});
const onA4 = { kind: 'n_up', paperMm: A4, marginMm: 10 } as const;

test('A4 holds ten business cards without gaps, or nine rotated with bleed gaps', () => {
  const { report: close } = planNUp({ ...onA4, gapMm: 0 }, piece());
  expect(close).toMatchObject({ columns: 2, rows: 5, perSheet: 10, isTurned: false, copies: [10] });
  const { report, notes } = planNUp(onA4, piece());
  expect(report).toMatchObject({ columns: 3, rows: 3, perSheet: 9, isTurned: true });
  expect(notes[0]).toContain('With gap_mm 0, 10 fit');
});

test('pieces stay inside the margins and each keeps its bleed', () => {
  const [page] = planNUp(onA4, piece()).pages;
  for (const { x, y, clip } of page!.placed) {
    expect(Math.min(x, y, 210 - x - 55, 297 - y - 85)).toBeGreaterThanOrEqual(10 - 1e-9);
    expect([x - clip.left, clip.top - y - 85]).toEqual([expect.closeTo(3), expect.closeTo(3)]);
  }
});

test('adjacent pieces without a gap are clipped at their shared cut', () => {
  const [page] = planNUp({ ...onA4, gapMm: 0 }, piece()).pages;
  const [first, second] = page!.placed;
  expect([first!.clip.right, second!.clip.left]).toEqual([second!.x, second!.x]);
});

test('25 copies of two cards fill five sheets of ten completely', () => {
  const { pages, report } = planNUp({ ...onA4, gapMm: 0, copies: 25 }, piece(CARD, 2));
  const printed = pages.flatMap(({ placed }) => placed.map((one) => one.piece));
  expect([pages.length, report.copies]).toEqual([5, [25, 25]]);
  expect(printed.filter((number) => number === 1)).toHaveLength(25);
});

test.each([
  ['a piece larger than the paper', { ...onA4 }, piece({ width: 300, height: 300 }), /does not fit/],
  ['margins that leave nothing', { ...onA4, marginMm: 100 }, piece(), /does not fit/],
  ['too many copies', { ...onA4, copies: 2000 }, piece({ width: 100, height: 200 }), /at most 200/],
])('%s are rejected with a remedy', (_, request, pieces, message) => {
  expect(() => planNUp(request, pieces)).toThrow(message);
});

test('crop marks do not touch pieces or their bleed', () => {
  const [page] = planNUp(onA4, piece()).pages;
  const { bleed, marks } = page!;
  expect(marks.length).toBeGreaterThan(8);
  for (const [x1, y1, x2, y2] of marks) {
    const isInside = (x: number, y: number) =>
      x > bleed.left && x < bleed.right && y > bleed.bottom && y < bleed.top;
    expect([isInside(x1, y1), isInside(x2, y2)]).toEqual([false, false]);
  }
});

const A5 = { width: 148, height: 210 };
const booklet = (count: number, creepMm = 0) => planBooklet({ kind: 'booklet', creepMm }, piece(A5, count));

test.each([
  [
    4,
    [
      [4, 1],
      [2, 3],
    ],
  ],
  [
    8,
    [
      [8, 1],
      [2, 7],
      [6, 3],
      [4, 5],
    ],
  ],
  [
    16,
    [
      [16, 1],
      [2, 15],
      [14, 3],
      [4, 13],
      [12, 5],
      [6, 11],
      [10, 7],
      [8, 9],
    ],
  ],
])('a booklet of %i pages is imposed in saddle-stitch order', (count, order) => {
  expect(booklet(count).report.order!.flatMap(({ front, back }) => [front, back])).toEqual(order);
});

test('6 pages are padded to 8 with two blank pages and a note', () => {
  const { report, notes, pages } = booklet(6);
  expect(report).toMatchObject({ sheets: 2, blanks: 2, order: [{ front: [null, 1], back: [2, null] }, {}] });
  expect(notes[0]).toContain('pages 7, 8 are blank');
  expect(pages[0]!.placed.map(({ piece: number }) => number)).toEqual([0]);
});

test('inner pages shift towards the fold, the innermost by the full creep', () => {
  const spine = (page: ReturnType<typeof booklet>['pages'][number]) => page.paper.width / 2;
  const moved = booklet(12, 1).pages.map((page) => spine(page) - page.placed.at(-1)!.x);
  expect(moved).toEqual([0, 0, 0.5, 0.5, 1, 1].map((mm) => expect.closeTo(mm)));
});

test('no page crosses the fold', () => {
  for (const page of booklet(8, 1).pages) {
    const [left, right] = page.placed;
    expect([left!.clip.right, right!.clip.left]).toEqual([page.paper.width / 2, page.paper.width / 2]);
  }
});

test('paper smaller than the open booklet is rejected', () => {
  expect(() => planBooklet({ kind: 'booklet', creepMm: 0, paperMm: A5 }, piece(A5, 4))).toThrow(/296 × 210/);
});

const A0 = { width: 841, height: 1189 };
const tiles = (overlapMm = 10, paperMm = A4) =>
  planTiles({ kind: 'tiles', paperMm, overlapMm, marginMm: 10 }, piece(A0));

test('tiles cover all of A0 and overlap their neighbours by the overlap', () => {
  const { pages, report } = tiles();
  const { columns = 0, rows = 0 } = report;
  expect(pages).toHaveLength(columns * rows);
  const parts = pages.map(({ trim, placed: [poster] }) => ({
    left: trim.left - poster!.x,
    right: trim.right - poster!.x,
    bottom: trim.bottom - poster!.y,
    top: trim.top - poster!.y,
  }));
  expect([parts[0]!.left, parts[0]!.top]).toEqual([expect.closeTo(0), expect.closeTo(1189)]);
  expect([parts.at(-1)!.right, parts.at(-1)!.bottom]).toEqual([expect.closeTo(841), expect.closeTo(0)]);
  expect(parts[0]!.right - parts[1]!.left).toBeCloseTo(10);
  expect(parts[columns]!.top - parts[0]!.bottom).toBeCloseTo(10);
});

test('each tile fits its paper margins and is labelled with row and column', () => {
  for (const { trim, paper, labels } of tiles().pages) {
    expect(Math.min(trim.left, trim.bottom, paper.width - trim.right)).toBeGreaterThanOrEqual(10 - 1e-9);
    expect(labels[0]!.text).toMatch(/^ROW \d+\/\d+ {2}COLUMN \d+\/\d+$/);
  }
});

test('a larger paper size needs fewer tiles', () => {
  const a3 = { width: 297, height: 420 };
  expect([tiles().pages.length, tiles(10, a3).pages.length]).toEqual([25, 15]);
});

test('an overlap that leaves too little of the paper is rejected', () => {
  expect(() => tiles(100)).toThrow(/less than half/);
});
