import { FORM_DEPTH_MAX, OPERANDS_MAX } from '../limits.ts';
import { CMYK, type ColorSpace, GRAY, RGB, readColorSpace, replacedByDefault } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { type Font, readFont } from '../pdf/fonts.ts';
import { readImage } from '../pdf/images.ts';
import { END, Lexer } from '../pdf/lexer.ts';
import { contentOf, mediaOf, type PdfPage } from '../pdf/pages.ts';
import { maxCoverageColor } from '../pdf/shading_ink.ts';
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
import { expandBox, IDENTITY, matrixOf, multiply, type Point } from './matrix.ts';

/** Operands of an operator: all, and the numbers only. */
interface Operands {
  readonly all: readonly PdfValue[];
  readonly numbers: readonly number[];
}

type OperatorHandler = (canvas: Canvas, operands: Operands) => void;

const paintPath =
  (how: { fills?: boolean; strokes?: boolean }): OperatorHandler =>
  (canvas) =>
    canvas.endPath(how);
const one = ({ numbers }: Operands): number => numbers[0] ?? 0;
const pointsIn = ({ numbers }: Operands): Point[] =>
  Array.from({ length: numbers.length >> 1 }, (_, index) => [numbers[2 * index]!, numbers[2 * index + 1]!]);
const noOperation: OperatorHandler = () => {};

const showText: OperatorHandler = (canvas, { all }) => {
  const text = all.at(-1);
  if (text instanceof PdfText) canvas.showText(text.bytes);
};
const nextLine: OperatorHandler = (canvas) => canvas.moveText(0, -canvas.state.leading);

/** Sets a colour in the current colour space, or a pattern. */
const setColor =
  (which: 'fill' | 'stroke'): OperatorHandler =>
  (canvas, { all, numbers }) => {
    const { space } = canvas.state[which];
    canvas.set({ [which]: { space, values: numbers, pattern: nameOf(all.at(-1)) } });
  };

/** Operators that need neither resources nor other content streams. ISO 32000-1, annex A */
const OPERATORS: Readonly<Record<string, OperatorHandler>> = {
  q: (canvas) => canvas.save(),
  Q: (canvas) => canvas.restore(),
  cm: (canvas, { numbers }) => canvas.transform(matrixOf(numbers)),
  w: (canvas, operands) => canvas.set({ lineWidth: Math.abs(one(operands)) }),
  J: noOperation,
  j: noOperation,
  M: noOperation,
  d: noOperation,
  ri: noOperation,
  i: noOperation,
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
  h: noOperation,
  re: (canvas, { numbers: [x = 0, y = 0, width = 0, height = 0] }) => canvas.rectangle(x, y, width, height),
  S: paintPath({ strokes: true }),
  s: paintPath({ strokes: true }),
  f: paintPath({ fills: true }),
  F: paintPath({ fills: true }),
  'f*': paintPath({ fills: true }),
  B: paintPath({ fills: true, strokes: true }),
  'B*': paintPath({ fills: true, strokes: true }),
  b: paintPath({ fills: true, strokes: true }),
  'b*': paintPath({ fills: true, strokes: true }),
  n: paintPath({}),
  W: (canvas) => canvas.clipAtPathEnd(),
  'W*': (canvas) => canvas.clipAtPathEnd(),
  sc: setColor('fill'),
  scn: setColor('fill'),
  SC: setColor('stroke'),
  SCN: setColor('stroke'),
  BT: (canvas) => canvas.beginText(),
  ET: noOperation,
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
  Tj: showText,
  "'": (canvas, operands) => {
    nextLine(canvas, operands);
    showText(canvas, operands);
  },
  '"': (canvas, operands) => {
    const [wordSpace = 0, characterSpace = 0] = operands.numbers;
    canvas.set({ wordSpace, characterSpace });
    nextLine(canvas, operands);
    showText(canvas, operands);
  },
  TJ: (canvas, { all }) => {
    const [parts] = all;
    if (!Array.isArray(parts)) return;
    for (const part of parts) {
      if (part instanceof PdfText) canvas.showText(part.bytes);
      if (typeof part === 'number') canvas.kern(part);
    }
  },
  MP: noOperation,
  DP: noOperation,
  BMC: noOperation,
  BDC: noOperation,
  EMC: noOperation,
  BX: noOperation,
  EX: noOperation,
  d0: noOperation,
  d1: noOperation,
};

