import sharp from 'sharp';
import { optimize } from 'svgo';
import { describe, expect, test } from 'vitest';
import { DRAWN, drawVectors } from '../../../../tests/support/draw_vectors.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { type Enlarge, type VectorizeRequest, vectorizeImage } from './vectorize_image.ts';

// The engines' sharp reads no SVG; these tests do.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

/** As much to see as in a photograph. */
const photo = async (width: number) =>
  sharp(await scene(23))
    .resize(width)
    .png()
    .toBuffer();

const FLAT_ART = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" shape-rendering="crispEdges">
  <rect width="320" height="240" fill="#f2e8cf"/><circle cx="110" cy="120" r="70" fill="#bc4749"/>
  <path d="M200 40L300 200L160 200Z" fill="#386641"/><rect x="30" y="30" width="60" height="40" fill="#1d3557"/></svg>`;

test('flat artwork keeps its colours in a few shapes with high fidelity', async () => {
  const bytes = await render(FLAT_ART);
  const { svg, pathCount, width, height } = await drawVectors(bytes);
  expect([...new Set(svg.match(/#[0-9a-f]{3,6}/g))].sort()).toEqual([
    '#1d3557',
    '#386641',
    '#bc4749',
    '#f2e8cf',
  ]);
  expect([pathCount, width, height]).toEqual([4, 320, 240]);
  expect(await psnr(svg, bytes)).toBeGreaterThan(30);
});

test('antialiased edges of flat artwork produce no slivers', async () => {
  const soft = await render(FLAT_ART.replace('crispEdges', 'auto'));
  const { svg, pathCount } = await drawVectors(soft);
  expect(pathCount).toBeLessThanOrEqual(8);
  expect(await psnr(svg, soft)).toBeGreaterThan(30);
});

/** Stands for a network: cubic enlargement. */
const upscaleFourTimes: Enlarge = async ({ width, height, data }) => {
  const [wide, high] = [4 * width, 4 * height];
  const large = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize(wide, high, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer();
  return { width: wide, height: high, channels: 4, data: large };
};

test('a photograph traced in an enlarged copy keeps its size, has no dots and closer lines', async () => {
  const bytes = await photo(120);
  const plain = await drawVectors(bytes);
  const fine = await vectorizeImage({ bytes, ...DRAWN }, () => {}, upscaleFourTimes);
  expect([fine.traced, fine.width, fine.height]).toEqual(['enlarged', plain.width, plain.height]);
  expect(fine.svg).not.toContain('stroke');
  expect(fine.quality.line_error_px).toBeLessThan(plain.quality.line_error_px! / 2);
});

test('nothing is enlarged that is flat art, has few colours or would take too many nodes', async () => {
  const traced = async (bytes: Uint8Array, wanted: Partial<VectorizeRequest>) =>
    (await vectorizeImage({ bytes, ...DRAWN, ...wanted }, () => {}, upscaleFourTimes)).traced;
  expect(await traced(await render(FLAT_ART), {})).toBe('image');
  const bytes = await photo(60);
  for (const wanted of [{ colorPrecision: 4 }, { mode: 'binary' }, { nodesMax: 100, force: true }] as const)
    expect(await traced(bytes, wanted)).toBe('image');
});

test('semi-transparent pixels are thresholded with a note about hard edges', async () => {
  const haze = await sharp({
    create: { width: 30, height: 30, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.6 } },
  })
    .png()
    .toBuffer();
  const { notes, svg } = await drawVectors(haze);
  expect(notes).toEqual([expect.stringContaining('hard edges')]);
  expect(svg).toContain('#090909');
});

test('the SVG contains only shapes and paths in groups named by colour', async () => {
  const { svg, sizeBytes } = await drawVectors(await render(FLAT_ART));
  const shapes = /<(rect|circle|ellipse|path)( (x|y|width|height|cx|cy|r|rx|ry|d)="[-Mlchvz.\d ]+")+\/>\n/g;
  expect(
    svg
      .replace(shapes, '')
      .replace(/<g id="color-(\w+)" fill="#\1" shape-rendering="crispEdges">\n<\/g>\n/g, ''),
  ).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" viewBox="0 0 320 240" preserveAspectRatio="none">\n</svg>\n',
  );
  expect(sizeBytes).toBe(Buffer.byteLength(svg));
});

test('tracing is deterministic', async () => {
  const bytes = await render(FLAT_ART);
  expect(await drawVectors(bytes)).toEqual(await drawVectors(bytes));
});

test.each(['color', 'binary'] as const)('%s: transparency and holes are preserved', async (mode) => {
  const ring = await render(
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><circle cx="50" cy="50" r="30" stroke="#2244cc" stroke-width="16" fill="none"/></svg>',
  );
  const { svg } = await drawVectors(ring, { mode });
  const opacity = await sharp(Buffer.from(svg)).ensureAlpha().extractChannel(3).raw().toBuffer();
  expect([opacity[50 * 100 + 50], opacity[50 * 100 + 80], opacity[5 * 100 + 5]]).toEqual([0, 255, 0]);
});

test('binary: dark tones on light ones are traced in black', async () => {
  const page = await render(
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><rect width="80" height="80" fill="#e8d8a0"/><rect x="20" y="20" width="40" height="40" fill="#a06030"/></svg>',
  );
  const { svg, pathCount } = await drawVectors(page, { mode: 'binary' });
  expect([pathCount, svg.includes('fill="#000"')]).toEqual([1, true]);
});

test('binary: a light silhouette on transparency is traced as ink', async () => {
  const dot = await render(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="15" fill="#fff"/></svg>',
  );
  expect((await drawVectors(dot, { mode: 'binary' })).pathCount).toBe(1);
});

test('colours and PSNR never decrease as color_precision rises', async () => {
  const bytes = await photo(112);
  const steps: { colors: number; likeness: number }[] = [];
  for (let colorPrecision = 1; colorPrecision <= 10; colorPrecision++) {
    const { svg, error } = await drawVectors(bytes, { colorPrecision, filterSpeckle: 2, gradients: false });
    steps.push({ colors: new Set(svg.match(/#[0-9a-f]{3,6}/g)).size, likeness: error.psnrDb });
  }
  expect(steps).toEqual(steps.toSorted((one, other) => one.colors - other.colors));
  expect(steps).toEqual(steps.toSorted((one, other) => one.likeness - other.likeness));
  expect(steps.slice(0, 4).map(({ colors }) => colors)).toEqual([2, 4, 8, 16]);
});

test('a higher filter_speckle gives fewer shapes', async () => {
  const bytes = await photo(112);
  const counts: number[] = [];
  for (const filterSpeckle of [0, 1, 2, 3, 4, 6, 10, 40, 100])
    counts.push(shapesIn(await drawVectors(bytes, { colorPrecision: 8, filterSpeckle })));
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  expect(counts[0]).toBeGreaterThan(10 * counts.at(-1)!);
});

test('the reported PSNR matches a third-party rendering', async () => {
  const bytes = await photo(128);
  const { svg, error } = await drawVectors(bytes);
  expect(Math.abs((await psnr(svg, bytes)) - error.psnrDb)).toBeLessThan(0.3);
});

test('svgo reduces the SVG by less than 3 %', async () => {
  const bytes = await photo(128);
  const { svg, sizeBytes } = await drawVectors(bytes);
  expect(Buffer.byteLength(optimize(svg).data)).toBeGreaterThan(0.97 * sizeBytes);
});

test('a smooth colour transition becomes one gradient, or flat colours with gradients off', async () => {
  const sky = await render(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><linearGradient id="a" x2="0" y2="1"><stop stop-color="#204080"/><stop offset="1" stop-color="#e0d0a0"/></linearGradient><rect width="200" height="200" fill="url(#a)"/></svg>',
  );
  const smooth = await drawVectors(sky);
  expect([smooth.pathCount, smooth.svg.match(/<linearGradient/g)?.length]).toEqual([1, 1]);
  expect(smooth.error.psnrDb).toBeGreaterThan(40);
  const plain = await drawVectors(sky, { gradients: false });
  expect(plain.pathCount).toBeGreaterThan(3);
  expect(plain.svg).not.toContain('Gradient');
});

test('an uneven colour transition becomes one gradient with more stops', async () => {
  const dusk = await render(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><linearGradient id="a" x2="0" y2="1"><stop stop-color="#204060"/><stop offset=".5" stop-color="#30586e"/><stop offset="1" stop-color="#40708c"/></linearGradient><rect width="200" height="200" fill="url(#a)"/></svg>',
  );
  const { svg, pathCount, error } = await drawVectors(dusk);
  expect([pathCount, svg.match(/<stop/g)!.length > 2, svg.includes('offset=".5"')]).toEqual([1, true, true]);
  expect(error.psnrDb).toBeGreaterThan(45);
});

test('the gradient across a long strip renders correctly to both ends', async () => {
  const strip = await render(
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="60"><linearGradient id="a" x2="0" y2="1"><stop stop-color="#402010"/><stop offset="1" stop-color="#f0e0d0"/></linearGradient><rect width="600" height="60" fill="#308060"/><rect x="-20" y="20" width="660" height="4" fill="url(#a)" transform="rotate(1.3)"/></svg>',
  );
  const { svg, error } = await drawVectors(strip);
  expect(svg).toContain('<linearGradient');
  expect(Math.abs((await psnr(svg, strip)) - error.psnrDb)).toBeLessThan(0.3);
});

describe('dots smaller than any traced area', () => {
  const points = Array.from({ length: 400 }, (_, at) => {
    const [x, y] = [4 * (at % 20) + 4, 4 * Math.floor(at / 20) + 4];
    return `<rect x="${x}" y="${y}" width="1" height="2" fill="${at % 2 ? '#606010' : '#a0b0e0'}"/>`;
  });
  const pointed = render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="101" height="101" shape-rendering="crispEdges"><linearGradient id="g"><stop stop-color="#788088"/><stop offset="1" stop-color="#889098"/></linearGradient><rect width="101" height="101" fill="url(#g)"/>${points.join('')}</svg>`,
  );

  test('are drawn as round dots in one path per colour', async () => {
    const { svg, pathCount, nodeCount, error } = await drawVectors(await pointed);
    expect([svg.match(/h0/g)!.length > 350, svg.includes('<g id="texture"')]).toEqual([true, true]);
    expect([pathCount <= 6, nodeCount > 350]).toEqual([true, true]);
    const without = await drawVectors(await pointed, { filterSpeckle: 5 });
    expect(without.svg).not.toContain('stroke');
    expect(error.psnrDb).toBeGreaterThan(without.error.psnrDb + 3);
    expect(Math.abs((await psnr(svg, await pointed)) - error.psnrDb)).toBeLessThan(0.3);
  });

  test('are dropped at the node limit without rejecting the image', async () => {
    const { svg, nodeCount } = await drawVectors(await pointed, { nodesMax: 100 });
    expect([svg.match(/h0/g)!.length > 0, nodeCount <= 100]).toEqual([true, true]);
  });
});

