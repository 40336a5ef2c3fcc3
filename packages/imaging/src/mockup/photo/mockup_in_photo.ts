import { ART_SIDE_PX_MIN } from '../../codecs/limits.ts';
import { awaitDecoding, openPicture } from '../../codecs/open_picture.ts';
import { decodeRaster } from '../../codecs/read_raster.ts';
import { writePng } from '../../codecs/write_png.ts';
import { encodeLight } from '../../editor/light_tables.ts';
import { EngineError } from '../../errors/engine_error.ts';
import type { Plane, Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';
import type { Part } from '../../resample/resample.ts';
import { type Art, classifyOpacity, loadArt } from '../art.ts';
import { cropBySaliency, type Mockup } from '../mockup_image.ts';
import { downsample, findSurface } from './find_surface.ts';
import { detectOcclusion, type Occlusion } from './occlusion.ts';
import { estimateAspect, isConvex, type Quad, quadSize, scaleQuad } from './quad.ts';
import { foldDisplacement, type SurfaceLight, surfaceLight, whiteArtLight } from './surface_light.ts';
import { SAG, type SurfaceKind, type SurfaceMap, surfaceMap } from './surface_map.ts';

export interface PhotoMockupRequest {
  /** The artwork. */
  readonly bytes: Uint8Array;
  readonly photo: Uint8Array;
  /** As fractions of the photo's width and height; absent: a uniform surface is detected. */
  readonly corners?: Quad;
  /** White where the artwork is visible; absent: occluders of a uniform surface are detected. */
  readonly mask?: Uint8Array;
  /** Absent: `cloth` for a uniform region without straight sides, such as a garment; otherwise `flat`. */
  readonly surface?: SurfaceKind;
  /** Absent: an image fills the surface; a motif with transparency, or any artwork on a region without straight sides, is shown whole. */
  readonly fit?: Fit;
  /** Longest side of the result in pixels; the photo is never enlarged. */
  readonly side?: number;
}

type Fit = 'contain' | 'cover' | 'fill';

export interface PhotoMockup extends Mockup {
  /** As fractions of the photo's width and height. */
  readonly corners: Quad;
  readonly foundBy: 'caller' | 'frame' | 'area';
  readonly surface: SurfaceKind;
  readonly fit: Fit;
  /** Percent of the surface that is occluded. */
  readonly hiddenPercent: number;
}

const ENGINE = { name: 'atelier_mockup_in_photo', version: '1' } as const;

/**
 * Renders an artwork on a surface in a photograph, with its perspective, lighting and occlusion. Deterministic: the same request gives the
 * same bytes.
 * @throws EngineError subject_unclear if no surface is found; invalid_input, unsuitable_image, undecodable_image, image_too_large
 */
export async function mockupInPhoto(
  request: PhotoMockupRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<PhotoMockup> {
  const photo = await readPhoto(request.photo, request.side ?? 2000);
  const found = request.corners ? undefined : findSurface(photo);
  const quad = request.corners ? scaleQuad(request.corners, photo.width, photo.height) : found?.quad;
  if (!quad) throw new EngineError('subject_unclear', NO_SURFACE);
  assertValidCorners(quad, photo);
  const foundBy = found?.kind ?? 'caller';
  const surface = request.surface ?? (foundBy === 'area' ? 'cloth' : 'flat');
  onProgress(0.25, 'Surface detected');
  const placed = await placeArt(request, { quad, isFrame: foundBy !== 'area' }, photo);
  onProgress(0.5, 'Artwork placed');
  const hidden = request.mask ? await readMask(request.mask, photo) : detectOcclusion(photo, quad);
  const map = surfaceMap(quad, surface);
  const box = visibleBox(quad, photo, surface === 'cylinder' ? SAG : 0);
  const positions = visiblePixels(map, box, { photo, hidden });
  if (positions.shown.length === 0) throw new EngineError('unsuitable_image', FULLY_MASKED);
  const light = surfaceLight(photo, positions.shown);
  const folds = surface === 'cloth' ? foldDisplacement(photo, light, quadSize(quad).width) : undefined;
  compositeArt({ photo, map, box, hidden, light, folds, placed });
  onProgress(0.8, 'Artwork shaded');
  const png = writePng({ width: photo.width, height: photo.height, channels: 3, depth: 8 });
  await png.rows(photo.data);
  const { lostPercent, magnification, isBlank, fit } = placed;
  return {
    bytes: Buffer.concat(await png.finish()),
    contentType: 'image/png',
    width: photo.width,
    height: photo.height,
    engine: ENGINE,
    lostPercent,
    magnification,
    isBlank,
    corners: scaleQuad(quad, 1 / photo.width, 1 / photo.height),
    foundBy,
    surface,
    fit,
    hiddenPercent: Math.round((100 * positions.hidden) / (positions.hidden + positions.shown.length)),
  };
}

const NO_SURFACE =
  'No uniform surface with four sides was detected in the scene. Send corners: top left, top right, bottom right and bottom left, each as [x, y] in pixels or percent.';
const FULLY_MASKED =
  'The mask hides the whole surface. Send a mask that is white where the artwork is visible.';

async function readPhoto(bytes: Uint8Array, side: number): Promise<Raster> {
  const picture = openPicture(bytes).toColourspace('srgb').flatten({ background: '#ffffff' });
  const raster = await decodeRaster(picture);
  return downsample(raster, Math.min(1, side / Math.max(raster.width, raster.height)));
}

/** Occlusion alpha of each pixel from a mask: black or transparent pixels are occluded. */
async function readMask(bytes: Uint8Array, { width, height }: Size): Promise<Occlusion> {
  const { data } = await decodeRaster(
    openPicture(bytes)
      .flatten({ background: '#000000' })
      .toColourspace('b-w')
      .resize({ width, height, fit: 'fill' }),
  );
  return { width, height, data: Float32Array.from(data, (sample) => 1 - sample / 255) };
}

/** Corners may lie outside the photo by this many times its size; a side has a minimum length. */
const OUTSIDE_MAX = 1;

function assertValidCorners(quad: Quad, { width, height }: Size): void {
  const refuse = (message: string): never => {
    throw new EngineError('invalid_input', `The corners ${message}.`, {
      errors: [{ field: 'corners', code: 'invalid', message }],
    });
  };
  if (!isConvex(quad))
    refuse('do not form a convex shape in this order: send top left, top right, bottom right, bottom left');
  const isFar = quad.some(
    ([x, y]) =>
      x < -OUTSIDE_MAX * width ||
      x > 2 * OUTSIDE_MAX * width ||
      y < -OUTSIDE_MAX * height ||
      y > 2 * OUTSIDE_MAX * height,
  );
  if (isFar) refuse('lie further outside the scene than its own size');
  const sides = quadSize(quad);
  if (Math.min(sides.width, sides.height) < ART_SIDE_PX_MIN)
    refuse(`form a shape with a side shorter than ${ART_SIDE_PX_MIN} pixels`);
}

interface PlacedArt {
  readonly art: Art;
  /** Size of the artwork as fractions of the surface, centred. */
  readonly share: Size;
  readonly fit: Fit;
  readonly lostPercent: number;
  readonly magnification: number;
  readonly isBlank: boolean;
}

/** Decodes the artwork at about its rendered size, and computes how much of the surface it covers. */
async function placeArt(
  { bytes, fit: requestedFit }: PhotoMockupRequest,
  { quad, isFrame }: { readonly quad: Quad; readonly isFrame: boolean },
  photo: Size,
): Promise<PlacedArt> {
  const { autoOrient: own } = await awaitDecoding(openPicture(bytes).metadata());
  const opacity = await classifyOpacity(bytes);
  const fit = requestedFit ?? (opacity === 'whole' && isFrame ? 'cover' : 'contain');
  const aspect = estimateAspect(quad, photo);
  const sides = quadSize(quad);
  const width = Math.max(sides.width, sides.height * aspect);
  const box = { width, height: width / aspect };
  const cut =
    fit === 'cover'
      ? await cropBySaliency(bytes, box, { left: 0, top: 0, width: 0, height: 0 })
      : { focus: { x: 0.5, y: 0.5 }, lostPercent: 0 };
  const scale = fit === 'contain' ? Math.min(box.width / own.width, box.height / own.height) : 1;
  const shown = fit === 'contain' ? { width: own.width * scale, height: own.height * scale } : { ...box };
  const art = await loadArt(bytes, {
    box: fit === 'fill' ? box : shown,
    fit: fit === 'cover' ? 'cover' : 'contain',
    ...(fit === 'fill' && { isStretched: true }),
    density: 1,
    focus: cut.focus,
  });
  return {
    art,
    share: { width: shown.width / box.width, height: shown.height / box.height },
    fit,
    lostPercent: cut.lostPercent,
    magnification: Math.max(shown.width / own.width, shown.height / own.height),
    isBlank: opacity === 'none',
  };
}

/** Bounding box of the visible surface, in photo pixels. */
function visibleBox(quad: Quad, photo: Size, bend: number): Part {
  const more = bend * quadSize(quad).height * 1.5 + 2;
  const [xs, ys] = [quad.map(([x]) => x), quad.map(([, y]) => y)];
  const left = Math.max(0, Math.floor(Math.min(...xs) - 2));
  const top = Math.max(0, Math.floor(Math.min(...ys) - more));
  const right = Math.min(photo.width, Math.ceil(Math.max(...xs) + 2));
  const bottom = Math.min(photo.height, Math.ceil(Math.max(...ys) + more));
  return { left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

const isWithin = (u: number, v: number): boolean => u >= 0 && u <= 1 && v >= 0 && v <= 1;

/** Indices of the visible surface pixels, and the number of mostly occluded ones. */
function visiblePixels(
  map: SurfaceMap,
  box: Part,
  { photo, hidden }: { photo: Size; hidden: Occlusion | undefined },
) {
  const [across, down] = [new Float64Array(box.width), new Float64Array(box.width)];
  const shown = new Int32Array(box.width * box.height);
  let [shownCount, hiddenCount] = [0, 0];
  for (let y = box.top; y < box.top + box.height; y += 1) {
    map.row(y, box.left, across, down);
    for (let x = 0; x < box.width; x += 1) {
      if (!isWithin(across[x]!, down[x]!)) continue;
      const at = y * photo.width + box.left + x;
      if (hidden && hidden.data[at]! > 0.5) hiddenCount += 1;
      else shown[shownCount++] = at;
    }
  }
  return { shown: shown.subarray(0, shownCount), hidden: hiddenCount };
}

interface Painting {
  readonly photo: Raster;
  readonly map: SurfaceMap;
  readonly box: Part;
  readonly hidden: Occlusion | undefined;
  readonly light: SurfaceLight;
  readonly folds: { readonly x: Plane; readonly y: Plane } | undefined;
  readonly placed: PlacedArt;
}

/** Surface coordinates of three rows, for their derivatives. */
interface Rows {
  readonly across: Float64Array[];
  readonly down: Float64Array[];
}

/** Composites the artwork over the photo, row by row. */
function compositeArt({ photo, map, box, hidden, light, folds, placed }: Painting): void {
  const { left, top, width, height } = box;
  // One extra pixel on each side for central differences.
  const line = () => [0, 1, 2].map(() => new Float64Array(width + 2));
  const rows: Rows = { across: line(), down: line() };
  const read = (y: number, to: number) => map.row(y, left - 1, rows.across[to]!, rows.down[to]!);
  read(top - 1, 0);
  read(top, 1);
  const ink = new Float64Array(4);
  const [white, bare, mixed] = [0, 1, 2].map(() => new Float64Array(3)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const { data, width: stride } = photo;
  for (let row = 0; row < height; row += 1) {
    read(top + row + 1, 2);
    for (let x = 0; x < width; x += 1) {
      const at = (top + row) * stride + left + x;
      const shift = folds && { x: folds.x.data[at]!, y: folds.y.data[at]! };
      sampleArt(rows, x + 1, placed, shift, ink);
      const cover = 1 - (hidden?.data[at] ?? 0);
      if (cover <= 0 || ink[3]! <= 0) continue;
      for (let channel = 0; channel < 3; channel += 1) bare[channel] = light.table[data[3 * at + channel]!]!;
      mixed.set(bare);
      // A partly occluded pixel is a mixture: the ink replaces only the contribution of the surface.
      if (hidden?.bareLight && cover < 1)
        for (let channel = 0; channel < 3; channel += 1)
          bare[channel] = Math.min(hidden.bareLight[3 * at + channel]!, mixed[channel]! / cover);
      whiteArtLight(light, bare, white);
      for (let channel = 0; channel < 3; channel += 1) {
        const change = ink[channel]! * white[channel]! - ink[3]! * bare[channel]!;
        data[3 * at + channel] = Math.round(255 * encodeLight(mixed[channel]! + cover * change));
      }
    }
    for (const lines of [rows.across, rows.down]) lines.push(lines.shift()!);
  }
}

/** Above this many artwork pixels per photo pixel, along either axis, several samples are averaged. */
const SUPERSAMPLE_FROM = 1.2;
const TAPS_MAX = 8;

/** Writes the ink under a pixel to `ink`: premultiplied light and alpha, antialiased at the edges of the artwork. */
function sampleArt(
  { across, down }: Rows,
  x: number,
  { art, share }: PlacedArt,
  shift: { x: number; y: number } | undefined,
  ink: Float64Array,
): void {
  ink.fill(0);
  const [perU, perV] = [art.width / share.width, art.height / share.height];
  const ux = ((across[1]![x + 1]! - across[1]![x - 1]!) / 2) * perU;
  const uy = ((across[2]![x]! - across[0]![x]!) / 2) * perU;
  const vx = ((down[1]![x + 1]! - down[1]![x - 1]!) / 2) * perV;
  const vy = ((down[2]![x]! - down[0]![x]!) / 2) * perV;
  // In artwork pixels, from the top left corner.
  const u = (across[1]![x]! - 0.5) * perU + art.width / 2;
  const v = (down[1]![x]! - 0.5) * perV + art.height / 2;
  const [su, sv] = shift ? [u + shift.x * ux + shift.y * uy, v + shift.x * vx + shift.y * vy] : [u, v];
  const cover = coverage(su, art.width, Math.hypot(ux, uy)) * coverage(sv, art.height, Math.hypot(vx, vy));
  if (!(cover > 0)) return;
  const [tapsX, tapsY] = [tapsFor(Math.hypot(ux, vx)), tapsFor(Math.hypot(uy, vy))];
  const weight = cover / (tapsX * tapsY);
  for (let i = 0; i < tapsX; i += 1)
    for (let j = 0; j < tapsY; j += 1) {
      const [offX, offY] = [(i + 0.5) / tapsX - 0.5, (j + 0.5) / tapsY - 0.5];
      addBilinear(art, su + offX * ux + offY * uy, sv + offX * vx + offY * vy, weight, ink);
    }
}

const tapsFor = (density: number): number =>
  density <= SUPERSAMPLE_FROM ? 1 : Math.min(TAPS_MAX, Math.ceil(density));

/**
 * Antialiased coverage of a pixel by the artwork along one axis.
 * @param change of the coordinate from pixel to pixel
 */
function coverage(position: number, length: number, change: number): number {
  const away = Math.min(position, length - position) / Math.max(1e-9, change) + 0.5;
  return Math.max(0, Math.min(1, away));
}

const WHOLE = 1 / 65_535;

/** Adds a bilinear sample of the artwork; clamps beyond its edges. */
function addBilinear(
  { samples, width, height }: Art,
  u: number,
  v: number,
  weight: number,
  ink: Float64Array,
): void {
  const x = Math.max(0, Math.min(width - 1, u - 0.5));
  const y = Math.max(0, Math.min(height - 1, v - 0.5));
  const [column, row] = [Math.min(x | 0, Math.max(0, width - 2)), Math.min(y | 0, Math.max(0, height - 2))];
  const [fx, fy] = [x - column, y - row];
  // The artwork has a border of one pixel.
  const stride = 4 * (width + 2);
  const at = (row + 1) * stride + 4 * (column + 1);
  const below = at + stride;
  const each = weight * WHOLE;
  for (let channel = 0; channel < 4; channel += 1) {
    const upper = samples[at + channel]! * (1 - fx) + samples[at + 4 + channel]! * fx;
    const lower = samples[below + channel]! * (1 - fx) + samples[below + 4 + channel]! * fx;
    ink[channel]! += each * (upper * (1 - fy) + lower * fy);
  }
}
