import { FORM_DEPTH_MAX, OPERANDS_MAX } from '../limits.ts';
import { CMYK, type ColorSpace, GRAY, RGB, readColorSpace, replacedByDefault } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { type Font, readFont } from '../pdf/fonts.ts';
import { readImage } from '../pdf/images.ts';
import { END, Lexer } from '../pdf/lexer.ts';
import { contentOf, mediaOf, type PdfPage } from '../pdf/pages.ts';
import { inkiestColor } from '../pdf/shading_ink.ts';
import {
  nameOf,
  Operator,
  type PdfDictionary,
  PdfStream,
  PdfText,
  type PdfValue,
  Reference,
} from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { Canvas } from './canvas.ts';
import { inlineImage } from './inline_image.ts';
import type { Mark, Paint, Resources } from './mark.ts';
import { grown, IDENTITY, matrixOf, type Point, times } from './matrix.ts';

/** Operands of an operator: all, and the numbers only. */
interface Operands {
  readonly all: readonly PdfValue[];
  readonly numbers: readonly number[];
}

type Run = (canvas: Canvas, operands: Operands) => void;

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

/** Sets a colour in the current colour space, or a pattern. */
const colored =
  (which: 'fill' | 'stroke'): Run =>
  (canvas, { all, numbers }) => {
    const { space } = canvas.state[which];
    canvas.set({ [which]: { space, values: numbers, pattern: nameOf(all.at(-1)) } });
  };

/** Operators that need neither resources nor other content streams. ISO 32000-1, annex A */
const OPERATORS: Readonly<Record<string, Run>> = {
  q: (canvas) => canvas.save(),
  Q: (canvas) => canvas.restore(),
  cm: (canvas, { numbers }) => canvas.transform(matrixOf(numbers)),
  w: (canvas, operands) => canvas.set({ lineWidth: Math.abs(one(operands)) }),
  J: nothing,
  j: nothing,
  M: nothing,
  d: nothing,
  ri: nothing,
  i: nothing,
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
  S: painting({ strokes: true }),
  s: painting({ strokes: true }),
  f: painting({ fills: true }),
  F: painting({ fills: true }),
  'f*': painting({ fills: true }),
  B: painting({ fills: true, strokes: true }),
  'B*': painting({ fills: true, strokes: true }),
  b: painting({ fills: true, strokes: true }),
  'b*': painting({ fills: true, strokes: true }),
  n: painting({}),
  W: (canvas) => canvas.clipLater(),
  'W*': (canvas) => canvas.clipLater(),
  sc: colored('fill'),
  scn: colored('fill'),
  SC: colored('stroke'),
  SCN: colored('stroke'),
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
  MP: nothing,
  DP: nothing,
  BMC: nothing,
  BDC: nothing,
  EMC: nothing,
  BX: nothing,
  EX: nothing,
  d0: nothing,
  d1: nothing,
};

/** State shared by all pages of a file: operator count and caches. */
export interface Shared {
  operators: number;
  /** Bytes of content streams that may still be cached. */
  keepable: number;
  readonly fonts: WeakMap<PdfDictionary, { font: Font | undefined }>;
  readonly contents: WeakMap<PdfStream, Uint8Array>;
  /** Colour of a gradient with the highest total area coverage. */
  readonly shadings: WeakMap<PdfDictionary, { readonly inkiest: readonly number[] | undefined }>;
}
export const newShared = (): Shared => ({
  operators: 0,
  keepable: CONTENTS_KEPT_BYTES,
  fonts: new WeakMap(),
  contents: new WeakMap(),
  shadings: new WeakMap(),
});
const CONTENTS_KEPT_BYTES = 32 * 1024 * 1024;

interface Reading {
  readonly document: PdfDocument;
  readonly page: PdfPage;
  readonly shared: Shared;
  readonly patterns: Set<PdfStream>;
  readonly onMark: (mark: Mark) => void;
  onProblem(text: string): void;
}

/** One content stream: of a page, a form or a pattern. */
interface Scope {
  readonly canvas: Canvas;
  readonly resources: Resources;
  readonly depth: number;
  /** "image Im1 in form Fm2" */
  readonly within: string;
}

/**
 * Interprets the content of a page and reports what it paints, in order. Descends into forms and tiling patterns, not
 * into Type 3 glyphs. Neither renders nor converts anything.
 * @throws WorkSpent
 */
