import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawVectors } from '../../../../tests/support/draw_vectors.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { bridgeIslands } from './cut_sheets.ts';
import type { Physical } from './sheet_size.ts';
import type { VectorizeRequest } from './vectorize_image.ts';

// The engines' sharp reads no SVG; these tests do.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

const RING = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" shape-rendering="crispEdges"><rect width="200" height="200" fill="#fff"/>
  <circle cx="100" cy="100" r="80"/><circle cx="100" cy="100" r="50" fill="#fff"/><circle cx="100" cy="100" r="30"/><circle cx="100" cy="100" r="8" fill="#fff"/></svg>`;

const SIZE = {
  widthMm: 100,
  heightMm: 100,
  pixelMm: 0.1,
  steps: 1000,
  toleranceMm: 0.01,
  toMm: (curve: number[]) => curve,
};

const rectangle = (x: number, y: number, width: number, height: number, isHole = false) => {
  const corners = [
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  const way = isHole ? corners.reverse() : corners;
  return [x, y, ...[...way, [x, y]].flatMap(([px, py]) => [NaN, NaN, NaN, NaN, px!, py!])];
};

test('a small island gets one bridge along the shortest path', () => {
  const { outlines, islands, bridges } = bridgeIslands(
    [rectangle(0, 0, 40, 40), rectangle(5, 18, 4, 4, true)],
    1,
    SIZE,
  );
  expect([islands, bridges, outlines.length]).toEqual([1, 1, 1]);
  // The bridge is 1 mm wide and on the left, where the island is 5 mm from the sheet.
  const points = outlines[0]!.filter((value) => !Number.isNaN(value));
  const rows = [...new Set(points.filter((_, at) => at % 2 === 1 && points[at - 1]! < 4.9))].filter(
    (y) => y > 1 && y < 39,
  );
  expect(Math.max(...rows) - Math.min(...rows)).toBeCloseTo(1, 2);
});

test('a large island gets two bridges', () => {
  const { outlines, bridges } = bridgeIslands(
    [rectangle(0, 0, 60, 40), rectangle(10, 10, 40, 20, true)],
    1,
    SIZE,
  );
  expect([bridges, outlines.length]).toEqual([2, 2]);
});

test('a stencil has no loose parts, nested islands included', async () => {
  const { svg, sheets } = await draw(await render(RING), { bridgeMm: 2, kerfMm: 0.2 });
  expect(sheets!.bridges!.islands).toBe(2);
  expect(await loosePartsOf(svg)).toBe(1);
  expect(await loosePartsOf((await draw(await render(RING), { bridgeMm: 0 })).svg)).toBe(3);
});

test('kerf compensation shrinks the openings and keeps the bridge width', async () => {
  const wide = async (kerfMm: number) =>
    (await draw(await render(RING), { bridgeMm: 3, kerfMm })).sheets!.cut!.cutMm;
  expect(await wide(0.4)).toBeLessThan(await wide(0));
});

test('too many islands are rejected with a remedy', () => {
  const islands = Array.from({ length: 2100 }, (_, at) =>
    rectangle(1 + 2 * (at % 50), 1 + 2 * Math.floor(at / 50), 1, 1, true),
  );
  expect(() => bridgeIslands([rectangle(0, 0, 101, 101), ...islands], 0.2, SIZE)).toThrow(
    /2100 islands .* Raise filter_speckle/,
  );
});

test('the PDF renders like the SVG at the same size', needs('pdftoppm'), async () => {
  const logo = RING.replace('r="80"', 'r="80" fill="#bc4749"').replace('r="30"', 'r="30" fill="#386641"');
  const { svg, file } = await draw(await render(logo), { purpose: 'print', format: 'pdf' });
  const folder = mkdtempSync(join(tmpdir(), 'drawing-'));
  try {
    writeFileSync(join(folder, 'drawing.pdf'), file!);
    const made = spawnSync('pdftoppm', ['-png', '-scale-to', '500', '-singlefile', 'drawing.pdf', 'page'], {
      cwd: folder,
    });
    expect(made.stderr.toString()).toBe('');
    const shown = await sharp(readFileSync(join(folder, 'page.png')))
      .removeAlpha()
      .extract({ left: 0, top: 0, width: 500, height: 500 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const meant = await sharp(
      Buffer.from(svg.replace('width="100mm" height="100mm"', 'width="500" height="500"')),
    )
      .flatten({ background: '#fff' })
      .raw()
      .toBuffer();
    const miss = shown.data.reduce((sum, value, at) => sum + Math.abs(value - meant[at]!), 0) / meant.length;
    expect(miss).toBeLessThan(1.5);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the PDF names layers and inks by colour', async () => {
  const { file } = await draw(await render(RING), { purpose: 'print', format: 'pdf' });
  const text = Buffer.from(file!).toString('latin1');
  expect(text).toMatch(/\/MediaBox \[0 0 283\.4646 283\.4646\]/);
  expect(text).toContain('/Type /OCG /Name (#fff areas)');
  expect(text).toContain('[/Separation /#23000 /DeviceRGB');
});

/** Counts the parts of the sheet after cutting: white areas of the cut, flood-filled; the frame counts as one. */
async function loosePartsOf(svg: string): Promise<number> {
  const data = [...svg.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d).join('');
  const box = /viewBox="([^"]*)"/.exec(svg)![1];
  const shown = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" viewBox="${box}"><path d="${data}" fill-rule="evenodd"/></svg>`;
  const opacity = await sharp(Buffer.from(shown)).ensureAlpha().extractChannel(3).raw().toBuffer();
  const seen = Uint8Array.from(opacity, (share) => (share > 127 ? 1 : 0));
  let parts = 0;
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] === 1) continue;
    parts++;
    const waiting = [start];
    seen[start] = 1;
    for (let pixel = waiting.pop(); pixel !== undefined; pixel = waiting.pop())
      for (const next of [
        pixel - 600,
        pixel + 600,
        pixel % 600 > 0 ? pixel - 1 : -1,
        pixel % 600 < 599 ? pixel + 1 : -1,
      ])
        if (seen[next] === 0) {
          seen[next] = 1;
          waiting.push(next);
        }
  }
  return parts;
}

const draw = (bytes: Uint8Array, physical: Partial<Physical>, wanted: Partial<VectorizeRequest> = {}) =>
  drawVectors(bytes, {
    mode: physical.purpose === 'print' ? 'color' : 'binary',
    colorPrecision: 3,
    filterSpeckle: 2,
    ...wanted,
    physical: { purpose: 'cut', widthMm: 100, kerfMm: 0, bridgeMm: 0, format: 'svg', ...physical },
  });

const render = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png().toBuffer();
