import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createClient } from '@atelier/client/create_client.ts';
import sharp from 'sharp';

const FROM = new URL('./samples/', import.meta.url);
const TO = new URL('../docs/pictures/', import.meta.url);
const TILE = { width: 480, height: 360 };
const GAP_PX = 16;
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * Writes the images of the README and the documentation, `docs/pictures/*.webp`: results of the tools of a running server for the sample drawings. They
 * are committed; run it when a drawing or a tool has changed, on a server that has only the bundled models. @param url of the server
 */
export async function makeReadmePictures(url: string): Promise<void> {
  // The engines refuse SVG; these drawings are part of the repository and trusted.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
  // A new wallet per run: the 10 free credits cover one run.
  const wallet = `0x${randomBytes(20).toString('hex')}`;
  const atelier = createClient({ url, bearer: wallet });
  mkdirSync(TO, { recursive: true });
  await atelier.register_wallet({ wallet });
  const painting = await drawn('still_life', 960, 720);
  await writeRow('made', await makeTiles(atelier, painting));
  await writeRow('traced', await traceTiles(atelier, painting));
  await writeRow('sold', await sellTiles(atelier, painting));
  await writeRow('marked', await markTiles(atelier, painting));
}

type Atelier = ReturnType<typeof createClient>;

/** Upscaled (left half unchanged), background removed, vectorised. */
async function makeTiles(atelier: Atelier, painting: Buffer): Promise<Buffer[]> {
  const part = { left: 470, top: 390, width: 480, height: 330 };
  const sent = await sharp(painting).extract(part).resize(120, 90, { fit: 'cover' }).png().toBuffer();
  const large = await atelier.download(await atelier.upscale_image({ image: sent, scale: 4, output: 'url' }));
  const half = await sharp(sent)
    .resize({ ...TILE, kernel: 'nearest' })
    .extract({ left: 0, top: 0, width: TILE.width / 2, height: TILE.height })
    .toBuffer();
  const enlarged = await sharp(large)
    .composite([{ input: half, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const cut = await atelier.remove_background({ image: await drawn('pear', 640, 640), output: 'url' });
  const drawing = await atelier.vectorize_image({ image: painting, color_precision: 5, output: 'url' });
  return [
    enlarged,
    await onSquares(await atelier.download(cut)),
    await asTile(await atelier.download(drawing)),
  ];
}

/** A registered image, a rotated and overpainted copy, and the difference that verify_provenance reports. */
async function traceTiles(atelier: Atelier, painting: Buffer): Promise<Buffer[]> {
  await atelier.register_hash({ image: painting, title: 'Still life with a jug' });
  const blot = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="720"><circle cx="560" cy="200" r="70" fill="#e8b23a"/></svg>',
  );
  const painted = await sharp(painting)
    .composite([{ input: blot }])
    .png()
    .toBuffer();
  const copy = await sharp(painted)
    .rotate(-6, { background: '#ffffff' })
    .extract({ left: 130, top: 120, width: 780, height: 585 })
    .jpeg({ quality: 60 })
    .toBuffer();
  const { verdict, difference } = await atelier.verify_provenance({ image: copy });
  console.log(`verify_provenance: ${verdict}, ${JSON.stringify({ ...difference, heat_map_b64: undefined })}`);
  const heat = Buffer.from(difference!.heat_map_b64!, 'base64');
  return [await asTile(painting), await asTile(copy), await asTile(heat)];
}

/** On three products. */
async function sellTiles(atelier: Atelier, image: Buffer): Promise<Buffer[]> {
  const mug = await atelier.mockup_image({ image, product: 'mug', view: 'angle', output: 'url' });
  const bag = await atelier.mockup_image({ image, product: 'tote_bag', output: 'url' });
  const canvas = await atelier.mockup_image({ image, product: 'canvas', view: 'angle', output: 'url' });
  return Promise.all([mug, bag, canvas].map(async (made) => asWhole(await atelier.download(made))));
}

/** Original, watermarked image, and difference amplified 20 times. */
async function markTiles(atelier: Atelier, painting: Buffer): Promise<Buffer[]> {
  const image = await asTile(painting);
  const marked = await atelier.download(
    await atelier.watermark_embed({ image, payload: 'Jug, Ada 2026', output: 'url' }),
  );
  const raw = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
  const [before, after] = [await raw(image), await raw(marked)];
  const difference = Uint8ClampedArray.from(before, (value, at) => 128 + 20 * (after[at]! - value));
  const shown = sharp(difference, { raw: { ...TILE, channels: 3 } }).png();
  return [image, await asTile(marked), await shown.toBuffer()];
}

const drawn = (name: string, width: number, height: number): Promise<Buffer> =>
  sharp(readFileSync(new URL(`${name}.svg`, FROM)))
    .resize(width, height)
    .png()
    .toBuffer();

const asTile = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes)
    .resize({ ...TILE, fit: 'cover' })
    .toColourspace('srgb')
    .png()
    .toBuffer();

const asWhole = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes)
    .resize({ ...TILE, fit: 'contain', background: '#f5f5f5' })
    .png()
    .toBuffer();

/** A cutout on a checkerboard. */
async function onSquares(bytes: Uint8Array): Promise<Buffer> {
  const squares = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE.width}" height="${TILE.height}"><defs><pattern id="p" width="24" height="24" patternUnits="userSpaceOnUse"><path d="M0 0h24v24H0z" fill="#fff"/><path d="M0 0h12v12H0zM12 12h12v12H12z" fill="#ddd"/></pattern></defs><path d="M0 0h${TILE.width}v${TILE.height}H0z" fill="url(#p)"/></svg>`;
  const cut = await sharp(bytes).resize({ height: TILE.height, fit: 'inside' }).png().toBuffer();
  return sharp(Buffer.from(squares))
    .composite([{ input: cut }])
    .png()
    .toBuffer();
}

/** Tiles side by side, on transparency. */
async function writeRow(name: string, tiles: readonly Buffer[]): Promise<void> {
  const width = tiles.length * TILE.width + (tiles.length - 1) * GAP_PX;
  const row = sharp({ create: { width, height: TILE.height, channels: 4, background: CLEAR } }).composite(
    tiles.map((input, index) => ({ input, left: index * (TILE.width + GAP_PX), top: 0 })),
  );
  writeFileSync(new URL(`${name}.webp`, TO), await row.webp({ quality: 80 }).toBuffer());
}