export function interpretPage(
  document: PdfDocument,
  page: PdfPage,
  tell: Pick<Reading, 'shared' | 'onMark' | 'onProblem'>,
): void {
  const { onMark, onProblem } = tell;
  const { work } = document;
  const reading: Reading = { ...tell, document, page, patterns: new Set<PdfStream>() };
  const { data, problem } = contentOf(document, page);
  if (problem)
    onProblem(problem === 'too_large' ? 'is too large to be checked' : 'cannot be decoded completely');
  const canvas = new Canvas(IDENTITY, grown(mediaOf(page), PAGE_MARGIN_PT), {
    work,
    onMark,
    unit: page.userUnit,
  });
  run(reading, data, { canvas, resources: page.resources, depth: 0, within: '' });
  if (canvas.unbalanced > 0 || canvas.depth > 0) onProblem('has unbalanced q and Q operators');
}

/** Objects up to this distance outside the page box are reported as well. */
const PAGE_MARGIN_PT = 72;

function run(reading: Reading, data: Uint8Array, scope: Scope): void {
  const { shared, document } = reading;
  const { work } = document;
  const lexer = new Lexer(data, work);
  let operands: PdfValue[] = [];
  let isLenient = false;
  for (let value = lexer.value(); value !== END; value = lexer.value()) {
    if (!(value instanceof Operator)) {
      if (operands.length < OPERANDS_MAX) operands.push(value);
      continue;
    }
    work.spend(COST.operator);
    shared.operators += 1;
    const { text } = value;
    if (text === 'BX' || text === 'EX') isLenient = text === 'BX';
    if (text === 'BI') placeInline(reading, lexer, scope);
    else if (!perform(reading, text, operands, scope) && !isLenient)
      reading.onProblem(`has an unknown operator: ${text.slice(0, 20).replace(/[^\x21-\x7e]/g, '?')}`);
    operands = [];
  }
}

function perform(reading: Reading, operator: string, all: PdfValue[], scope: Scope): boolean {
  const withResources = Object.hasOwn(WITH_RESOURCES, operator) ? WITH_RESOURCES[operator] : undefined;
  if (withResources) {
    withResources(reading, all, scope);
    return true;
  }
  if (!Object.hasOwn(OPERATORS, operator)) return false;
  const numbers = all.filter((one): one is number => typeof one === 'number');
  OPERATORS[operator]!(scope.canvas, { all, numbers });
  if (/^scn$/i.test(operator)) usePattern(reading, operator === 'scn' ? 'fill' : 'stroke', scope);
  return true;
}

type WithResources = (reading: Reading, all: PdfValue[], scope: Scope) => void;

const inDevice =
  (which: 'fill' | 'stroke', device: ColorSpace): WithResources =>
  (reading, all, scope) => {
    const values = all.filter((one): one is number => typeof one === 'number');
    const space = replacedByDefault(reading.document, device, spacesOf(reading, scope));
    scope.canvas.set({ [which]: { space, values } });
  };

const WITH_RESOURCES: Readonly<Record<string, WithResources>> = {
  g: inDevice('fill', GRAY),
  G: inDevice('stroke', GRAY),
  rg: inDevice('fill', RGB),
  RG: inDevice('stroke', RGB),
  k: inDevice('fill', CMYK),
  K: inDevice('stroke', CMYK),
  cs: (reading, all, scope) => scope.canvas.set({ fill: initialPaint(spaceNamed(reading, all, scope)) }),
  CS: (reading, all, scope) => scope.canvas.set({ stroke: initialPaint(spaceNamed(reading, all, scope)) }),
  gs: useGraphicsState,
  Do: placeObject,
  sh: (reading, all, scope) => {
    const value = resource(reading, scope, 'Shading', all);
    const shading = reading.document.dictionary(value);
    const spaces = spacesOf(reading, scope);
    if (shading) scope.canvas.shade(shadingPaint(reading, shading, { value, spaces }));
  },
  Tf: (reading, all, scope) => {
    const [size = 0] = all.filter((one): one is number => typeof one === 'number');
    scope.canvas.set({ font: fontNamed(reading, resource(reading, scope, 'Font', all)), fontSize: size });
  },
};