/** State shared by all pages of a file: operator count and caches. */
export interface DocumentCache {
  operators: number;
  /** Bytes of content streams that may still be cached. */
  cacheableBytes: number;
  readonly fonts: WeakMap<PdfDictionary, { font: Font | undefined }>;
  readonly contents: WeakMap<PdfStream, Uint8Array>;
  /** Colour of a gradient with the highest total area coverage. */
  readonly shadings: WeakMap<PdfDictionary, { readonly maxCoverageColor: readonly number[] | undefined }>;
}
export const createDocumentCache = (): DocumentCache => ({
  operators: 0,
  cacheableBytes: CONTENTS_KEPT_BYTES,
  fonts: new WeakMap(),
  contents: new WeakMap(),
  shadings: new WeakMap(),
});
const CONTENTS_KEPT_BYTES = 32 * 1024 * 1024;

interface InterpreterContext {
  readonly document: PdfDocument;
  readonly page: PdfPage;
  readonly shared: DocumentCache;
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
 * @throws WorkBudgetExceeded
 */
export function interpretPage(
  document: PdfDocument,
  page: PdfPage,
  tell: Pick<InterpreterContext, 'shared' | 'onMark' | 'onProblem'>,
): void {
  const { onMark, onProblem } = tell;
  const { work } = document;
  const context: InterpreterContext = { ...tell, document, page, patterns: new Set<PdfStream>() };
  const { data, problem } = contentOf(document, page);
  if (problem)
    onProblem(problem === 'too_large' ? 'is too large to be checked' : 'cannot be decoded completely');
  const canvas = new Canvas(IDENTITY, expandBox(mediaOf(page), PAGE_MARGIN_PT), {
    work,
    onMark,
    unit: page.userUnit,
  });
  interpretContent(context, data, { canvas, resources: page.resources, depth: 0, within: '' });
  if (canvas.unbalanced > 0 || canvas.depth > 0) onProblem('has unbalanced q and Q operators');
}

/** Objects up to this distance outside the page box are reported as well. */
const PAGE_MARGIN_PT = 72;

function interpretContent(context: InterpreterContext, data: Uint8Array, scope: Scope): void {
  const { shared, document } = context;
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
    if (text === 'BI') drawInlineImage(context, lexer, scope);
    else if (!performOperator(context, text, operands, scope) && !isLenient)
      context.onProblem(`has an unknown operator: ${text.slice(0, 20).replace(/[^\x21-\x7e]/g, '?')}`);
    operands = [];
  }
}

function performOperator(
  context: InterpreterContext,
  operator: string,
  all: PdfValue[],
  scope: Scope,
): boolean {
  const withResources = Object.hasOwn(RESOURCE_OPERATORS, operator)
    ? RESOURCE_OPERATORS[operator]
    : undefined;
  if (withResources) {
    withResources(context, all, scope);
    return true;
  }
  if (!Object.hasOwn(OPERATORS, operator)) return false;
  const numbers = all.filter((one): one is number => typeof one === 'number');
  OPERATORS[operator]!(scope.canvas, { all, numbers });
  if (/^scn$/i.test(operator)) usePattern(context, operator === 'scn' ? 'fill' : 'stroke', scope);
  return true;
}

type ResourceOperator = (context: InterpreterContext, all: PdfValue[], scope: Scope) => void;

const setDeviceColor =
  (which: 'fill' | 'stroke', device: ColorSpace): ResourceOperator =>
  (context, all, scope) => {
    const values = all.filter((one): one is number => typeof one === 'number');
    const space = replacedByDefault(context.document, device, spacesOf(context, scope));
    scope.canvas.set({ [which]: { space, values } });
  };

