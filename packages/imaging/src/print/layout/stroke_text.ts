import type { Label, Line } from './types.ts';

/**
 * Single-stroke letters on a grid 4 wide and 6 high, from the lower left: pairs of digits x and y, strokes separated by
 * spaces. Labels then need no embedded font.
 */
const LETTERS: Readonly<Record<string, string>> = {
  '0': '103041453616050110',
  '1': '152620 1030',
  '2': '05163645440040',
  '3': '0516364544334241301001 1333',
  '4': '30360242',
  '5': '460603334241301001',
  '6': '36160501103041423303',
  '7': '064610',
  '8': '13334445361605041302011030414233',
  '9': '10304145361605041343',
  '/': '0046',
  C: '4536160501103041',
  L: '060040',
  M: '0006234640',
  N: '00064046',
  O: '103041453616050110',
  R: '00063645443303 2340',
  U: '060110304146',
  W: '0610233046',
};
const HEIGHT_MM = 2.2;
const UNIT_MM = HEIGHT_MM / 6;
/** Letter spacing. */
const ADVANCE = 6;

/** Returns a label as lines in millimetres. Letters missing from the table are omitted. */
export function strokeText({ text, x, y }: Label): Line[] {
  return [...text].flatMap((letter, at) =>
    (LETTERS[letter] ?? '').split(' ').flatMap((stroke) => strokesOf(stroke, x + at * ADVANCE * UNIT_MM, y)),
  );
}

function strokesOf(stroke: string, x: number, y: number): Line[] {
  const points = Array.from({ length: Math.floor(stroke.length / 2) }, (_, at) => [
    x + Number(stroke[2 * at]) * UNIT_MM,
    y + Number(stroke[2 * at + 1]) * UNIT_MM,
  ]);
  return points.slice(1).map(([toX, toY], at): Line => [points[at]![0]!, points[at]![1]!, toX!, toY!]);
}
