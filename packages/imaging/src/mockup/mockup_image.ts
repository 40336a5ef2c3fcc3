import { ART_SIDE_PX_MIN } from '../codecs/limits.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { writePng } from '../codecs/write_png.ts';
import { EngineError } from '../errors/engine_error.ts';
import { oklabOf } from '../pixels/oklab.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { LINEAR } from '../pixels/srgb_transfer.ts';
import { saliencyOf } from '../segmentation/saliency.ts';
import { type Superpixels, superpixels } from '../segmentation/superpixels.ts';
import { type ArtPlacement, classifyOpacity, type Focus, type HiddenArea, loadArt } from './art.ts';
import { SCENE } from './field.ts';
import type { LinearRgb } from './light.ts';
import { billboard } from './products/billboard.ts';
import { book } from './products/book.ts';
import { bottle } from './products/bottle.ts';
import { box } from './products/box.ts';
import { businessCard } from './products/business_card.ts';
import { canvas } from './products/canvas.ts';
import { cap } from './products/cap.ts';
import { cushion } from './products/cushion.ts';
import { framedPrint } from './products/framed_print.ts';
import { hoodie } from './products/hoodie.ts';
import { laptop } from './products/laptop.ts';
import { mug } from './products/mug.ts';
import { notebook } from './products/notebook.ts';
import { phone } from './products/phone.ts';
import { phoneCase } from './products/phone_case.ts';
import { poster } from './products/poster.ts';
import { sticker } from './products/sticker.ts';
import { toteBag } from './products/tote_bag.ts';
import { tshirt } from './products/tshirt.ts';
import { type Product, renderBands, type Scene, type ViewName } from './scene.ts';

/** The best crop of an image that fills a box, and how much of its saliency is lost. */
interface Crop {
  readonly focus: Focus;
  /** Percent of the saliency that is cropped or hidden. */
  readonly lostPercent: number;
}

const SIDE_PX = 160;
const SUPERPIXELS = 220;
/** Number of candidate positions along the cropped side. */
const CROP_POSITIONS = 40;
/** Saliency below this is background. */
const SALIENCY_FLOOR = 0.35;
/** Weights of fine detail and of skin relative to saliency: a face that touches the edge is not salient. */
const DETAIL_WEIGHT = 0.5;
const SKIN_WEIGHT = 1.2;
/** Mean lightness gradient from which a superpixel is in focus. */
const DETAIL_IN_FOCUS = 0.03;
/** Mean lightness gradient of a uniform image with compression noise. */
const NOISE_GRADIENT = 0.0005;
/** Penalty for a crop at either end relative to a centred one, as a fraction of the total saliency. */
const MIDDLE_WEIGHT = 0.12;
/**
 * Width, as a fraction of the crop, of a strip inside each cut edge that should contain little saliency: otherwise the cut divides an
 * object.
 */
const STRIP = 0.08;
const STRIP_WEIGHT = 0.7;

/**
 * Tries crops along the longer side of an image and selects the one that keeps most of the saliency (`segmentation/saliency`), minus the
 * saliency under the hidden part of the box.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function cropBySaliency(bytes: Uint8Array, box: Size, hidden: HiddenArea): Promise<Crop> {
  const small = await decodeRaster(
    openPicture(bytes)
      .toColourspace('srgb')
      .flatten({ background: '#ffffff' })
      .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside' }),
  );
  const sums = summedAreaTable(importanceMap(small));
  const { width, height } = small;
  const scale = Math.max(box.width / width, box.height / height);
  const [w, h] = [box.width / scale, box.height / scale];
  const total = sums(0, 0, width, height);
  let best: Crop = { focus: { x: 0.5, y: 0.5 }, lostPercent: 0 };
  if (total <= 0) return best;
  let bestScore = -Infinity;
  for (let position = 0; position <= CROP_POSITIONS; position += 1) {
    const part = position / CROP_POSITIONS;
    const [left, top] = [part * (width - w), part * (height - h)];
    const covered = sums(
      left + hidden.left * w,
      top + hidden.top * h,
      left + (hidden.left + hidden.width) * w,
      top + (hidden.top + hidden.height) * h,
    );
    const kept = (sums(left, top, left + w, top + h) - covered) / total;
    const isAcross = w < width;
    const [sx, sy] = isAcross ? [STRIP * w, h] : [w, STRIP * h];
    const cutSaliency =
      (sums(left, top, left + sx, top + sy) + sums(left + w - sx, top + h - sy, left + w, top + h)) / total;
    const score = kept - STRIP_WEIGHT * cutSaliency - MIDDLE_WEIGHT * (2 * part - 1) ** 2;
    if (score <= bestScore) continue;
    bestScore = score;
    best = { focus: { x: part, y: part }, lostPercent: Math.round(100 * (1 - Math.min(1, kept))) };
  }
  return best;
}

/** Whether an image that fills the box is shown completely, to within one pixel. */
function isFullyShown({ width, height }: Size, box: Size, hidden: HiddenArea): boolean {
  const aspectRatio = (box.width * height) / (box.height * width);
  return Math.abs(aspectRatio - 1) * Math.max(width, height) < 1 && hidden.width * hidden.height === 0;
}