const RESOURCE_OPERATORS: Readonly<Record<string, ResourceOperator>> = {
  g: setDeviceColor('fill', GRAY),
  G: setDeviceColor('stroke', GRAY),
  rg: setDeviceColor('fill', RGB),
  RG: setDeviceColor('stroke', RGB),
  k: setDeviceColor('fill', CMYK),
  K: setDeviceColor('stroke', CMYK),
  cs: (context, all, scope) => scope.canvas.set({ fill: initialPaint(spaceNamed(context, all, scope)) }),
  CS: (context, all, scope) => scope.canvas.set({ stroke: initialPaint(spaceNamed(context, all, scope)) }),
  gs: useGraphicsState,
  Do: drawXObject,
  sh: (context, all, scope) => {
    const value = resource(context, scope, 'Shading', all);
    const shading = context.document.dictionary(value);
    const spaces = spacesOf(context, scope);
    if (shading) scope.canvas.shade(shadingPaint(context, shading, { value, spaces }));
  },
  Tf: (context, all, scope) => {
    const [size = 0] = all.filter((one): one is number => typeof one === 'number');
    scope.canvas.set({ font: fontNamed(context, resource(context, scope, 'Font', all)), fontSize: size });
  },
};

const spacesOf = ({ document }: InterpreterContext, { resources }: Scope): PdfDictionary | undefined =>
  document.dictionary(resources?.get('ColorSpace'));

/** Looks up the resource named by an operator. Reports a missing one. */
function resource(
  context: InterpreterContext,
  { resources }: Scope,
  kind: string,
  all: readonly PdfValue[],
): PdfValue {
  const name = all.map(nameOf).findLast((one) => one !== undefined);
  const found = name === undefined ? undefined : context.document.dictionary(resources?.get(kind))?.get(name);
  if (found === undefined) {
    context.onProblem(`uses ${kind} ${name ?? 'without a name'}, which is missing from its resources`);
    return null;
  }
  return found;
}

/** Paint of a gradient. Its colour with the most ink is computed once per gradient. */
function shadingPaint(
  { document, shared }: InterpreterContext,
  shading: PdfDictionary,
  { value, spaces }: { readonly value: PdfValue; readonly spaces: PdfDictionary | undefined },
): Paint {
  const space = readColorSpace(document, shading.get('ColorSpace'), spaces);
  const known = shared.shadings.get(shading) ?? {
    maxCoverageColor: maxCoverageColor(document, value, space),
  };
  shared.shadings.set(shading, known);
  return { space, values: [], ...known };
}

function spaceNamed(context: InterpreterContext, all: readonly PdfValue[], scope: Scope): ColorSpace {
  return readColorSpace(context.document, all.at(-1), spacesOf(context, scope));
}

/** Initial colour (ISO 32000-1, 8.6): black where the space has one, full tint for spot colours. */
function initialPaint(space: ColorSpace): Paint {
  const start = space.basis === 'inks' ? 1 : 0;
  const values = Array.from({ length: space.components }, () => start);
  if (space.basis === 'cmyk') values[3] = 1;
  return { space, values };
}

function fontNamed(context: InterpreterContext, value: PdfValue): Font | undefined {
  const dictionary = context.document.dictionary(value);
  if (!dictionary) return undefined;
  const { fonts } = context.shared;
  const known = fonts.get(dictionary) ?? { font: readFont(context.document, dictionary) };
  fonts.set(dictionary, known);
  return known.font;
}

/** ISO 32000-1, 8.4.5 */
function useGraphicsState(context: InterpreterContext, all: PdfValue[], scope: Scope): void {
  const { document } = context;
  const wanted = document.dictionary(resource(context, scope, 'ExtGState', all));
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
    ...(font && { font: fontNamed(context, font), fontSize: Number(document.resolve(size)) || 0 }),
    ...(mask !== null && { hasSoftMask: nameOf(mask) !== 'None' }),
  });
}

