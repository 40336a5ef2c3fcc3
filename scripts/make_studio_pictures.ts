/**
 * Creates the images of the studio: sample drawings (`samples/*.svg`), and results of the tools of a running server.
 * `node scripts/make_studio_pictures.ts http://127.0.0.1:8080`. The results are committed; run it when a drawing or a tool has changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createClient } from '@atelier/client/create_client.ts';
import sharp from 'sharp';

const FROM = new URL('./samples/', import.meta.url);
const TO = new URL('../src/core/html/browser/', import.meta.url);
const RESULT_PIXELS = 480;
/** Link preview image, in the recommended size (https://ogp.me). */
const PREVIEW = { width: 1200, height: 630 };
const TOUCH_ICON_PIXELS = 180;
/** Tokens of page.css in a light theme. */
const [GROUND, MARK, INK] = ['#ededed', '#0082b3', '#181818'];
/** A narrower band has no room for its name. */
const LABEL_PIXELS = 48;

const [, , url = 'http://127.0.0.1:8080'] = process.argv;
const WALLET = '0x0000000000000000000000000000000000057d10';
const atelier = createClient({ url, bearer: WALLET });

const drawn = (name: string) => sharp(readFileSync(new URL(`${name}.svg`, FROM)));
const keep = (name: string, bytes: Uint8Array) => writeFileSync(new URL(name, TO), bytes);
/** In the size of a contact sheet on a screen with a pixel ratio of 2. */
const small = async (name: string, bytes: Uint8Array) =>
  keep(
    name,
    await sharp(bytes)
      .resize(RESULT_PIXELS, RESULT_PIXELS, { fit: 'inside' })
      .webp({ quality: 74 })
      .toBuffer(),
  );

const painting = await drawn('still_life').resize(960, 720).toBuffer();
keep('sample_still_life.webp', await sharp(painting).webp({ quality: 72 }).toBuffer());
keep('sample_pear.webp', await drawn('pear').resize(640, 640).webp({ quality: 82 }).toBuffer());
keep('sample_badge.webp', await drawn('badge').webp({ lossless: true }).toBuffer());

await atelier.register_wallet({ wallet: WALLET });
const image = await sharp(painting).png().toBuffer();
const drawing = await atelier.vectorize_image({ image, color_precision: 5, output: 'url' });
await small(
  'made_drawing.webp',
  await sharp(await atelier.download(drawing))
    .png()
    .toBuffer(),
);
const bag = await atelier.mockup_image({ image, product: 'tote_bag', output: 'url' });
await small('made_bag.webp', await atelier.download(bag));
const { colors } = await atelier.extract_palette({ image, num_colors: 6 });
keep('made_palette.svg', Buffer.from(paletteSvg(colors)));
const cut = await atelier.remove_background({
  image: await drawn('pear').resize(640, 640).png().toBuffer(),
  output: 'url',
});
await small('made_cut_out.webp', await atelier.download(cut));

// A pear with a watermark in its pixels, and a codex with a message in the file, signed by the server that
// makes it.
const inPixels = await atelier.watermark_embed({
  image: await drawn('pear').resize(640, 640).png().toBuffer(),
  payload: 'A pear, drawn for Atelier',
  output: 'url',
});
const asWebp = await sharp(await atelier.download(inPixels))
  .webp({ quality: 88 })
  .toBuffer();
// A codex may contain names beyond those that the client types declare.
const codex = {
  title: 'Pear with a message',
  soul_whisper: { message: 'You have looked closely. I am not ripe yet.', sender: 'the pear' },
};
const telling = await atelier.infuse_metadata({
  image: asWebp,
  metadata: codex,
  output: 'url',
  rights: { ai_training: 'allowed' },
});
keep('sample_telling_pear.webp', await atelier.download(telling));

keep('icon.png', await sharp(Buffer.from(iconSvg())).png({ palette: true }).toBuffer());
keep('preview.jpg', await preview());

/** The icon on the background colour of the pages. */
function iconSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 36 36" width="${TOUCH_ICON_PIXELS}" height="${TOUCH_ICON_PIXELS}"><path d="M-6 -6h36v36h-36z" fill="${GROUND}"/><path d="M6.5 0v4.5M0 6.5h4.5M17.5 24v-4.5M24 17.5h-4.5" stroke="${MARK}" stroke-width="1.6"/><path d="M6.5 6.5h11v11h-11z" fill="${INK}"/></svg>`;
}

/** The contact sheet of the home page between crop marks. */
async function preview(): Promise<Buffer> {
  const [left, top, gap, cell] = [70, 75, 24, 228];
  const [right, bottom] = [PREVIEW.width - left, top + 2 * cell + gap];
  const wide = right - left - 2 * (cell + gap);
  const at = (column: number, row: number) => ({
    left: right - cell - column * (cell + gap),
    top: top + row * (cell + gap),
  });
  const made = async (name: string) =>
    sharp(readFileSync(new URL(name, TO)))
      .resize(cell, cell, { fit: 'contain', background: '#fdfdfd' })
      .flatten({ background: '#fdfdfd' })
      .toBuffer();
  const marks = [left, right].flatMap((x) => [top, bottom].map((y) => [x, y] as const));
  const lines = marks.map(([x, y]) => {
    const [h, v] = [x === left ? -1 : 1, y === top ? -1 : 1];
    return `M${x + 10 * h} ${y}h${26 * h}M${x} ${y + 10 * v}v${26 * v}`;
  });
  const paper = `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW.width}" height="${PREVIEW.height}"><path d="M0 0h${PREVIEW.width}v${PREVIEW.height}H0z" fill="${GROUND}"/><path d="${lines.join('')}" stroke="${MARK}" stroke-width="2"/></svg>`;
  const large = await sharp(painting)
    .resize(wide, bottom - top, { fit: 'cover' })
    .toBuffer();
  return sharp(Buffer.from(paper))
    .composite([
      { input: large, left, top },
      { input: await made('made_cut_out.webp'), ...at(1, 0) },
      { input: await made('made_palette.svg'), ...at(0, 0) },
      { input: await made('made_drawing.webp'), ...at(1, 1) },
      { input: await made('made_bag.webp'), ...at(0, 1) },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer();
}

/** Bands in proportion to their shares, each with its name and value. */
function paletteSvg(colors: readonly { hex: string; name: string; percentage: number }[]): string {
  let top = 0;
  const total = colors.reduce((sum, { percentage }) => sum + percentage, 0);
  const bands = colors.map(({ hex, name, percentage }) => {
    const height = (percentage / total) * 480;
    const ink =
      Number.parseInt(hex.slice(1, 3), 16) + Number.parseInt(hex.slice(3, 5), 16) > 240 ? '#111' : '#eee';
    const isRead = height >= LABEL_PIXELS;
    const band = `<rect y="${top.toFixed(1)}" width="480" height="${(height + 0.5).toFixed(1)}" fill="${hex}"/>${isRead ? `<text x="24" y="${(top + 36).toFixed(1)}" fill="${ink}">${name}</text><text x="456" y="${(top + 36).toFixed(1)}" fill="${ink}" text-anchor="end">${hex}</text>` : ''}`;
    top += height;
    return band;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" width="480" height="480" font-family="system-ui, sans-serif" font-size="24"><title>Colours</title>${bands.join('')}</svg>\n`;
}
