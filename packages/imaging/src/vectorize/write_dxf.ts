import { straighten } from './curve.ts';
import { nearestAci } from './nearest_aci.ts';
import type { Physical, Sheet, SheetSize } from './sheet_size.ts';
import { isClosed } from './write_svg.ts';

/**
 * Lines as a DXF of release 12, which every machine's program reads: polylines of straight pieces, closed where the lines are,
 * in millimetres from the lower left, one layer a colour.
 * Source: Autodesk, "DXF reference", release 12 (AC1009).
 */
export function writeDxf(
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
      // The last point of a closed one is the first again, which being closed says already.
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
