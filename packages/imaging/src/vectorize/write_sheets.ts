import { deflateSync } from 'node:zlib';
import RBush from 'rbush';
import { EngineError } from '../errors/engine_error.ts';
import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import { reverseCurve, straighten } from './curve.ts';
import {
  type CutMeasures,
  type CutPath,
  cutSheets,
  type Entry,
  entriesOf,
  nearest,
  startAt,
} from './cut_sheets.ts';
import type { Strokes } from './draw_strokes.ts';
import type { Curve } from './fit_curve.ts';
import { STRAIGHT_POINTS_MAX } from './limits.ts';
import { lengthMm, type Physical, roundMm, type Sheet, type SheetSize } from './sheet_size.ts';
import { hex, isClosed, nodesOf, pathData, type Shape } from './write_svg.ts';

/** Brightness levels of a hue in the AutoCAD colour index, darker with every second number. */
const VALUES = [1, 0.65, 0.5, 0.3, 0.15];
const GREYS = [51, 91, 132, 173, 214, 255];

/** Index and 8-bit channels: seven plain colours, 24 hues in ten kinds each, six greys. */
const INDEX = [
  [1, [255, 0, 0]],
  [2, [255, 255, 0]],
  [3, [0, 255, 0]],
  [4, [0, 255, 255]],
  [5, [0, 0, 255]],
  [6, [255, 0, 255]],
  [7, [255, 255, 255]],
  // 7 is black on a light ground.
  [7, [0, 0, 0]],
  ...Array.from({ length: 240 }, (_, at) => [at + 10, hueOf(at)] as const),
  ...GREYS.map((grey, at) => [250 + at, [grey, grey, grey]] as const),
] as const;

/** The number of the AutoCAD colour index (1 to 255) that looks most like a colour such as #bc4749 or #fff. */
function nearestAci(color: string): number {
  const digits = color.slice(1).length === 3 ? color.slice(1).replace(/./g, '$&$&') : color.slice(1);
  const channel = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  const lab = oklabOf(channel(0), channel(2), channel(4));
  const distances = INDEX.map(([, [red, green, blue]]) => oklabDistance(lab, oklabOf(red!, green!, blue!)));
  return INDEX[distances.indexOf(Math.min(...distances))]![0];
}

function hueOf(at: number): readonly number[] {
  const [hue, kind] = [Math.floor(at / 10) / 4, at % 10];
  const value = 255 * VALUES[kind >> 1]!;
  return [5, 3, 1].map((offset) => {
    const place = (offset + hue) % 6;
    const full = 1 - Math.max(0, Math.min(place, 4 - place, 1));
    // Odd numbers are half as saturated.
    return value * (kind % 2 === 0 ? full : (1 + full) / 2);
  });
}

/**
 * Writes lines as DXF release 12, which all machine software reads: polylines of straight segments, closed if the lines
 * are, in millimetres from the lower left, one layer per colour. Source: Autodesk, "DXF reference", release 12
 * (AC1009).
 */
function writeDxf(
  sheets: readonly Sheet[],
  { widthMm, heightMm, steps, toleranceMm }: SheetSize,
  { kerfMm }: Physical,
): string {
  const text = (length: number): string => String(Math.round(length * steps) / steps);
  const layers = sheets.map(({ color }) => ({ name: layerName(color), aci: nearestAci(color) }));
  const polylines = sheets.flatMap(({ outlines }, index) =>
    outlines.map((outline) => {
      const points = straighten(outline, toleranceMm);
      const { name } = layers[index]!;
      const vertices: string[] = [];
      const closed = isClosed(outline);
      // The last point of a closed polyline repeats the first, which the closed flag already implies.
      for (let at = 0; at + (closed ? 2 : 0) < points.length; at += 2)
        vertices.push(
          tags(
            [0, 'VERTEX'],
            [8, name],
            [10, text(points[at]!)],
            [20, text(heightMm - points[at + 1]!)],
            [30, '0'],
          ),
        );
      const start = tags(
        [0, 'POLYLINE'],
        [8, name],
        [66, 1],
        [10, '0'],
        [20, '0'],
        [30, '0'],
        [70, closed ? CLOSED : OPEN],
      );
      return `${start}${vertices.join('')}${tags([0, 'SEQEND'], [8, name])}`;
    }),
  );
  return [
    section(
      'HEADER',
      tags([9, '$ACADVER'], [1, 'AC1009']),
      tags([9, '$INSUNITS'], [70, MILLIMETRES], [9, '$MEASUREMENT'], [70, METRIC]),
      tags([9, '$EXTMIN'], [10, text(-kerfMm / 2)], [20, text(-kerfMm / 2)], [30, '0']),
      tags([9, '$EXTMAX'], [10, text(widthMm + kerfMm / 2)], [20, text(heightMm + kerfMm / 2)], [30, '0']),
    ),
    section('TABLES', lineTypes(), layerTable(layers)),
    section('ENTITIES', ...polylines),
    tags([0, 'EOF']),
  ].join('');
}

