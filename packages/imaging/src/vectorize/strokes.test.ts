import type { IPolylineEntity } from 'dxf-parser';
import DxfParser from 'dxf-parser';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawVectors } from '../../../../tests/support/draw_vectors.ts';
import { keyedRandom } from '../watermark/keyed_random.ts';
import { centreLines } from './draw_strokes.ts';
import type { CentreLine } from './place_middle.ts';
import type { Physical } from './sheet_size.ts';
import { inkMask } from './skeleton_graph.ts';
import type { VectorizeRequest } from './vectorize_image.ts';
import { orderLines, travelOf } from './write_sheets.ts';

// What its types call the module is the class itself.
const Reader = DxfParser as unknown as typeof DxfParser.default;

const paper = (ink: string, width = 300, height = 200) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#fff"/><g fill="none" stroke="#000" stroke-width="4">${ink}</g></svg>`;
const CROSS = paper('<path d="M20 20L160 160M160 24L24 160"/><circle cx="230" cy="100" r="50"/>');

test('a stroke becomes one centreline of full length, accurate to 0.1 px', async () => {
  const [line, ...others] = await linesOf(paper('<path d="M40.5 70.3L260.5 70.3" stroke-width="6"/>'));
  expect(others).toEqual([]);
  const heights = [...line!.points].filter((_, at) => at % 2 === 1);
  expect(Math.max(...heights.map((y) => Math.abs(y - 70.3)))).toBeLessThan(0.1);
  const across = [...line!.points].filter((_, at) => at % 2 === 0);
  expect(Math.min(...across)).toBeCloseTo(43.5, 0);
  expect(Math.max(...across)).toBeCloseTo(257.5, 0);
});

test('strokes continue through a crossing and a ring is closed', async () => {
  const lines = await linesOf(CROSS);
  expect(lines).toHaveLength(3);
  const closed = lines.filter(({ points }) => points[0] === points.at(-2) && points[1] === points.at(-1));
  expect(closed).toHaveLength(1);
  for (const place of placesOf(closed[0]!))
    expect(Math.abs(Math.hypot(place.x - 230, place.y - 100) - 50)).toBeLessThan(0.3);
});

test('a centreline reaches the tip of a corner', async () => {
  const [line] = await linesOf(paper('<path d="M50 50H150V150" stroke-width="8"/>'));
  const nearest = Math.min(...placesOf(line!).map(({ x, y }) => Math.hypot(x - 150, y - 50)));
  expect(nearest).toBeLessThan(0.5);
});

test('bumps on an edge produce no extra lines', async () => {
  const next = keyedRandom(3);
  const bumps = Array.from(
    { length: 60 },
    (_, at) => `<circle cx="${30 + 4 * at}" cy="${94 + (next() & 12)}" r="2" fill="#000" stroke="none"/>`,
  );
  expect(await linesOf(paper(`<path d="M20 100H280" stroke-width="10"/>${bumps.join('')}`))).toHaveLength(1);
});

test('plot: each stroke is drawn once, with a short reported pen-up travel', async () => {
  const { svg, pathCount, sheets, quality } = await draw(await render(CROSS), { purpose: 'plot' });
  expect(svg).toMatch(/ width="150mm" height="100mm" /);
  expect(svg.match(/<g [^>]*>/g)).toEqual([expect.stringContaining('fill="none" stroke="#000"')]);
  expect(pathCount).toBe(3);
  // Two diagonals and a circle of 50 pixels at 0.5 mm per pixel, minus half a pen width at each of four ends.
  const meant = (Math.hypot(140, 140) + Math.hypot(136, 136) - 8 + 2 * Math.PI * 50) / 2;
  expect(Math.abs(sheets!.lines!.drawnMm - meant)).toBeLessThan(3);
  expect(sheets!.lines!.travelMm).toBeLessThanOrEqual(sheets!.lines!.travelFoundMm);
  expect(quality.line_error_px).toBeLessThan(0.4);
});

test('plot: strokes drawn at their width reproduce the image', async () => {
  expect((await draw(await render(CROSS), { purpose: 'plot' })).error.psnrDb).toBeGreaterThan(28);
});

