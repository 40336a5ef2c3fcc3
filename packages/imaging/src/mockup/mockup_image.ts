import { ART_SIDE_PX_MIN } from '../codecs/limits.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { writePng } from '../codecs/write_png.ts';
import { EngineError } from '../errors/engine_error.ts';
import { LINEAR } from '../pixels/light.ts';
import type { Size } from '../pixels/plane.ts';
import { type ArtWish, loadArt, opacityOf } from './art.ts';
import { SCENE } from './field.ts';
import type { Light } from './light.ts';
import { canvas } from './products/canvas.ts';
import { mug } from './products/mug.ts';
import { phoneCase } from './products/phone_case.ts';
import { poster } from './products/poster.ts';
import { toteBag } from './products/tote_bag.ts';
import { tshirt } from './products/tshirt.ts';
import { type Product, renderBands, type Scene, type ViewName } from './scene.ts';
import { cutBySubject } from './subject_cut.ts';

/** Long to short side of what is shown on a product. */
const MOCKUP_ASPECT_MAX = 8;

const PRODUCTS = {
  tshirt,
  poster,
  canvas,
  phone_case: phoneCase,
  mug,
  tote_bag: toteBag,
} as const satisfies Record<string, Product>;

const ENGINE = { name: 'atelier_mockup', version: '2' } as const;

type Rgb = readonly [red: number, green: number, blue: number];

export interface MockupRequest {
  readonly bytes: Uint8Array;
  readonly product: keyof typeof PRODUCTS;
  readonly background: Rgb;
  /** Colour of the thing itself: cloth, glaze, frame. Absent: what it is usually made of. */
  readonly color?: Rgb;
  /** `front` where absent. */
  readonly view?: ViewName;
  /** Pixels a side; 2000 where absent. */
  readonly side?: number;
}

export interface Mockup {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly engine: { name: string; version: string };
  /** Percent of what stands out in the artwork that the product does not show; 0 where it shows all of it. */
  readonly lostPercent: number;
  /** Pixels of the picture for one of the artwork. */
  readonly enlarged: number;
  /** Nothing of the artwork is to be seen: it is wholly transparent. */
  readonly isBlank: boolean;
}

/**
 * Shows an artwork on a product: bent, lit and shaded as the thing is, in its own proportions, over a background of one
 * colour that only the shadow changes. The same request gives the same bytes.
 * @throws EngineError unsuitable_image, undecodable_image, image_too_large
 */
export async function mockupImage(
  { bytes, product, background, color, view = 'front', side = 2000 }: MockupRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<Mockup> {
  const { autoOrient: size } = await awaitDecoding(openPicture(bytes).metadata());
  refuseUnfit(size);
  const made: Product = PRODUCTS[product];
  const density = side / SCENE;
  const opacity = await opacityOf(bytes);
  const wish = made.wish({ ...size, isMotif: opacity !== 'whole' });
  const { focus, lostPercent } =
    wish.fit === 'cover'
      ? await cutBySubject(bytes, wish.box, wish.hidden)
      : { focus: { x: 0.5, y: 0.5 }, lostPercent: 0 };
  const art = await loadArt(bytes, { ...wish, density, focus });
  onProgress(0.2, 'Artwork placed');
  const scene = made.scene(art, { view, color: color && lightOf(color), density });
  onProgress(0.4, 'Product lit');
  const png = await paintPng(scene, { side, background }, onProgress);
  return {
    bytes: png,
    contentType: 'image/png',
    width: side,
    height: side,
    engine: ENGINE,
    lostPercent,
    enlarged: enlargement(size, wish, density),
    isBlank: opacity === 'none',
  };
}

interface Frame {
  readonly side: number;
  readonly background: Rgb;
}

async function paintPng(
  scene: Scene,
  { side, background }: Frame,
  onProgress: (fraction: number, message: string) => void,
): Promise<Uint8Array> {
  const png = writePng({ width: side, height: side, channels: 3, depth: 8 });
  let done = 0;
  for (const band of renderBands(scene, { side, background: lightOf(background), bytes: background })) {
    await png.rows(band);
    done += band.length;
    onProgress(0.4 + (0.6 * done) / (3 * side * side), 'Picture taken');
  }
  return Buffer.concat(await png.finish());
}

const lightOf = ([red, green, blue]: Rgb): Light => [LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!];

function enlargement(art: Size, { box, fit }: ArtWish, density: number): number {
  const scales = [box.width / art.width, box.height / art.height];
  return density * (fit === 'cover' ? Math.max(...scales) : Math.min(...scales));
}

function refuseUnfit({ width, height }: Size): void {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short >= ART_SIDE_PX_MIN && long / short <= MOCKUP_ASPECT_MAX) return;
  const message = `The image has ${width} × ${height} pixels; a mockup needs at least ${ART_SIDE_PX_MIN} a side, and no side more than ${MOCKUP_ASPECT_MAX} times as long as the other.`;
  throw new EngineError('unsuitable_image', message, {
    errors: [{ field: 'image', code: 'unsuitable', message, got: `${width} × ${height} pixels` }],
  });
}