test('a palette limits the output to its colours', async () => {
  const { svg } = await drawVectors(await render(FLAT_ART), {
    palette: [
      [255, 255, 255],
      [200, 0, 0],
      [0, 0, 80],
    ],
  });
  expect([...new Set(svg.match(/#[0-9a-f]{3,6}/g))].sort()).toEqual(['#000050', '#c80000', '#fff']);
});

describe.each(['color', 'binary'] as const)('noise at the finest settings, %s', (mode) => {
  const finest = { mode, colorPrecision: 10, filterSpeckle: 0, nodesMax: 5000 };

  test('is rejected with settings that work', async () => {
    const refusal = await drawVectors(await noise(160, 120), finest).catch((error: Error) => error.message);
    expect(refusal).toMatch(/more than \d+ nodes, 5000 are allowed.+filter_speckle \d+.+force/);
    const filterSpeckle = Number(/filter_speckle (\d+)/.exec(String(refusal))?.[1]);
    expect((await drawVectors(await noise(160, 120), { ...finest, filterSpeckle })).nodeCount).toBeLessThan(
      5000,
    );
  });

  test('with force fills the node limit and reports the lost detail', async () => {
    const { nodeCount, notes } = await drawVectors(await noise(160, 120), { ...finest, force: true });
    expect([nodeCount > 4000, nodeCount <= 5000]).toEqual([true, true]);
    expect(notes.join()).toContain(`detail was reduced to ${nodeCount} nodes`);
  });
});

test('slightly too much detail is rejected with a sufficient max_nodes', async () => {
  const bytes = await noise(40, 30);
  const settings = { colorPrecision: 10, filterSpeckle: 0, gradients: false };
  const refusal = await drawVectors(bytes, { ...settings, nodesMax: 4500 }).catch(
    (error: Error) => error.message,
  );
  const nodesMax = Number(/raise max_nodes to (\d+)/.exec(String(refusal))?.[1]);
  expect((await drawVectors(bytes, { ...settings, nodesMax })).nodeCount).toBe(nodesMax);
});

test('an image above the tracing resolution keeps its size', async () => {
  const { svg, width, height } = await drawVectors(
    await render(
      FLAT_ART.replace('width="320" height="240"', 'width="3200" height="2400" viewBox="0 0 320 240"'),
    ),
  );
  expect([width, height]).toEqual([3200, 2400]);
  expect(svg.slice(0, 200)).toMatch(/width="3200" height="2400" viewBox="0 0 1414 1061"/);
});

test.each([
  [1, 1],
  [1, 300],
  [300, 1],
  [2, 2],
])('an image of %i × %i pixels is traced', async (width, height) => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const { svg } = await drawVectors(bytes);
  expect(svg).toContain('#369');
  expect(await psnr(svg, bytes)).toBeGreaterThan(30);
});

test('16-bit and greyscale images are read with the right colours', async () => {
  const plain = sharp({ create: { width: 20, height: 20, channels: 3, background: '#777777' } });
  const deep = await plain.clone().toColourspace('rgb16').png().toBuffer();
  const grey = await plain.clone().toColourspace('b-w').png().toBuffer();
  expect((await drawVectors(deep)).svg).toContain('#777');
  expect((await drawVectors(grey)).svg).toContain('#777');
});

test('a fully transparent image is rejected', async () => {
  const bytes = await render('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await expect(drawVectors(bytes)).rejects.toMatchObject({ code: 'unsuitable_image' });
});

/** Without dots: their colours are fewer where areas are closer. */
const shapesIn = ({ svg }: { svg: string }): number => svg.split('<path fill').length - 1;

const render = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png().toBuffer();

/** Peak signal-to-noise ratio in dB of the drawing against the image, both on white. */
async function psnr(svg: string, bytes: Uint8Array): Promise<number> {
  const pixels = (source: Uint8Array) =>
    sharp(source, { unlimited: true }).flatten({ background: '#fff' }).toColourspace('srgb').raw().toBuffer();
  const [drawn, meant] = [await pixels(Buffer.from(svg)), await pixels(bytes)];
  const error = drawn.reduce((sum, value, index) => sum + (value - meant[index]!) ** 2, 0) / drawn.length;
  return 10 * Math.log10(255 ** 2 / Math.max(error, 1e-9));
}

function noise(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let index = 0, state = 1; index < data.length; index++) {
    state = (state * 48271) % 2147483647;
    data[index] = state & 255;
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
