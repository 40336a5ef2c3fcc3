import { AtelierError } from '../../errors.ts';
import { SVG_BYTES_MAX, VECTORIZE_PIXELS_MAX } from '../../limits.ts';
import { decoded, openPicture } from '../picture/open_picture.ts';
import { drawColor, type OnProgress } from './draw_color.ts';
import { drawInk } from './draw_ink.ts';
import { OPAQUE_MIN, type Raster } from './raster.ts';
import type { Shape } from './trace.ts';
import { writeSvg } from './write_svg.ts';

export const VECTORIZE_MODES = ['color', 'binary'] as const;

export interface VectorizeRequest {
  readonly bytes: Uint8Array;
  readonly mode: (typeof VECTORIZE_MODES)[number];
  /** 1 to 10: from 2 to 256 colours. Without effect in mode binary. */
  readonly colorPrecision: number;
  /** 0 to 100: about the side, in traced pixels, of the smallest patch that is kept. */
  readonly filterSpeckle: number;
}

export interface VectorImage {
  readonly svg: string;
  /** Size of the picture, which is also the size of the drawing. */
  readonly width: number;
  readonly height: number;
  readonly pathCount: number;
  readonly sizeBytes: number;
  /** What the caller should know, such as detail that had to be left out. */
  readonly notes: readonly string[];
  readonly engine: { name: string; version: string };
}

/** A patch of filter_speckle² pixels may be a stroke; three quarters of that keeps those. */
const SPECK_PART = 0.75;

/**
 * Redraws a picture as SVG shapes. Work and size are bounded: a large picture is traced smaller, and where noise would
 * make too many shapes larger patches are merged.
 * @throws AtelierError unsuitable_image (nothing visible, or too much detail), undecodable_image, image_too_large
 */
export async function vectorizeImage(
  request: VectorizeRequest,
  onProgress: OnProgress = () => {},
): Promise<VectorImage> {
  const { picture, width, height } = await tracedPixels(request.bytes);
  refuseInvisible(picture);
  onProgress(0.2, 'Picture decoded');
  const areaMin = Math.max(1, Math.round(SPECK_PART * request.filterSpeckle ** 2));
  const { shapes, notes } = draw(picture, request, { areaMin, onProgress });
  onProgress(0.9, 'Shapes traced');
  const svg = writeSvg(shapes, { width, height }, picture);
  const sizeBytes = Buffer.byteLength(svg);
  refuseTooLarge(sizeBytes);
  return {
    svg,
    width,
    height,
    pathCount: shapes.length,
    sizeBytes,
    notes: [...notes, ...softEdges(picture)],
    engine: { name: 'vtracer', version: '0.1.0' },
  };
}

function draw(
  picture: Raster,
  { mode, colorPrecision }: VectorizeRequest,
  { areaMin, onProgress }: { areaMin: number; onProgress: OnProgress },
): { shapes: readonly Shape[]; notes: string[] } {
  const drawing =
    mode === 'color'
      ? drawColor(picture, { colorPrecision, areaMin, onProgress })
      : drawInk(picture, areaMin);
  if (drawing.areaMin <= areaMin) return { shapes: drawing.shapes, notes: [] };
  const side = Math.ceil(Math.sqrt(drawing.areaMin / SPECK_PART));
  return {
    shapes: drawing.shapes,
    notes: [
      `The picture is so finely grained that patches up to ${side} pixels wide were merged, as with filter_speckle ${side}.`,
    ],
  };
}

/** The tracer draws nothing of strips thinner than this. */
const TRACED_SIDE_PX_MIN = 4;

/** The pixels to trace, in number what suits the tracer; and the picture's own size. */
async function tracedPixels(bytes: Uint8Array): Promise<{ picture: Raster; width: number; height: number }> {
  const { autoOrient: size } = await decoded(openPicture(bytes).metadata());
  const { width, height } = size;
  const source = openPicture(bytes).toColourspace('srgb').ensureAlpha();
  if (width * height > VECTORIZE_PIXELS_MAX) {
    const scale = Math.sqrt(VECTORIZE_PIXELS_MAX / (width * height));
    const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    // Lanczos would draw dark rims along sharp edges, and the tracer would trace them.
    source.resize({ width: across!, height: down!, fit: 'fill', kernel: 'linear' });
  } else if (Math.min(width, height) < TRACED_SIDE_PX_MIN) {
    const [across, down] = [width, height].map((side) => Math.max(TRACED_SIDE_PX_MIN, side));
    source.resize({ width: across!, height: down!, fit: 'fill', kernel: 'nearest' });
  }
  const { data, info } = await decoded(source.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }));
  return { picture: { width: info.width, height: info.height, rgba: data }, width, height };
}

function refuseInvisible({ rgba }: Raster): void {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! >= OPAQUE_MIN) return;
  throw new AtelierError(
    'unsuitable_image',
    'No pixel of the picture is more than half opaque, so there is nothing to draw. Send a picture with visible pixels.',
  );
}

function refuseTooLarge(sizeBytes: number): void {
  if (sizeBytes <= SVG_BYTES_MAX) return;
  throw new AtelierError(
    'unsuitable_image',
    `The drawing would have ${Math.round(sizeBytes / 1e6)} MB; at most ${Math.floor(SVG_BYTES_MAX / 1e6)} MB are answered. Send a smaller or smoother picture, raise filter_speckle or lower color_precision.`,
  );
}

/** Hard edges are what shapes have: more than one pixel in fifty half transparent is worth a word. */
function softEdges({ rgba }: Raster): string[] {
  let soft = 0;
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! > 16 && rgba[at]! < 240) soft++;
  if (soft <= rgba.length / 4 / 50) return [];
  return ['Half-transparent parts became fully opaque or fully transparent: shapes have hard edges.'];
}
