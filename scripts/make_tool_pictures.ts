/**
 * Results of the tools for the sample drawings, for the pages of the studio: images into `src/core/html/browser/`, and on the console the facts
 * for `src/interfaces/web/tools/shown_results.ts`. `node scripts/make_tool_pictures.ts http://127.0.0.1:8080 [tool …]`; the images are
 * committed. The server needs its bundled models and `ppocr_recognition`.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createClient } from '@atelier/client/create_client.ts';
import sharp, { type OverlayOptions } from 'sharp';
import { SHOWN_RESULTS } from '../src/interfaces/web/tools/shown_results.ts';

const FROM = new URL('./samples/', import.meta.url);
const TO = new URL('../src/core/html/browser/', import.meta.url);
/** Twice the size of a tile. */
const WIDTH = 640;
const HEIGHT = 480;
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
/** `--mark` of the light theme. */
const MARK = '#0082b3';

const [, , url = 'http://127.0.0.1:8080', ...wanted] = process.argv;
const wallet = `0x${randomBytes(20).toString('hex')}`;
const atelier = createClient({ url, bearer: wallet });
await atelier.register_wallet({ wallet });

const drawn = (name: string, width: number, height: number) =>
  sharp(readFileSync(new URL(`${name}.svg`, FROM)))
    .resize(width, height)
    .png()
    .toBuffer();
/** @param size box that the image must fit into */
async function keep(tool: string, bytes: Uint8Array, size = { width: WIDTH, height: HEIGHT }): Promise<void> {
  const image = sharp(bytes).toColourspace('srgb');
  const webp = await image
    .resize({ ...size, fit: 'inside' })
    .webp({ quality: 76 })
    .toBuffer();
  writeFileSync(new URL(`tool_${tool}.webp`, TO), webp);
  const { width, height } = await sharp(webp).metadata();
  console.log(`tool_${tool}.webp ${width} x ${height}, ${webp.length} bytes`);
}
const tell = (tool: string, facts: object) => console.log(tool, JSON.stringify(facts).slice(0, 2_000));
const onNothing = (width: number, height: number, parts: OverlayOptions[]) =>
  sharp({ create: { width, height, channels: 4, background: CLEAR } })
    .composite(parts)
    .png()
    .toBuffer();
const inSvg = (width: number, height: number, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);

const painting = await drawn('still_life', 1280, 960);
const tile = await sharp(painting).resize(WIDTH, HEIGHT).png().toBuffer();
const badge = await drawn('badge', 640, 640);
const part = { left: 620, top: 510, width: 640, height: 440 };
const small = await sharp(painting).extract(part).resize(160, 120, { fit: 'cover' }).png().toBuffer();