const spacesOf = ({ document }: Reading, { resources }: Scope): PdfDictionary | undefined =>
  document.dictionary(resources?.get('ColorSpace'));

/** Looks up the resource named by an operator. Reports a missing one. */
function resource(reading: Reading, { resources }: Scope, kind: string, all: readonly PdfValue[]): PdfValue {
  const name = all.map(nameOf).findLast((one) => one !== undefined);
  const found = name === undefined ? undefined : reading.document.dictionary(resources?.get(kind))?.get(name);
  if (found === undefined) {
    reading.onProblem(`uses ${kind} ${name ?? 'without a name'}, which is missing from its resources`);
    return null;
  }
  return found;
}

/** Paint of a gradient. Its colour with the most ink is computed once per gradient. */
function shadingPaint(
  { document, shared }: Reading,
  shading: PdfDictionary,
  { value, spaces }: { readonly value: PdfValue; readonly spaces: PdfDictionary | undefined },
): Paint {
  const space = readColorSpace(document, shading.get('ColorSpace'), spaces);
  const known = shared.shadings.get(shading) ?? { inkiest: inkiestColor(document, value, space) };
  shared.shadings.set(shading, known);
  return { space, values: [], ...known };
}

function spaceNamed(reading: Reading, all: readonly PdfValue[], scope: Scope): ColorSpace {
  return readColorSpace(reading.document, all.at(-1), spacesOf(reading, scope));
}

/** Initial colour (ISO 32000-1, 8.6): black where the space has one, full tint for spot colours. */
function initialPaint(space: ColorSpace): Paint {
  const start = space.basis === 'inks' ? 1 : 0;
  const values = Array.from({ length: space.components }, () => start);
  if (space.basis === 'cmyk') values[3] = 1;
  return { space, values };
}

function fontNamed(reading: Reading, value: PdfValue): Font | undefined {
  const dictionary = reading.document.dictionary(value);
  if (!dictionary) return undefined;
  const { fonts } = reading.shared;
  const known = fonts.get(dictionary) ?? { font: readFont(reading.document, dictionary) };
  fonts.set(dictionary, known);
  return known.font;
}

/** ISO 32000-1, 8.4.5 */
function useGraphicsState(reading: Reading, all: PdfValue[], scope: Scope): void {
  const { document } = reading;
  const wanted = document.dictionary(resource(reading, scope, 'ExtGState', all));
  if (!wanted) return;
  document.work.spend(COST.resource);
  const { canvas } = scope;
  const number = (key: string) => document.numbers(wanted.get(key))[0];
  const fillAlpha = number('ca');
  const strokeAlpha = number('CA');
  const lineWidth = number('LW');
  const overprintMode = number('OPM');
  const [both, fill] = [document.get(wanted, 'OP'), document.get(wanted, 'op')];
  const blend = nameOf(document.resolve(document.list(wanted.get('BM'))[0]));
  const [font, size] = document.list(wanted.get('Font'));
  const mask = document.get(wanted, 'SMask');
  canvas.set({
    ...(fillAlpha !== undefined && { fillAlpha }),
    ...(strokeAlpha !== undefined && { strokeAlpha }),
    ...(lineWidth !== undefined && { lineWidth }),
    ...(overprintMode !== undefined && { overprintMode }),
    ...(typeof both === 'boolean' && { overprintStroke: both, overprintFill: both }),
    ...(typeof fill === 'boolean' && { overprintFill: fill }),
    ...(blend !== undefined && { blend }),
    ...(font && { font: fontNamed(reading, font), fontSize: Number(document.resolve(size)) || 0 }),
    ...(mask !== null && { hasSoftMask: nameOf(mask) !== 'None' }),
  });
}

function placeObject(reading: Reading, all: PdfValue[], scope: Scope): void {
  const { document } = reading;
  const found = resource(reading, scope, 'XObject', all);
  const stream = document.resolve(found);
  if (!(stream instanceof PdfStream)) return;
  const name = nameOf(all.at(-1)) ?? '';
  const number = found instanceof Reference ? ` (object ${found.number})` : '';
  const kind = nameOf(document.get(stream.dictionary, 'Subtype'));
  if (kind === 'Image') {
    const key = found instanceof Reference ? `object ${found.number}` : `${scope.within}${name}`;
    const image = readImage(document, stream, { key, spaces: spacesOf(reading, scope) });
    scope.canvas.image(image, `image ${name}${number}${scope.within}`);
  }
  if (kind === 'Form') placeForm(reading, stream, { scope, within: ` in form ${name}${number}` });
}