const OPEN = 0;
const CLOSED = 1;
const MILLIMETRES = 4;
const METRIC = 1;

type Tag = readonly [code: number, value: string | number];

const tags = (...list: readonly Tag[]): string =>
  list.map(([code, value]) => `${code}\r\n${value}\r\n`).join('');

const section = (name: string, ...content: readonly string[]): string =>
  `${tags([0, 'SECTION'], [2, name])}${content.join('')}${tags([0, 'ENDSEC'])}`;

const lineTypes = (): string =>
  tags(
    [0, 'TABLE'],
    [2, 'LTYPE'],
    [70, 1],
    [0, 'LTYPE'],
    [2, 'CONTINUOUS'],
    [70, 0],
    [3, 'Solid line'],
    [72, 65],
    [73, 0],
    [40, '0'],
    [0, 'ENDTAB'],
  );

const layerTable = (layers: readonly { name: string; aci: number }[]): string =>
  tags(
    [0, 'TABLE'],
    [2, 'LAYER'],
    [70, layers.length],
    ...layers.flatMap(({ name, aci }): Tag[] => [
      [0, 'LAYER'],
      [2, name],
      [70, 0],
      [62, aci],
      [6, 'CONTINUOUS'],
    ]),
    [0, 'ENDTAB'],
  );

/** Release 12 allows letters, digits, $, - and _ in names: #bc4749 is COLOR_BC4749. */
function layerName(color: string): string {
  const digits = color.slice(1);
  return `COLOR_${(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).toUpperCase()}`;
}

/** Width of a line that machines take for one to cut, in millimetres. */
const HAIRLINE_MM = 0.01;

/**
 * Writes a drawing in millimetres with a group per layer, which Inkscape shows as layers by name. Lines are separate
 * paths without fill, in tool order; all areas of a layer are one path.
 */