/** Steps by tool name. */
const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  async edit_image() {
    const edited = await atelier.edit_image({
      image: painting,
      operations: [
        { op: 'crop', box: { x: 640, y: 330, width: 600, height: 600 } },
        { op: 'adjust', temperature: 0.3, saturation: 0.15, contrast: 0.1 },
        { op: 'border', width: '5%', color: '#fdfdfd' },
      ],
      output: 'url',
    });
    await keep('edit_image', await atelier.download(edited));
  },
  /** Side by side: a stamp on the wall, and the wall without it. */
  async erase_object() {
    const stamp = inSvg(
      1280,
      960,
      '<g transform="rotate(-12 950 230)" fill="none" stroke="#b02e26" stroke-width="10"><rect x="810" y="170" width="280" height="120" rx="14"/></g><text x="950" y="262" transform="rotate(-12 950 230)" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="90" fill="#b02e26">SOLD</text>',
    );
    const stamped = await sharp(painting)
      .composite([{ input: stamp }])
      .png()
      .toBuffer();
    const where = [{ x: 770, y: 100, width: 360, height: 260 }];
    const erased = await atelier.download(
      await atelier.erase_object({ image: stamped, where, output: 'url' }),
    );
    const area = { left: 640, top: 30, width: 600, height: 915 };
    const halves = await Promise.all(
      [stamped, erased].map((bytes) => sharp(bytes).extract(area).resize({ height: 480 }).png().toBuffer()),
    );
    const width = 315;
    await keep(
      'erase_object',
      await onNothing(width * 2 + 10, 480, [
        { input: halves[0]!, left: 0, top: 0 },
        { input: halves[1]!, left: width + 10, top: 0 },
      ]),
    );
  },
  async resize_image() {
    const sides = [440, 240, 132];
    const images = await Promise.all(
      sides.map(async (width) =>
        atelier.download(
          await atelier.resize_image({ image: painting, width, height: (width * 3) / 4, output: 'url' }),
        ),
      ),
    );
    const lefts = [0, 460, 720];
    await keep(
      'resize_image',
      await onNothing(
        852,
        330,
        images.map((bytes, at) => ({
          input: Buffer.from(bytes),
          left: lefts[at]!,
          top: 330 - (sides[at]! * 3) / 4,
        })),
      ),
    );
  },
  async convert_image() {
    const sizes = await Promise.all(
      (['webp', 'avif', 'jpeg'] as const).map(async (format) => [
        format,
        (await atelier.convert_image({ image: painting, format, output: 'url' })).size_bytes,
      ]),
    );
    tell('convert_image', { png: painting.length, ...Object.fromEntries(sizes) });
  },
  async upscale_image() {
    const large = await atelier.download(
      await atelier.upscale_image({ image: small, scale: 4, output: 'url' }),
    );
    const pixels = await sharp(small).resize(WIDTH, HEIGHT, { kernel: 'nearest' }).png().toBuffer();
    await keep('upscale_image', await halves(pixels, large));
  },
  async compare_upscalers() {
    const compared = await atelier.compare_upscalers({ image: small, output: 'url' });
    await keep('compare_upscalers', await atelier.download(compared));
  },
  compose_image: async () => keep('compose_image', await poster(), { width: 480, height: 640 }),
  async read_text() {
    const bytes = await poster();
    const { lines = [] } = (await atelier.read_text({ image: Buffer.from(bytes) })) as unknown as {
      lines?: { untrusted_text: string; x: number; y: number; width: number; height: number }[];
    };
    tell(
      'read_text',
      lines.map(({ untrusted_text: text }) => text),
    );
    const frames = lines.map(
      ({ x, y, width, height }) =>
        `<rect x="${x - 4}" y="${y - 4}" width="${width + 8}" height="${height + 8}"/>`,
    );
    const drawing = inSvg(
      600,
      800,
      `<g fill="${MARK}" fill-opacity=".12" stroke="${MARK}" stroke-width="4">${frames.join('')}</g>`,
    );
    const marked = await sharp(bytes)
      .composite([{ input: drawing }])
      .png()
      .toBuffer();
    await keep('read_text', marked, { width: 480, height: 640 });
  },
  async make_variants() {
    const { files } = (await atelier.make_variants({
      image: painting,
      set: 'social',
    } as never)) as unknown as {
      files: { name: string; width: number; height: number }[];
    };
    tell(
      'make_variants',
      files.map(({ name, width, height }) => [name, width, height]),
    );
    const images = await Promise.all(files.slice(0, 6).map((file) => atelier.download(file as never)));
    await keep('make_variants', await packed(images));
  },
  async vectorize_image() {
    const sent = await sharp(badge).resize(160).png().toBuffer();
    const drawing = await atelier.download(
      await atelier.vectorize_image({ image: sent, output: 'url', force: true }),
    );
    const pixels = await sharp(sent).extract({ left: 28, top: 28, width: 68, height: 68 }).png().toBuffer();
    const shapes = await sharp(Buffer.from(drawing), { density: 600 }).resize(1600, 1600).png().toBuffer();
    const cut = await sharp(shapes)
      .extract({ left: 280, top: 280, width: 680, height: 680 })
      .resize(480, 480)
      .png()
      .toBuffer();
    const coarse = await sharp(pixels).resize(480, 480, { kernel: 'nearest' }).png().toBuffer();
    await keep('vectorize_image', await halves(coarse, cut));
  },
  async mockup_image() {
    const mug = await atelier.mockup_image({ image: painting, product: 'mug', view: 'angle', output: 'url' });
    await keep('mockup_image', await atelier.download(mug));
  },
  async print_ready() {
    const sheet = (await atelier.print_ready({
      image: painting,
      product_size: 'a4',
      output_format: 'pdf',
      crop_marks: true,
      output: 'url',
    } as never)) as unknown as { preview: object; preflight: { checks: { check: string; state: string }[] } };
    tell('print_ready', sheet.preflight);
    await keep('print_ready', await atelier.download(sheet.preview as never));
  },
  async convert_color_profile() {
    const answer = await atelier.convert_color_profile({
      image: badge,
      soft_proof: true,
      output: 'url',
    } as never);
    tell('convert_color_profile', { ...(answer as object), image_b64: undefined });
    const [screen, print] = await Promise.all(
      [badge, await atelier.download(answer as never)].map((bytes) =>
        sharp(bytes).resize(480).png().toBuffer(),
      ),
    );
    await keep('convert_color_profile', await halves(screen!, print!));
  },
  async watermark_embed() {
    const marked = await atelier.download(
      await atelier.watermark_embed({ image: tile, payload: 'Jug, Ada 2026', output: 'url' }),
    );
    const raw = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
    const [before, after] = [await raw(tile), await raw(marked)];
    const change = Uint8ClampedArray.from(before, (value, at) => 128 + 20 * (after[at]! - value));
    const shown = sharp(change, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
    await keep('watermark_embed', await halves(marked, await shown.png().toBuffer()));
    tell('watermark_detect', await atelier.watermark_detect({ image: Buffer.from(marked) }));
  },
  async verify_provenance() {
    tell(
      'register_hash',
      await atelier.register_hash({ image: painting, title: 'Still life with jug', artist: 'Ada' }),
    );
    const blot = inSvg(1280, 960, '<circle cx="760" cy="270" r="90" fill="#e8b23a"/>');
    const painted = await sharp(painting)
      .composite([{ input: blot }])
      .png()
      .toBuffer();
    const copy = await sharp(painted)
      .rotate(-6, { background: '#fff' })
      .extract({ left: 175, top: 160, width: 1040, height: 780 })
      .jpeg({ quality: 60 })
      .toBuffer();
    const { difference, ...verified } = await atelier.verify_provenance({ image: copy });
    tell('verify_provenance', verified);
    const heat = await sharp(Buffer.from(difference!.heat_map_b64!, 'base64'))
      .resize(315, HEIGHT, { fit: 'cover' })
      .png()
      .toBuffer();
    const sent = await sharp(copy).resize(315, HEIGHT, { fit: 'cover' }).png().toBuffer();
    await keep(
      'verify_provenance',
      await onNothing(WIDTH, HEIGHT, [
        { input: sent, left: 0, top: 0 },
        { input: heat, left: 325, top: 0 },
      ]),
    );
  },
  async facts() {
    tell('inspect_image', await atelier.inspect_image({ image: painting }));
    const found = await atelier.search_artworks({ query: 'still life', limit: 4 });
    tell(
      'search_artworks',
      (found as { results: { title: string }[] }).results.map(({ title }) => title),
    );
  },
};