function placeForm(
  reading: Reading,
  form: PdfStream,
  { scope, within }: { scope: Scope; within: string },
): void {
  const { document } = reading;
  if (scope.depth >= FORM_DEPTH_MAX) {
    reading.onProblem(`nests forms more than ${FORM_DEPTH_MAX} levels deep`);
    return;
  }
  const { canvas } = scope;
  const depth = canvas.depth;
  canvas.save();
  canvas.transform(matrixOf(document.numbers(form.dictionary.get('Matrix'))));
  const [left = 0, bottom = 0, right = 0, top = 0] = document.numbers(form.dictionary.get('BBox'));
  canvas.clipTo({ left, bottom, right, top });
  const own = document.dictionary(form.dictionary.get('Resources'));
  document.work.spend(COST.operator);
  run(reading, contentsOf(reading, form), {
    canvas,
    within,
    depth: scope.depth + 1,
    resources: own ?? scope.resources,
  });
  canvas.restoreTo(depth);
}

/** Decoded once, because a form may be placed a thousand times. */
function contentsOf({ document, shared }: Reading, stream: PdfStream): Uint8Array {
  const known = shared.contents.get(stream);
  if (known) return known;
  const { data } = document.decode(stream);
  if (data.length <= shared.keepable) {
    shared.contents.set(stream, data);
    shared.keepable -= data.length;
  }
  return data;
}

/**
 * Reads the colours of a shading pattern. A tiling pattern is interpreted once per page, at the place of its first use.
 */
function usePattern(reading: Reading, which: 'fill' | 'stroke', scope: Scope): void {
  const { document } = reading;
  const { pattern } = scope.canvas.state[which];
  if (pattern === undefined) return;
  const value = document.resolve(document.dictionary(scope.resources?.get('Pattern'))?.get(pattern));
  const dictionary = document.dictionary(value);
  const shading = document.dictionary(dictionary?.get('Shading'));
  if (shading) {
    const spaces = spacesOf(reading, scope);
    const paint = shadingPaint(reading, shading, { value: dictionary?.get('Shading') ?? null, spaces });
    scope.canvas.set({ [which]: { ...paint, pattern } });
  }
  if (!(value instanceof PdfStream) || reading.patterns.has(value) || scope.depth >= FORM_DEPTH_MAX) return;
  reading.patterns.add(value);
  const { clip } = scope.canvas.state;
  const matrix = times(matrixOf(document.numbers(value.dictionary.get('Matrix'))), IDENTITY);
  const canvas = new Canvas(matrix, grown(mediaOf(reading.page), EVERYWHERE_PT), {
    work: document.work,
    unit: reading.page.userUnit,
    onMark: (mark) =>
      reading.onMark({
        ...mark,
        box: clip,
        outline: [],
        isOfTile: true,
        object: `${mark.object} of pattern ${pattern}`,
      }),
  });
  const own = document.dictionary(value.dictionary.get('Resources'));
  const within = ` in pattern ${pattern}`;
  run(reading, contentsOf(reading, value), {
    canvas,
    within,
    depth: scope.depth + 1,
    resources: own ?? scope.resources,
  });
}
const EVERYWHERE_PT = 100_000;

function placeInline(reading: Reading, lexer: Lexer, scope: Scope): void {
  const stream = inlineImage(lexer, (dictionary) => {
    const image = readImage(reading.document, new PdfStream(dictionary, NO_BYTES), {
      key: '',
      spaces: spacesOf(reading, scope),
    });
    const isPacked = image.filters.length > 0;
    const components = image.isStencil ? 1 : image.space.components;
    return isPacked ? undefined : Math.ceil((image.width * components * image.bits) / 8) * image.height;
  });
  if (!stream) {
    reading.onProblem('has an inline image without an end');
    return;
  }
  const key = `inline ${reading.page.number} ${lexer.at}${scope.within}`;
  const image = readImage(reading.document, stream, { key, spaces: spacesOf(reading, scope) });
  scope.canvas.image(image, `inline image${scope.within}`);
}
const NO_BYTES = new Uint8Array(0);
