import type { Plane } from '@atelier/imaging/pixels/plane.ts';
import type { Raster } from '@atelier/imaging/pixels/raster.ts';
import sharp from 'sharp';
import { COMPOSITES, type CompositeRow, type Half } from './composites_list.ts';
import { cutOutOf, type LooseObject, SHARED_IMAGES } from './loose_objects.ts';

// The engines' sharp cannot read files by name, which this benchmark needs.
sharp.unblock({ operation: ['VipsForeignLoad'] });

/** An object composed on a background it was not photographed on, with its true opacity. */
export interface Composite {
  readonly name: string;
  readonly half: Half | 'pair';
  readonly picture: Raster;
  readonly truth: Plane;
}

const LONG_PX = 640;
const SHORT_PX = 480;

/** The composites of the list, in order, with the same bytes every time. */
export async function* composites(rows: readonly CompositeRow[] = COMPOSITES): AsyncGenerator<Composite> {
  for (const row of rows) yield await compositeOf(row);
}

/** Photographs with third-party mattes. No longer used for tuning. */
export async function* mattedPairs(): AsyncGenerator<Composite> {
  for (const name of ['GT04', 'GT08', 'GT13', 'GT18', 'davis_car']) {
    const file = `${SHARED_IMAGES}matting/${name}`;
    const picture = await levelsOf(`${file}_image.${name === 'davis_car' ? 'jpg' : 'png'}`, 3);
    const { width, height, data } = await levelsOf(`${file}_alpha.png`, 1);
    yield {
      name,
      half: 'pair',
      picture,
      truth: { width, height, data: Float32Array.from(data, (level) => level / 255) },
    };
  }
}

async function levelsOf(file: string, channels: 1 | 3): Promise<Raster> {
  const { data, info } = await sharp(file)
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels, data: new Uint8Array(data) };
}

async function compositeOf(row: CompositeRow): Promise<Composite> {
  const size = row.isUpright ? { width: SHORT_PX, height: LONG_PX } : { width: LONG_PX, height: SHORT_PX };
  const ground = await groundOf(row.ground, size);
  const object = await scaled(await cutOutOf(row.object), row, size);
  const truth = { ...size, data: new Float32Array(size.width * size.height) };
  const left = Math.round(row.across * (size.width - object.width));
  const top = Math.round(row.down * (size.height - object.height));
  for (let y = 0; y < object.height; y++) {
    for (let x = 0; x < object.width; x++) {
      const to = (top + y) * size.width + left + x;
      const from = 4 * (y * object.width + (row.isMirrored ? object.width - 1 - x : x));
      const alpha = object.data[from + 3]! / 255;
      truth.data[to] = alpha;
      for (let side = 0; side < 3; side++)
        ground[3 * to + side] = Math.round(
          alpha * object.data[from + side]! + (1 - alpha) * ground[3 * to + side]!,
        );
    }
  }
  const name = `${row.object} on ${row.ground.replace(/^.*\/|\.\w+$/g, '').slice(0, 28)}`;
  return { name, half: row.half, picture: { ...size, channels: 3, data: ground }, truth };
}

/** The centre of a background image; the outer twentieth, often a frame or a mount, is left out. */
async function groundOf(file: string, { width, height }: { width: number; height: number }) {
  const source = sharp(`${SHARED_IMAGES}${file}`);
  const { width: wide, height: high } = await source.metadata();
  const inner = {
    left: Math.round(wide / 20),
    top: Math.round(high / 20),
    width: Math.round(wide * 0.9),
    height: Math.round(high * 0.9),
  };
  const data = await source
    .extract(inner)
    .resize(width, height, { fit: 'cover' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  return new Uint8Array(data);
}

/** Scales an object to its share of the image height, but at most to the image width. */
async function scaled(
  { width, height, data }: LooseObject,
  { part }: CompositeRow,
  size: { width: number; height: number },
) {
  const scale = Math.min((part * size.height) / height, size.width / width);
  const to = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const pixels = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize({ ...to, fit: 'fill' })
    .raw()
    .toBuffer();
  return { ...to, data: pixels };
}