function drawXObject(context: InterpreterContext, all: PdfValue[], scope: Scope): void {
  const { document } = context;
  const found = resource(context, scope, 'XObject', all);
  const stream = document.resolve(found);
  if (!(stream instanceof PdfStream)) return;
  const name = nameOf(all.at(-1)) ?? '';
  const number = found instanceof Reference ? ` (object ${found.number})` : '';
  const kind = nameOf(document.get(stream.dictionary, 'Subtype'));
  if (kind === 'Image') {
    const key = found instanceof Reference ? `object ${found.number}` : `${scope.within}${name}`;
    const image = readImage(document, stream, { key, spaces: spacesOf(context, scope) });
    scope.canvas.image(image, `image ${name}${number}${scope.within}`);
  }
  if (kind === 'Form') drawForm(context, stream, { scope, within: ` in form ${name}${number}` });
}

function drawForm(
  context: InterpreterContext,
  form: PdfStream,
  { scope, within }: { scope: Scope; within: string },
): void {
  const { document } = context;
  if (scope.depth >= FORM_DEPTH_MAX) {
    context.onProblem(`nests forms more than ${FORM_DEPTH_MAX} levels deep`);
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
  interpretContent(context, contentsOf(context, form), {
    canvas,
    within,
    depth: scope.depth + 1,
    resources: own ?? scope.resources,
  });
  canvas.restoreTo(depth);
}

/** Decoded once, because a form may be placed a thousand times. */
function contentsOf({ document, shared }: InterpreterContext, stream: PdfStream): Uint8Array {
  const known = shared.contents.get(stream);
  if (known) return known;
  const { data } = document.decode(stream);
  if (data.length <= shared.cacheableBytes) {
    shared.contents.set(stream, data);
    shared.cacheableBytes -= data.length;
  }
  return data;
}

/**
 * Reads the colours of a shading pattern. A tiling pattern is interpreted once per page, at the place of its first use.
 */
function usePattern(context: InterpreterContext, which: 'fill' | 'stroke', scope: Scope): void {
  const { document } = context;
  const { pattern } = scope.canvas.state[which];
  if (pattern === undefined) return;
  const value = document.resolve(document.dictionary(scope.resources?.get('Pattern'))?.get(pattern));
  const dictionary = document.dictionary(value);
  const shading = document.dictionary(dictionary?.get('Shading'));
  if (shading) {
    const spaces = spacesOf(context, scope);
    const paint = shadingPaint(context, shading, { value: dictionary?.get('Shading') ?? null, spaces });
    scope.canvas.set({ [which]: { ...paint, pattern } });
  }
  if (!(value instanceof PdfStream) || context.patterns.has(value) || scope.depth >= FORM_DEPTH_MAX) return;
  context.patterns.add(value);
  const { clip } = scope.canvas.state;
  const matrix = multiply(matrixOf(document.numbers(value.dictionary.get('Matrix'))), IDENTITY);
  const canvas = new Canvas(matrix, expandBox(mediaOf(context.page), UNBOUNDED_PT), {
    work: document.work,
    unit: context.page.userUnit,
    onMark: (mark) =>
      context.onMark({
        ...mark,
        box: clip,
        outline: [],
        isInPattern: true,
        object: `${mark.object} of pattern ${pattern}`,
      }),
  });
  const own = document.dictionary(value.dictionary.get('Resources'));
  const within = ` in pattern ${pattern}`;
  interpretContent(context, contentsOf(context, value), {
    canvas,
    within,
    depth: scope.depth + 1,
    resources: own ?? scope.resources,
  });
}
const UNBOUNDED_PT = 100_000;

function drawInlineImage(context: InterpreterContext, lexer: Lexer, scope: Scope): void {
  const stream = inlineImage(lexer, (dictionary) => {
    const image = readImage(context.document, new PdfStream(dictionary, NO_BYTES), {
      key: '',
      spaces: spacesOf(context, scope),
    });
    const isPacked = image.filters.length > 0;
    const components = image.isStencil ? 1 : image.space.components;
    return isPacked ? undefined : Math.ceil((image.width * components * image.bits) / 8) * image.height;
  });
  if (!stream) {
    context.onProblem('has an inline image without an end');
    return;
  }
  const key = `inline ${context.page.number} ${lexer.at}${scope.within}`;
  const image = readImage(context.document, stream, { key, spaces: spacesOf(context, scope) });
  scope.canvas.image(image, `inline image${scope.within}`);
}
const NO_BYTES = new Uint8Array(0);
