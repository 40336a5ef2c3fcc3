import type { IPolylineEntity } from 'dxf-parser';
import DxfParser from 'dxf-parser';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawVectors } from '../../../../tests/support/draw_vectors.ts';
import { keyedRandom } from '../watermark/keyed_random.ts';
import { flattenCurve } from './curve.ts';
import { offsetKerf, orderCuts, travelThrough } from './cut_sheets.ts';
import type { Physical } from './sheet_size.ts';
import type { VectorizeRequest } from './vectorize_image.ts';

// The engines' sharp reads no SVG; these tests do.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

// What its types call the module is the class itself.
const Reader = DxfParser as unknown as typeof DxfParser.default;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" shape-rendering="crispEdges">
  <rect width="320" height="240" fill="#f2e8cf"/><circle cx="110" cy="120" r="70" fill="#bc4749"/><circle cx="110" cy="120" r="30" fill="#f2e8cf"/>
  <path d="M200 40L300 200L160 200Z" fill="#386641"/><rect x="30" y="30" width="60" height="40" fill="#1d3557"/></svg>`;
const INK = ['#f2e8cf', '#bc4749', '#386641', '#1d3557'];

test('print: the SVG uses millimetres and one named layer per colour, largest at the bottom', async () => {
  const { svg, pathCount, sheets } = await draw(await render(LOGO), { purpose: 'print' });
  expect(svg).toMatch(/ width="160mm" height="120mm" viewBox="0 0 160 120">/);
  expect(
    [...svg.matchAll(/<g id="layer-\d" inkscape:groupmode="layer" inkscape:label="([^"]+)" fill="\1">/g)].map(
      ([, name]) => name,
    ),
  ).toEqual(INK);
  expect([pathCount, sheets]).toEqual([4, { widthMm: 160, heightMm: 120, layers: INK }]);
});

test('print: adjacent colours leave no gaps at eight times the size', async () => {
  const { svg } = await draw(await render(LOGO), { purpose: 'print' });
  const large = svg.replace(
    'width="160mm" height="120mm"',
    'width="2560" height="1920" shape-rendering="crispEdges"',
  );
  const colors = async (bytes: Buffer) => {
    const { buffer, byteOffset, length } = await sharp(bytes).ensureAlpha().raw().toBuffer();
    return new Uint32Array(buffer, byteOffset, length / 4);
  };
  const [drawn, meant] = [await colors(Buffer.from(large)), await colors(await render(LOGO))];
  let gaps = 0;
  for (const [at, color] of drawn.entries()) {
    const [x, y] = [Math.floor((at % 2560) / 8), Math.floor(at / 2560 / 8)];
    let isNear = false;
    for (let row = Math.max(0, y - 1); row <= Math.min(239, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(319, x + 1); column++)
        isNear ||= meant[row * 320 + column] === color;
    if (!isNear) gaps++;
  }
  expect(gaps).toBe(0);
});

test('cut: every outline is closed, unfilled and in its own path', async () => {
  const { svg, pathCount } = await draw(await render(LOGO));
  expect(svg.match(/<path d="M[^M"]*z"\/>/g)).toHaveLength(pathCount);
  expect(svg.match(/<g [^>]*>/g)!.every((group) => /fill="none" stroke="#/.test(group))).toBe(true);
});

test('cut: all layers together cover the image exactly once', async () => {
  const { svg } = await draw(await render(LOGO));
  const covered = new Float64Array(320 * 240);
  for (const [group] of svg.matchAll(/<g .*?<\/g>/gs)) {
    const alone = svg.replace(/<g .*<\/g>/s, group.replace(/<path d="(.*?)"\/>\n?/g, '$1'));
    const [open, data] = [alone.slice(0, alone.indexOf('<g ')), /<g [^>]*>([^<]*)<\/g>/s.exec(alone)![1]!];
    const sheet = `${open.replace('160mm', '320').replace('120mm', '240')}<path d="${data}"/></svg>`;
    const shares = await sharp(Buffer.from(sheet)).ensureAlpha().extractChannel(3).raw().toBuffer();
    for (const [pixel, share] of shares.entries()) covered[pixel]! += share / 255;
  }
  expect(covered.every((share) => Math.abs(share - 1) < 0.1)).toBe(true);
});

test('cut: sorting the outlines shortens the tool travel', async () => {
  const { cut } = (await draw(await render(LOGO))).sheets!;
  expect(cut!.travelMm).toBeLessThan(cut!.travelFoundMm);
});

const square = (x: number, y: number, side: number) => {
  const corner = (px: number, py: number) => [NaN, NaN, NaN, NaN, px, py];
  return [
    x,
    y,
    ...corner(x + side, y),
    ...corner(x + side, y + side),
    ...corner(x, y + side),
    ...corner(x, y),
  ];
};

test('inner outlines are cut before outer ones, then nearest first', () => {
  const [frame, hole, near, far] = [
    square(0, 0, 100),
    square(80, 80, 10),
    square(10, 10, 5),
    square(30, 30, 20),
  ];
  const { outlines, travel } = orderCuts([frame, hole, near, far], [0, 0]);
  const sides = outlines.map(
    (outline) => Math.max(...flattenCurve(outline)) - Math.min(...flattenCurve(outline)),
  );
  expect(sides).toEqual([5, 20, 10, 100]);
  expect(travel).toBeLessThan(travelThrough([frame, hole, near, far], [0, 0]) + 150);
});

const SIZE = {
  widthMm: 200,
  heightMm: 200,
  pixelMm: 0.1,
  steps: 1000,
  toleranceMm: 0.01,
  toMm: (curve: number[]) => curve,
};

test('kerf compensation grows a part and shrinks its hole by half a kerf', () => {
  const hole = square(40, 40, 20);
  const turned = [
    hole[0]!,
    hole[1]!,
    ...[24, 18, 12, 6, 0].slice(1).flatMap((at) => [NaN, NaN, NaN, NaN, hole[at]!, hole[at + 1]!]),
  ];
  const { outlines } = offsetKerf([square(10, 10, 80), turned], 2, SIZE);
  const widths = outlines.map((outline) => {
    const across = flattenCurve(outline).filter((_, at) => at % 2 === 0);
    return Math.max(...across) - Math.min(...across);
  });
  expect(widths.map((width) => Math.round(width * 100) / 100).sort()).toEqual([18, 82]);
});

test('a kerf wider than every part is rejected, wider than some parts is noted', async () => {
  const dots = await render(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><circle cx="50" cy="50" r="40"/><circle cx="150" cy="50" r="6"/></svg>',
  );
  const cut = { mode: 'binary', filterSpeckle: 1 } as const;
  expect((await draw(dots, { widthMm: 20, kerfMm: 2 }, cut)).notes.join()).toContain('1 part is narrower');
  await expect(draw(dots, { widthMm: 20, kerfMm: 10 }, cut)).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringContaining('kerf of 10 mm'),
  });
});

test('a third-party DXF reader finds closed polylines in millimetres on named layers', async () => {
  const { file, svg, pathCount, sheets } = await draw(await render(LOGO), { format: 'dxf', kerfMm: 0.2 });
  const read = new Reader().parseSync(Buffer.from(file!).toString())!;
  expect(read.header).toMatchObject({ $ACADVER: 'AC1009', $INSUNITS: 4 });
  expect(Object.keys(read.tables.layer.layers)).toEqual(
    INK.map((name) => `COLOR_${name.slice(1).toUpperCase()}`),
  );
  const lines = read.entities as IPolylineEntity[];
  expect([lines.length, lines.every(({ shape }) => shape)]).toEqual([pathCount, true]);
  const across = lines.flatMap(({ vertices }) => vertices.map(({ x }) => x));
  expect([Math.min(...across), Math.max(...across)]).toEqual([-0.1, 160.1]);
  expect(svg).toContain('viewBox="-0.1 -0.1 160.2 120.2"');
  expect(sheets!.cut!.toleranceMm).toBe(0.025);
});

test('the DXF flips the y axis so that the image stays upright', async () => {
  const { file } = await draw(
    await render(
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#fff"/><rect x="20" y="10" width="60" height="20"/></svg>',
    ),
    { format: 'dxf', widthMm: 100 },
    { mode: 'binary' },
  );
  const [bar] = new Reader().parseSync(Buffer.from(file!).toString())!.entities as IPolylineEntity[];
  expect(Math.min(...bar!.vertices.map(({ y }) => y))).toBeCloseTo(70, 0);
});

test.each(['print', 'cut'] as const)(
  '%s: a strip of 1 × 10,000 pixels has a bounded length',
  async (purpose) => {
    const strip = await sharp({ create: { width: 1, height: 10_000, channels: 3, background: '#369' } })
      .png()
      .toBuffer();
    await expect(draw(strip, { purpose, widthMm: 10 })).rejects.toThrow(
      /100000 mm high.+width_mm of about 1,/,
    );
    expect((await draw(strip, { purpose, widthMm: 1 })).sheets!.heightMm).toBe(10_000);
  },
);

test.each(['print', 'cut'] as const)('%s: noise stays within the node limit', async (purpose) => {
  const bytes = await sharp({
    create: {
      width: 160,
      height: 120,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const settings = { mode: 'binary', filterSpeckle: 0, nodesMax: 1000 } as const;
  await expect(draw(bytes, { purpose }, settings)).rejects.toMatchObject({ code: 'unsuitable_image' });
  expect((await draw(bytes, { purpose }, { ...settings, force: true })).nodeCount).toBeLessThanOrEqual(1000);
});

test('noise with too many points for kerf compensation is rejected', async () => {
  const bytes = await sharp(noiseOf(420 * 420), { raw: { width: 420, height: 420, channels: 1 } })
    .png()
    .toBuffer();
  const settings = { mode: 'binary', filterSpeckle: 0, nodesMax: 250_000, force: true } as const;
  await expect(draw(bytes, { purpose: 'cut', kerfMm: 0.05 }, settings)).rejects.toThrow(
    /more than 200000 points\. Raise filter_speckle/,
  );
});

const draw = (bytes: Uint8Array, physical: Partial<Physical> = {}, wanted: Partial<VectorizeRequest> = {}) =>
  drawVectors(bytes, {
    ...wanted,
    physical: { purpose: 'cut', widthMm: 160, kerfMm: 0, bridgeMm: 0, format: 'svg', ...physical },
  });

const render = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png().toBuffer();

function noiseOf(count: number): Uint8Array {
  const next = keyedRandom(5);
  return Uint8Array.from({ length: count }, () => next() & 255);
}
