/**
 * `npm run samples [image]`: runs one image through all print and product tools, and writes results and an HTML page to `samples/`.
 * Without an image, one is drawn. `npm run samples readme [url]`: creates the images of the README with a running server.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { vectorizeImage } from '@atelier/imaging/vectorize/vectorize_image.ts';
import { runPalette } from '../src/core/workers/run_palette.ts';
import { createPixels } from '../src/core/workers/workers.ts';
import { VECTOR_NODES_DEFAULT } from '../src/features/definitions/tool_limits.ts';
import { mockupImage } from '../src/features/images/tools/mockup_image.ts';
import { createPressProfiles } from '../src/features/print/profiles/press_profiles.ts';

const PRODUCTS = mockupImage.input.shape.product.unwrap().options;
const FOLDER = new URL('../samples/', import.meta.url);

const [name, ...more] = process.argv.slice(2);
if (name === 'readme') {
  const { makeReadmePictures } = await import('./make_readme_pictures.ts');
  await makeReadmePictures(more[0] ?? 'http://127.0.0.1:8080');
  process.exit();
}
const bytes = name ? readFileSync(name) : await landscape();
mkdirSync(FOLDER, { recursive: true });
const keep = (file: string, content: Uint8Array | string) => writeFileSync(new URL(file, FOLDER), content);
const pool = createPixels({ workers: 2, pixelsInFlightMax: 1e9, queueLengthMax: 64, deadlineMs: 300_000 });
const control = { pixels: 1, signal: new AbortController().signal };
const press = await createPressProfiles({ folder: undefined }).find('coated_fogra39', 'profile');

const VIEWS = ['front', 'angle'] as const;
const shown = await Promise.all(
  PRODUCTS.flatMap((product) =>
    VIEWS.map(async (view) => {
      const made = await pool.run('mockup', { bytes, product, view, background: [245, 245, 245] }, control);
      keep(`${product}_${view}.png`, made.bytes);
      return figure(`${product}_${view}.png`, `${product}, ${view}`);
    }),
  ),
);
const sheet = (format: 'tiff' | 'pdf') => ({
  bytes,
  trimMm: { width: 210, height: 297 },
  bleedMm: 3,
  dpi: 300,
  fit: 'cover' as const,
  orientation: 'auto' as const,
  hasMarks: true,
  format,
  press,
  rendering: { intent: 'perceptual' as const, blackPointCompensation: false },
  software: 'Atelier',
  title: 'Sample sheet',
  createdAt: '2026-01-01T00:00:00Z',
  documentId: '00000000-0000-4000-8000-000000000000',
  path: fileURLToPath(new URL(`sheet.${format}`, FOLDER)),
  deadlineMs: 300_000,
});
for (const format of ['tiff', 'pdf'] as const) {
  rmSync(new URL(`sheet.${format}`, FOLDER), { force: true });
  await pool.run('print', sheet(format), control);
}
const proof = await pool.run(
  'convert_to_press',
  { bytes, dpi: 300, software: 'Atelier', press, rendering: sheet('tiff').rendering, isProof: true },
  control,
);
keep('proof.png', proof.bytes);
keep('original.png', await sharp(bytes).png().toBuffer());
const printed = await sharp(readFileSync(new URL('sheet.tiff', FOLDER)))
  .resize({ width: 900 })
  .png()
  .toBuffer();
keep('sheet.png', printed);
keep(
  'drawing.svg',
  (
    await vectorizeImage({
      bytes,
      mode: 'color',
      colorPrecision: 6,
      filterSpeckle: 4,
      palette: [],
      gradients: true,
      nodesMax: VECTOR_NODES_DEFAULT,
      force: true,
    })
  ).svg,
);
const { swatchSheet, harmony } = await runPalette({ bytes, colors: 6, isSheetWanted: true });
keep('palette.png', swatchSheet!);
const goesWith = harmony ? [harmony.complementary, ...harmony.analogous, ...harmony.triadic] : [];
await pool.close();

const swatches = goesWith.map((color) => `<i style="background:${color}">${color}</i>`);
keep(
  'index.html',
  `<!doctype html><meta charset="utf-8"><title>Atelier: samples</title>
<style>
body{font:16px/1.5 system-ui;margin:3rem auto;max-width:1200px;padding:0 1.5rem;color:#222}
h1{font-weight:600}h2{margin:3rem 0 1rem;font-weight:600}p{max-width:44rem;color:#555}
section{display:grid;grid-template-columns:repeat(3,1fr);gap:1.5rem;align-items:start}
figure{margin:0}img{width:100%;display:block;border-radius:4px}figcaption{color:#666;padding:.4rem 0}
.harmony{display:flex;flex-wrap:wrap;gap:.5rem}i{padding:1.2rem 1.4rem;font-style:normal;border-radius:4px;text-shadow:0 0 5px #fff}
</style>
<h1>One picture through print and product</h1>
<p>Everything here was made by <code>npm run samples</code> with code of this repository; no photograph was used.</p>
<h2>Products</h2><section>${shown.join('')}</section>
<h2>Print</h2><p>A4 with 3 mm bleed and crop marks, FOGRA39: as <a href="sheet.tiff">CMYK TIFF</a> and as <a href="sheet.pdf">PDF/X-4</a>, whose marks lie outside the bleed.</p>
<section>${figure('original.png', 'as sent')}${figure('proof.png', 'soft proof on coated paper')}${figure('sheet.png', 'the TIFF sheet, marks in the bleed')}</section>
<h2>Drawing and palette</h2>
<section>${figure('drawing.svg', 'redrawn as SVG')}${figure('palette.png', 'six colours with names and shares')}</section>
<p>Colours that go with it</p><div class="harmony">${swatches.join('')}</div>
`,
);
console.log(`Open ${new URL('index.html', FOLDER).pathname}`);

function figure(file: string, caption: string): string {
  return `<figure><img src="${file}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`;
}

/** Hills under a low sun. */
function landscape(): Promise<Buffer> {
  const [width, height] = [1500, 1100];
  const data = Buffer.alloc(width * height * 3);
  const hills: [base: number, rise: number, color: [number, number, number]][] = [
    [0.55, 0.09, [196, 142, 120]],
    [0.66, 0.08, [140, 96, 110]],
    [0.77, 0.07, [84, 66, 96]],
    [0.9, 0.05, [38, 40, 66]],
  ];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [u, v] = [x / width, y / height];
      const sun = Math.hypot((u - 0.64) * (width / height), v - 0.36) < 0.11;
      let color = sun ? [255, 226, 150] : [250 - 30 * v, 190 - 40 * v + 40 * (1 - v), 130 + 90 * (1 - v)];
      for (const [index, [base, rise, hill]] of hills.entries())
        if (v > base + rise * Math.sin(u * (5 + 2 * index) + index * 1.9) + 0.02 * Math.sin(u * 31 + index))
          color = hill;
      data.set(color.map(Math.round), 3 * (y * width + x));
    }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
