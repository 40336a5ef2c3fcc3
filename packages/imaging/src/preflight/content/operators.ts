import { CMYK, type ColorSpace, GRAY, RGB } from '../pdf/color_space.ts';
import { nameOf, PdfText, type PdfValue } from '../pdf/values.ts';
import type { Canvas } from './canvas.ts';
import { matrixOf, type Point } from './matrix.ts';

/** Operands of an operator, numbers and others apart. */
export interface Operands {
  readonly all: readonly PdfValue[];
  readonly numbers: readonly number[];
}

type Run = (canvas: Canvas, operands: Operands) => void;

const filling =
  (space: ColorSpace): Run =>
  (canvas, { numbers }) =>
    canvas.set({ fill: { space, values: numbers } });
const stroking =
  (space: ColorSpace): Run =>
  (canvas, { numbers }) =>
    canvas.set({ stroke: { space, values: numbers } });
const painting =
  (how: { fills?: boolean; strokes?: boolean }): Run =>
  (canvas) =>
    canvas.endPath(how);
const one = ({ numbers }: Operands): number => numbers[0] ?? 0;
const pointsIn = ({ numbers }: Operands): Point[] =>
  Array.from({ length: numbers.length >> 1 }, (_, index) => [numbers[2 * index]!, numbers[2 * index + 1]!]);
const nothing: Run = () => {};

const show: Run = (canvas, { all }) => {
  const text = all.at(-1);
  if (text instanceof PdfText) canvas.showText(text.bytes);
};
const nextLine: Run = (canvas) => canvas.moveText(0, -canvas.state.leading);

/** A colour in the space set before, or a pattern. */
const colored =
  (which: 'fill' | 'stroke'): Run =>
  (canvas, { all, numbers }) => {
    const { space } = canvas.state[which];
    canvas.set({ [which]: { space, values: numbers, pattern: nameOf(all.at(-1)) } });
  };

/** What needs neither resources nor other content. ISO 32000-1, annex A */
export const OPERATORS: Readonly<Record<string, Run>> = {
  q: (canvas) => canvas.save(),
  Q: (canvas) => canvas.restore(),
  cm: (canvas, { numbers }) => canvas.transform(matrixOf(numbers)),
  w: (canvas, operands) => canvas.set({ lineWidth: Math.abs(one(operands)) }),
  ...{ J: nothing, j: nothing, M: nothing, d: nothing, ri: nothing, i: nothing },
  m: (canvas, { numbers: [x = 0, y = 0] }) => canvas.moveTo(x, y),
  l: (canvas, { numbers: [x = 0, y = 0] }) => canvas.lineTo(x, y),
  c: (canvas, operands) => {
    const [one, two, end] = pointsIn(operands);
    if (one && two && end) canvas.curveTo(one, two, end);
  },
  v: (canvas, operands) => {
    const [two, end] = pointsIn(operands);
    if (two && end) canvas.curveTo(undefined, two, end);
  },
  y: (canvas, operands) => {
    const [one, end] = pointsIn(operands);
    if (one && end) canvas.curveTo(one, end, end);
  },
  h: nothing,
  re: (canvas, { numbers: [x = 0, y = 0, width = 0, height = 0] }) => canvas.rectangle(x, y, width, height),
  ...{ S: painting({ strokes: true }), s: painting({ strokes: true }) },
  ...{ f: painting({ fills: true }), F: painting({ fills: true }), 'f*': painting({ fills: true }) },
  ...{ B: painting({ fills: true, strokes: true }), 'B*': painting({ fills: true, strokes: true }) },
  ...{ b: painting({ fills: true, strokes: true }), 'b*': painting({ fills: true, strokes: true }) },
  n: painting({}),
  ...{ W: (canvas) => canvas.clipLater(), 'W*': (canvas) => canvas.clipLater() },
  ...{
    g: filling(GRAY),
    G: stroking(GRAY),
    rg: filling(RGB),
    RG: stroking(RGB),
    k: filling(CMYK),
    K: stroking(CMYK),
  },
  ...{ sc: colored('fill'), scn: colored('fill'), SC: colored('stroke'), SCN: colored('stroke') },
  BT: (canvas) => canvas.beginText(),
  ET: nothing,
  Tc: (canvas, operands) => canvas.set({ characterSpace: one(operands) }),
  Tw: (canvas, operands) => canvas.set({ wordSpace: one(operands) }),
  Tz: (canvas, operands) => canvas.set({ stretch: one(operands) / 100 }),
  TL: (canvas, operands) => canvas.set({ leading: one(operands) }),
  Tr: (canvas, operands) => canvas.set({ renderMode: one(operands) }),
  Ts: (canvas, operands) => canvas.set({ rise: one(operands) }),
  Td: (canvas, { numbers: [x = 0, y = 0] }) => canvas.moveText(x, y),
  TD: (canvas, { numbers: [x = 0, y = 0] }) => {
    canvas.set({ leading: -y });
    canvas.moveText(x, y);
  },
  Tm: (canvas, { numbers }) => canvas.setTextMatrix(matrixOf(numbers)),
  'T*': nextLine,
  Tj: show,
  "'": (canvas, operands) => {
    nextLine(canvas, operands);
    show(canvas, operands);
  },
  '"': (canvas, operands) => {
    const [wordSpace = 0, characterSpace = 0] = operands.numbers;
    canvas.set({ wordSpace, characterSpace });
    nextLine(canvas, operands);
    show(canvas, operands);
  },
  TJ: (canvas, { all }) => {
    const [parts] = all;
    if (!Array.isArray(parts)) return;
    for (const part of parts) {
      if (part instanceof PdfText) canvas.showText(part.bytes);
      if (typeof part === 'number') canvas.kern(part);
    }
  },
  ...{ MP: nothing, DP: nothing, BMC: nothing, BDC: nothing, EMC: nothing, BX: nothing, EX: nothing },
  ...{ d0: nothing, d1: nothing },
};