for (const [name, step] of Object.entries(STEPS))
  if (wanted.length === 0 || wanted.includes(name))
    await step().catch((error) => console.log(`${name} failed: ${error}`));

/** As previewed by the tiles of the studio. */
async function poster(): Promise<Uint8Array> {
  const { canvas = '', layers = '' } = SHOWN_RESULTS.compose_image?.preview ?? {};
  const input = {
    canvas: JSON.parse(canvas),
    layers: JSON.parse(layers.replaceAll('$image', painting.toString('base64'))),
    output: 'url',
  };
  return atelier.download(await atelier.compose_image(input as never));
}

/** Left half of one image, right half of another of the same size. */
async function halves(one: Uint8Array, other: Uint8Array): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(one).metadata();
  const middle = Math.round(width / 2);
  const right = await sharp(other)
    .resize(width, height, { fit: 'fill' })
    .extract({ left: middle, top: 0, width: width - middle, height })
    .toBuffer();
  const line = { create: { width: 2, height, channels: 3 as const, background: MARK } };
  return sharp(one)
    .composite([
      { input: right, left: middle, top: 0 },
      { input: line, left: middle - 1, top: 0 },
    ])
    .png()
    .toBuffer();
}

/** Images of different proportions side by side, as large as they fit. */
async function packed(images: readonly Uint8Array[]): Promise<Buffer> {
  const [width, height, gap] = [WIDTH, HEIGHT, 12];
  const cell = { width: Math.floor((width - 2 * gap) / 3), height: Math.floor((height - gap) / 2) };
  const placed = await Promise.all(
    images.map(async (bytes, at) => {
      const input = await sharp(bytes).resize(cell.width, cell.height, { fit: 'inside' }).png().toBuffer();
      const size = await sharp(input).metadata();
      const [column, line] = [at % 3, Math.floor(at / 3)];
      return {
        input,
        left: column * (cell.width + gap) + Math.round((cell.width - (size.width ?? 0)) / 2),
        top: line * (cell.height + gap) + Math.round((cell.height - (size.height ?? 0)) / 2),
      };
    }),
  );
  return onNothing(width, height, placed);
}