test('engrave: wide ink becomes areas and narrow ink lines, in separate layers', async () => {
  const drawing = paper(
    '<rect x="30" y="30" width="100" height="100" fill="#000" stroke="none"/><path d="M160 40L270 150" stroke-width="2"/>',
  );
  const { svg, sheets } = await draw(await render(drawing), { purpose: 'engrave' });
  expect(sheets!.layers).toEqual(['#000', '#00f']);
  expect(svg).toMatch(/inkscape:label="#000" fill="#000">\n<path d="M[^M]*z"\/>\n<\/g>/);
  expect(svg).toMatch(/inkscape:label="#00f" fill="none" stroke="#00f"[^>]*>\n<path d="M[^zM]*"\/>\n<\/g>/);
});

test('each palette colour except the paper becomes a pen', async () => {
  const drawing = paper('<path d="M20 50H280" stroke="#c00"/><path d="M20 120H280" stroke="#06c"/>');
  const palette = [
    [204, 0, 0],
    [0, 102, 204],
    [255, 255, 255],
  ] as const;
  const { sheets, pathCount } = await draw(await render(drawing), { purpose: 'plot' }, { palette });
  expect([[...sheets!.layers].sort(), pathCount]).toEqual([['#06c', '#c00'], 2]);
});

test('a third-party DXF reader finds open polylines', async () => {
  const { file } = await draw(await render(CROSS), { purpose: 'plot', format: 'dxf' });
  const lines = new Reader().parseSync(Buffer.from(file!).toString())!.entities as IPolylineEntity[];
  expect(lines.map(({ shape }) => shape).sort()).toEqual([false, false, true]);
});

test('each line starts at its nearer end', () => {
  const line = (x0: number, y0: number, x1: number, y1: number) => [x0, y0, NaN, NaN, NaN, NaN, x1, y1];
  const lines = [line(100, 10, 0, 10), line(0, 0, 100, 0), line(0, 20, 100, 20)];
  const { outlines, travel } = orderLines(lines, [0, 0]);
  expect(outlines.map(([x]) => x)).toEqual([0, 100, 0]);
  expect(travel).toBe(20);
  expect(travelOf(lines, [0, 0])).toBeGreaterThan(200);
});

test.each([
  [1, 10_000],
  [10_000, 1],
])('an image of %i × %i pixels is traced or rejected with a reason', async (width, height) => {
  const bytes = await sharp(noiseOf(width * height), { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  const outcome = await draw(bytes, { purpose: 'plot', widthMm: width === 1 ? 1 : 1000 }).catch(
    (error) => error,
  );
  expect(outcome.svg ?? outcome.code).toMatch(/^<svg|^unsuitable_image$/);
});

test('a plot of noise stays within the node limit', async () => {
  const bytes = await sharp(noiseOf(160 * 160), { raw: { width: 160, height: 160, channels: 1 } })
    .png()
    .toBuffer();
  const { nodeCount } = await draw(
    bytes,
    { purpose: 'plot' },
    { nodesMax: 500, force: true, filterSpeckle: 0 },
  );
  expect(nodeCount).toBeLessThanOrEqual(500);
});

const placesOf = ({ points }: CentreLine) =>
  Array.from({ length: points.length / 2 }, (_, at) => ({ x: points[2 * at]!, y: points[2 * at + 1]! }));

async function linesOf(svg: string): Promise<CentreLine[]> {
  const { data, info } = await sharp(await render(svg))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const shares = {
    width: info.width,
    height: info.height,
    data: Uint8Array.from(data, (tone) => 255 - tone),
  };
  return centreLines(
    inkMask(shares, (pixel) => shares.data[pixel]! >= 128),
    shares,
  );
}

const draw = (bytes: Uint8Array, physical: Partial<Physical>, wanted: Partial<VectorizeRequest> = {}) =>
  drawVectors(bytes, {
    ...wanted,
    physical: { purpose: 'plot', widthMm: 150, kerfMm: 0, bridgeMm: 0, format: 'svg', ...physical },
  });

async function render(svg: string): Promise<Buffer> {
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function noiseOf(count: number): Uint8Array {
  const next = keyedRandom(5);
  return Uint8Array.from({ length: count }, () => next() & 255);
}