function writeLayeredSvg(
  sheets: readonly Sheet[],
  { widthMm, heightMm, steps }: SheetSize,
  { kerfMm }: Pick<Physical, 'kerfMm'>,
): string {
  const written = (length: number): number => Math.round(length * steps) / steps;
  // The outermost part is surrounded by half a kerf.
  const [edge, width, height] = [-kerfMm / 2, widthMm + kerfMm, heightMm + kerfMm].map(written);
  const groups = sheets.map(({ color, outlines, drawn }, index) => {
    const data = outlines.map((outline) => pathData(outline, steps));
    const paths = (drawn === 'lines' ? data : [data.join('')]).map((d) => `<path d="${d}"/>\n`).join('');
    const paint =
      drawn === 'lines' ? `fill="none" stroke="${color}" stroke-width="${HAIRLINE_MM}"` : `fill="${color}"`;
    return `<g id="layer-${index + 1}" inkscape:groupmode="layer" inkscape:label="${color}" ${paint}>\n${paths}</g>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="${width}mm" height="${height}mm" viewBox="${edge} ${edge} ${width} ${height}">\n${groups.join('')}</svg>\n`;
}

/** Points of a millimetre, and the longest side of a page in units (PDF 1.7, annex C). */
const MM_POINTS = 72 / 25.4;
const SIDE_UNITS_MAX = 14_400;
const [CATALOG, PAGES, PAGE, CONTENT, FIRST_LAYER] = [1, 2, 3, 4, 5];

/**
 * Writes a drawing at its size as a single-page PDF: one layer (optional content) per sheet, areas in a spot colour
 * named after its appearance, lines as hairlines in pure colours, which cutting software recognises. Syntax: ISO
 * 32000-1.
 */
function writeVectorPdf(
  sheets: readonly Sheet[],
  { widthMm, heightMm, steps }: SheetSize,
  { kerfMm }: Pick<Physical, 'kerfMm'>,
): Buffer {
  const [width, height] = [widthMm + kerfMm, heightMm + kerfMm].map((side) => side * MM_POINTS);
  const unit = Math.max(1, Math.ceil(Math.max(width!, height!) / SIDE_UNITS_MAX));
  const scale = MM_POINTS / unit;
  const write = (length: number): string => String(Math.round(length * steps) / steps);
  const page = [width! / unit, height! / unit].map((side) => side.toFixed(4));
  // Converts millimetres from the upper left to units from the lower left.
  const matrix = `${scale} 0 0 ${-scale} ${(kerfMm / 2) * scale} ${(heightMm + kerfMm / 2) * scale} cm`;
  const content = `${matrix}\n${HAIRLINE_MM} w 1 J 1 j\n${sheets.map((sheet, index) => layerContent(sheet, index, write)).join('')}`;
  const layers = sheets.map((_, index) => `${FIRST_LAYER + index} 0 R`).join(' ');
  const spots = sheets.map(({ color, drawn }, index) =>
    drawn === 'areas' ? `/C${index} ${spotOf(color)} ` : '',
  );
  return fileOf([
    `<< /Type /Catalog /Pages ${PAGES} 0 R /OCProperties << /OCGs [${layers}] /D << /Order [${layers}] /ON [${layers}] >> >> /ViewerPreferences << /PrintScaling /None >> >>`,
    `<< /Type /Pages /Kids [${PAGE} 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 ${page.join(' ')}]${unit > 1 ? ` /UserUnit ${unit}` : ''} /Resources << /Properties << ${sheets.map((_, index) => `/L${index} ${FIRST_LAYER + index} 0 R`).join(' ')} >> /ColorSpace << ${spots.join('')}>> >> /Contents ${CONTENT} 0 R >>`,
    streamOf(content),
    ...sheets.map(({ color, drawn }) => `<< /Type /OCG /Name (${color} ${drawn}) >>`),
  ]);
}

/** One layer as PDF operators; a file has it between the marks of its layer. */
function layerContent(
  { color, outlines, drawn }: Sheet,
  index: number,
  write: (length: number) => string,
): string {
  const paths = outlines.map((outline) => pathOperators(outline, write));
  const painted =
    drawn === 'areas'
      ? `/C${index} cs 1 scn\n${paths.join('')}f\n`
      : `${channelsOf(color).join(' ')} RG\n${paths.map((path) => `${path}S\n`).join('')}`;
  return `/OC /L${index} BDC\n${painted}EMC\n`;
}

function pathOperators(curve: Curve, write: (length: number) => string): string {
  let text = `${write(curve[0]!)} ${write(curve[1]!)} m\n`;
  for (let at = 2; at < curve.length; at += 6) {
    const isStraight = Number.isNaN(curve[at]);
    const numbers = curve.slice(isStraight ? at + 4 : at, at + 6).map(write);
    text += `${numbers.join(' ')} ${isStraight ? 'l' : 'c'}\n`;
  }
  return isClosed(curve) ? `${text}h\n` : text;
}

/** A colour as three shares of 1. */
function channelsOf(color: string): number[] {
  const digits = color.slice(1);
  const pairs = (digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).match(/../g)!;
  return pairs.map((pair) => Number((Number.parseInt(pair, 16) / 255).toFixed(4)));
}

/** A spot colour; its alternate shows the colour. In PDF names, # is escaped by its code. */
const spotOf = (color: string): string =>
  `[/Separation /${color.replace('#', '#23')} /DeviceRGB << /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [${channelsOf(color).join(' ')}] /N 1 >>]`;

function streamOf(text: string): Buffer {
  const data = deflateSync(Buffer.from(text, 'latin1'));
  return Buffer.concat([
    Buffer.from(`<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** A file of objects numbered from 1, the first being its catalog. */
function fileOf(objects: readonly (string | Buffer)[]): Buffer {
  // Four bytes above 127 tell transfer programs that this is no text.
  const pieces = [Buffer.from('%PDF-1.6\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let end = pieces[0]!.length;
  const places = objects.map((object, index) => {
    const place = end;
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as Buffer),
      Buffer.from('\nendobj\n'),
    ]);
    pieces.push(piece);
    end += piece.length;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${size} /Root ${CATALOG} 0 R >>\nstartxref\n${end}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(table)]);
}

/**
 * Orders lines for drawing: nearest entry first, open lines from either end (reversed if necessary), closed lines at
 * one of several points (Rosenkrantz and others, 1977); then reverses sections that shorten the path (2-opt; Croes,
 * 1958).
 */
export function orderLines(lines: readonly Curve[], from: readonly [x: number, y: number]): CutPath {
  const ready = new RBush<Entry>();
  const entries = lines.map((line, index) => (isClosed(line) ? entriesOf(line, index) : endsOf(line, index)));
  ready.load(entries.flat());
  const ordered: Curve[] = [];
  let [x, y] = from;
  let reach = 0;
  while (ordered.length < lines.length) {
    const next = nearest(ready, x, y, reach);
    for (const entry of entries[next.outline]!) ready.remove(entry);
    const line = lines[next.outline]!;
    const run = isClosed(line) ? startAt(line, next.piece) : next.piece === 0 ? line : reverseCurve(line);
    reach = Math.hypot(next.minX - x, next.minY - y);
    [x, y] = [run.at(-2)!, run.at(-1)!];
    ordered.push(run);
  }
  const outlines = shortenPath(ordered, from);
  return { outlines, travel: travelOf(outlines, from) };
}

/** Length of the travel between lines in the given order, each drawn from start to end. */
export function travelOf(lines: readonly Curve[], from: readonly [x: number, y: number]): number {
  let travel = 0;
  let [x, y] = from;
  for (const line of lines) {
    travel += Math.hypot(line[0]! - x, line[1]! - y);
    [x, y] = [line.at(-2)!, line.at(-1)!];
  }
  return travel;
}

const endsOf = (line: Curve, outline: number): Entry[] =>
  [
    [line[0]!, line[1]!],
    [line.at(-2)!, line.at(-1)!],
  ].map(([x, y], end) => ({
    minX: x!,
    minY: y!,
    maxX: x!,
    maxY: y!,
    outline,
    piece: end,
  }));

/** Limits of 2-opt: lines per section, sections in total, passes, and minimum improvement. */
const STRETCH_MAX = 400;
const STEPS_MAX = 4e6;
const ROUNDS = 4;
const WORTH = 1e-6;

/** Reverses sections of the path that shorten it. */
function shortenPath(ordered: readonly Curve[], [x0, y0]: readonly [x: number, y: number]): Curve[] {
  const count = ordered.length;
  const order = Int32Array.from({ length: count }, (_, index) => index);
  const turned = new Uint8Array(count);
  const ends = ordered.map((line) => [line[0]!, line[1]!, line.at(-2)!, line.at(-1)!]);
  /** Start (0) or end (2) of the line at a position. */
  const between = (before: number, beforeEnd: 0 | 2, after: number, afterEnd: 0 | 2): number => {
    if (after >= count) return 0;
    const [ax, ay] = before < 0 ? [x0, y0] : place(before, beforeEnd);
    const [bx, by] = place(after, afterEnd);
    return Math.hypot(ax - bx, ay - by);
  };
  const place = (at: number, end: 0 | 2): [number, number] => {
    const line = order[at]!;
    const own = turned[line] === 1 ? 2 - end : end;
    return [ends[line]![own]!, ends[line]![own + 1]!];
  };
  const stretch = Math.min(STRETCH_MAX, Math.ceil(STEPS_MAX / Math.max(1, count)));
  for (let round = 0, gained = true; gained && round < ROUNDS; round++) {
    gained = false;
    for (let first = 0; first < count; first++)
      for (let last = first; last < Math.min(count, first + stretch); last++) {
        const now = between(first - 1, 2, first, 0) + between(last, 2, last + 1, 0);
        const then = between(first - 1, 2, last, 2) + between(first, 0, last + 1, 0);
        if (then >= now - WORTH) continue;
        order.subarray(first, last + 1).reverse();
        for (let at = first; at <= last; at++) turned[order[at]!]! ^= 1;
        gained = true;
      }
  }
  return Array.from(order, (line) => (turned[line] === 1 ? reverseCurve(ordered[line]!) : ordered[line]!));
}

/** Of lines along the middle of strokes. */
interface LineMeasures {
  /** Maximum deviation of straight segments from the curves they replace; 0 if curves are kept. */
  readonly toleranceMm: number;
  readonly drawnMm: number;
  /** Travel without drawing, in the order found and in the order written. */
  readonly travelFoundMm: number;
  readonly travelMm: number;
}

/** Lasers' programs tell settings by colour: black is filled, blue is a line that does not cut through. */
const SCORE = '#00f';
const ORIGIN = [0, 0] as const;

/** Sheets of areas, and of lines in the order of drawing, each from the origin. */
function strokeSheets(pens: readonly Strokes[], size: SheetSize, { purpose, format }: Physical) {
  let [drawnMm, travelFoundMm, travelMm] = [0, 0, 0];
  const sheets = pens.flatMap(({ color, lines, areas }): Sheet[] => {
    const found = lines.map(size.toMm);
    const { outlines, travel } = orderLines(found, ORIGIN);
    travelFoundMm += travelOf(found, ORIGIN);
    travelMm += travel;
    drawnMm += outlines.reduce((sum, line) => sum + lengthMm(line, size), 0);
    const name = hex(color);
    const lineName = purpose === 'engrave' && pens.length === 1 ? SCORE : name;
    return [
      { color: name, outlines: areas.map(size.toMm), drawn: 'areas' as const },
      { color: lineName, outlines, drawn: 'lines' as const },
    ].filter((sheet) => sheet.outlines.length > 0);
  });
  const lines: LineMeasures = {
    toleranceMm: format === 'dxf' ? size.toleranceMm : 0,
    drawnMm: roundMm(drawnMm),
    travelFoundMm: roundMm(travelFoundMm),
    travelMm: roundMm(travelMm),
  };
  return { sheets, lines };
}

export interface SheetMeasures {
  readonly widthMm: number;
  readonly heightMm: number;
  /** Colours of the layers, the lowest first. */
  readonly layers: readonly string[];
  readonly cut?: CutMeasures;
  /** Stencils: number of islands that would fall out, and of bridges that hold them. */
  readonly bridges?: { readonly islands: number; readonly bridges: number };
  readonly lines?: LineMeasures;
}

/**
 * A drawing in millimetres, one layer a colour: shapes of ink, or lines to cut in the order of cutting.
 * @throws EngineError unsuitable_image where the kerf would take everything away
 */
export function writeSheets(shapes: readonly Shape[], size: SheetSize, physical: Physical) {
  const isCut = physical.purpose === 'cut';
  const drawn: Sheet[] = shapes.map(({ fill, outlines }) => ({
    color: hex('color' in fill ? fill.color : fill.stops[0]!),
    outlines: outlines.map(size.toMm),
    drawn: isCut ? 'lines' : 'areas',
  }));
  if (physical.kerfMm > 0 || physical.bridgeMm > 0 || physical.format === 'dxf')
    refuseManyPoints(drawn, size);
  const { sheets, notes, ...measures } = isCut
    ? cutSheets(drawn, size, physical)
    : { sheets: drawn, notes: [] };
  return {
    ...writeFiles(sheets, size, physical),
    notes,
    sheets: { ...measuresOf(sheets, size), ...measures },
  };
}

/** Centre lines of strokes in millimetres, and adjacent areas, in drawing order. */
export function writeStrokes(pens: readonly Strokes[], size: SheetSize, physical: Physical) {
  const { sheets, lines } = strokeSheets(pens, size, physical);
  if (physical.format === 'dxf') refuseManyPoints(sheets, size);
  return { ...writeFiles(sheets, size, physical), notes: [], sheets: { ...measuresOf(sheets, size), lines } };
}

const measuresOf = (sheets: readonly Sheet[], { widthMm, heightMm }: SheetSize) => ({
  widthMm,
  heightMm,
  layers: sheets.map(({ color }) => color),
});

function writeFiles(sheets: readonly Sheet[], size: SheetSize, physical: Physical) {
  const { format } = physical;
  return {
    svg: writeLayeredSvg(sheets, size, physical),
    ...(format === 'dxf' && { file: Buffer.from(writeDxf(sheets, size, physical)) }),
    ...(format === 'pdf' && { file: writeVectorPdf(sheets, size, physical) }),
    pathCount: sheets.reduce(
      (sum, { outlines, drawn }) => sum + (drawn === 'lines' ? outlines.length : 1),
      0,
    ),
    nodeCount: sheets.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0),
  };
}

/** Each curve becomes several straight segments, so that the limit of nodes does not bound them. */
function refuseManyPoints(drawn: readonly Sheet[], { toleranceMm }: SheetSize): void {
  let points = 0;
  for (const { outlines } of drawn)
    for (const outline of outlines) {
      points += straighten(outline, toleranceMm / 3).length / 2;
      if (points > STRAIGHT_POINTS_MAX)
        throw new EngineError(
          'unsuitable_image',
          `In straight pieces, as kerf_mm, bridges and DXF need them, the drawing has more than ${STRAIGHT_POINTS_MAX} points. Raise filter_speckle, lower color_precision, or send a smoother picture.`,
        );
    }
}