/** Importance of each pixel: saliency, fine detail and skin. */
function importanceMap({ width, height, channels, data }: Raster): Size & { readonly data: Float32Array } {
  const lab = new Float32Array(3 * width * height);
  for (let at = 0; at < width * height; at += 1) {
    const from = at * channels;
    const second = channels >= 3 ? 1 : 0;
    lab.set(oklabOf(data[from]!, data[from + second]!, data[from + 2 * second]!), 3 * at);
  }
  const patches = superpixels({ width, height, lab }, SUPERPIXELS);
  const saliency = saliencyOf(patches);
  const salient = Float32Array.from(patches.labels, (patch) =>
    Math.max(0, saliency[patch]! - SALIENCY_FLOOR),
  );
  const detail = lightnessGradient(lab, { width, height });
  const meanDetail = meansOf(detail, patches);
  const details = sumOf(detail);
  // Saliency is relative to its maximum, so a uniform image needs an absolute threshold.
  if (details < NOISE_GRADIENT * width * height)
    return { width, height, data: new Float32Array(width * height) };
  const share = (DETAIL_WEIGHT * sumOf(salient)) / details;
  return {
    width,
    height,
    data: salient.map(
      (value, at) =>
        value +
        share * detail[at]! +
        SKIN_WEIGHT *
          skinLikelihood(lab, at) *
          Math.min(1, meanDetail[patches.labels[at]!]! / DETAIL_IN_FOCUS),
    ),
  };
}

function meansOf(values: Float32Array, { count, labels }: Superpixels): Float32Array {
  const [sums, sizes] = [new Float32Array(count), new Float32Array(count)];
  for (let at = 0; at < values.length; at += 1) {
    sums[labels[at]!]! += values[at]!;
    sizes[labels[at]!]! += 1;
  }
  return sums.map((sum, patch) => sum / Math.max(1, sizes[patch]!));
}

const sumOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0);

/** Absolute lightness gradient, to the right and down. */
function lightnessGradient(lab: Float32Array, { width, height }: Size): Float32Array {
  return Float32Array.from({ length: width * height }, (_, at) => {
    const right = at % width < width - 1 ? at + 1 : at;
    const below = at + width < width * height ? at + width : at;
    return Math.abs(lab[3 * right]! - lab[3 * at]!) + Math.abs(lab[3 * below]! - lab[3 * at]!);
  });
}

/** Likelihood of skin, 0 to 1: its hue varies little between people. */
function skinLikelihood(lab: Float32Array, at: number): number {
  const [light, a, b] = [lab[3 * at]!, lab[3 * at + 1]!, lab[3 * at + 2]!];
  const chroma = Math.hypot(a, b);
  if (light < 0.2 || light > 0.92 || chroma < 0.03 || chroma > 0.16) return 0;
  return Math.exp(-(((Math.atan2(b, a) - SKIN_HUE) / 0.28) ** 2));
}

/** OKLab hue in radians, measured on the photographs used for tuning. */
const SKIN_HUE = 0.9;

/** Sums over boxes from a summed-area table (Crow, 1984); sides are rounded to whole pixels. */
function summedAreaTable({ width, height, data }: Size & { readonly data: Float32Array }) {
  const stride = width + 1;
  const table = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      table[(y + 1) * stride + x + 1] =
        data[y * width + x]! +
        table[y * stride + x + 1]! +
        table[(y + 1) * stride + x]! -
        table[y * stride + x]!;
  const within = (position: number, side: number) => Math.max(0, Math.min(side, Math.round(position)));
  return (left: number, top: number, right: number, bottom: number): number => {
    const [x0, x1] = [within(left, width), within(right, width)];
    const [y0, y1] = [within(top, height) * stride, within(bottom, height) * stride];
    return table[y1 + x1]! - table[y0 + x1]! - table[y1 + x0]! + table[y0 + x0]!;
  };
}

/** Largest aspect ratio of an artwork on a product. */
const MOCKUP_ASPECT_MAX = 8;

const PRODUCTS = {
  tshirt,
  poster,
  canvas,
  phone_case: phoneCase,
  mug,
  tote_bag: toteBag,
  framed_print: framedPrint,
  cushion,
  hoodie,
  notebook,
  book,
  business_card: businessCard,
  laptop,
  phone,
  box,
  bottle,
  cap,
  sticker,
  billboard,
} as const satisfies Record<string, Product>;

const ENGINE = { name: 'atelier_mockup', version: '2' } as const;

type Rgb = readonly [red: number, green: number, blue: number];
/** Default background. */
const PAPER: Rgb = [245, 245, 245];

export interface MockupRequest {
  readonly bytes: Uint8Array;
  readonly product: keyof typeof PRODUCTS;
  /** Default: light grey; a billboard has a sky instead. */
  readonly background?: Rgb;
  /** Colour of the product itself: cloth, glaze, frame. Default: its usual material. */
  readonly color?: Rgb;
  /** Default: `front`. */
  readonly view?: ViewName;
  /**
   * Whether the artwork fills the surface of the product: `contain` shows all of it, `cover` crops it to fill the surface. Default: `cover`
   * for an opaque image, `contain` for a motif with transparent parts.
   */
  readonly fit?: 'contain' | 'cover';
  /** Side of the square result in pixels. Default: 2000. */
  readonly side?: number;
}

export interface Mockup {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly engine: { name: string; version: string };
  /** Percent of the saliency of the artwork that the product does not show; 0 if it shows all of the artwork. */
  readonly lostPercent: number;
  /** Result pixels per artwork pixel. */
  readonly magnification: number;
  /** The artwork is fully transparent. */
  readonly isBlank: boolean;
}

/**
 * Renders an artwork on a product: in its own proportions, displaced, lit and shaded like the product, over a plain background that only
 * the shadow changes. Deterministic: the same request gives the same bytes.
 * @throws EngineError unsuitable_image, undecodable_image, image_too_large
 */
export async function mockupImage(
  { bytes, product, background, color, fit, view = 'front', side = 2000 }: MockupRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<Mockup> {
  const { autoOrient: size } = await awaitDecoding(openPicture(bytes).metadata());
  assertSuitableArt(size);
  const definition: Product = PRODUCTS[product];
  const density = side / SCENE;
  const opacity = await classifyOpacity(bytes);
  const isMotif = fit === undefined ? opacity !== 'whole' : fit === 'contain';
  const placement = definition.placement({ ...size, isMotif });
  const { focus, lostPercent } =
    placement.fit === 'cover' && !isFullyShown(size, placement.box, placement.hidden)
      ? await cropBySaliency(bytes, placement.box, placement.hidden)
      : { focus: { x: 0.5, y: 0.5 }, lostPercent: 0 };
  const art = await loadArt(bytes, { ...placement, density, focus });
  onProgress(0.2, 'Artwork placed');
  const scene = definition.scene(art, {
    view,
    color: color && linearRgb(color),
    density,
    hasSurroundings: background === undefined,
  });
  onProgress(0.4, 'Product shaded');
  const png = await paintPng(scene, { side, background: background ?? PAPER }, onProgress);
  return {
    bytes: png,
    contentType: 'image/png',
    width: side,
    height: side,
    engine: ENGINE,
    lostPercent,
    magnification: magnificationOf(size, placement, density),
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
  const png = writePng({
    width: side,
    height: side,
    channels: 3,
    depth: 8,
    hasRuns: !scene.coversBackground,
  });
  let done = 0;
  for (const band of renderBands(scene, { side, background: linearRgb(background), bytes: background })) {
    await png.rows(band);
    done += band.length;
    onProgress(0.4 + (0.6 * done) / (3 * side * side), 'Mockup rendered');
  }
  return Buffer.concat(await png.finish());
}

const linearRgb = ([red, green, blue]: Rgb): LinearRgb => [LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!];

function magnificationOf(art: Size, { box, fit }: ArtPlacement, density: number): number {
  const scales = [box.width / art.width, box.height / art.height];
  return density * (fit === 'cover' ? Math.max(...scales) : Math.min(...scales));
}

function assertSuitableArt({ width, height }: Size): void {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short >= ART_SIDE_PX_MIN && long / short <= MOCKUP_ASPECT_MAX) return;
  const message = `The image has ${width} × ${height} pixels. A mockup needs at least ${ART_SIDE_PX_MIN} pixels per side and an aspect ratio of at most ${MOCKUP_ASPECT_MAX}.`;
  throw new EngineError('unsuitable_image', message, {
    errors: [{ field: 'image', code: 'unsuitable', message, got: `${width} × ${height} pixels` }],
  });
}
