import { isDrawing } from '@atelier/imaging/analysis/is_drawing.ts';
import { openPicture } from '@atelier/imaging/codecs/open_picture.ts';
import { decodeRaster } from '@atelier/imaging/codecs/read_raster.ts';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { ONNXRUNTIME } from '@atelier/imaging/onnx/open_session.ts';
import type { Raster } from '@atelier/imaging/pixels/raster.ts';
import { resample } from '@atelier/imaging/resample/resample.ts';
import { assessCondition } from '@atelier/imaging/upscale/condition.ts';
import { contactSheet, type SheetCell } from '@atelier/imaging/upscale/contact_sheet.ts';
import { detailCrop } from '@atelier/imaging/upscale/detail_crop.ts';
import { multiplicationsPerPixel } from '@atelier/imaging/upscale/model_cost.ts';
import { upscaleImage } from '@atelier/imaging/upscale/upscale_image.ts';
import { measureUpscale, type UpscaleMetrics } from '@atelier/imaging/upscale/upscale_metrics.ts';
import { COMPARISON_CROP_PX } from '../../config/limits.ts';
import { COMPARISON_MS_MAX } from './limits.ts';
import { type ModelFile, openModel } from './open_models.ts';
import { typefaceOf } from './open_typeface.ts';

export interface ComparisonRequest {
  readonly bytes: Uint8Array;
  readonly models: readonly ModelFile[];
}

export interface Compared extends UpscaleMetrics {
  readonly name: string;
  readonly weightsSha256?: string;
  readonly scale: number;
  /** Time for the region alone, with the model already open. */
  readonly seconds: number;
}

export interface Comparison {
  /** PNG */
  readonly bytes: Uint8Array;
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  readonly crop: { left: number; top: number; width: number; height: number };
  readonly condition: { kind: 'clean' | 'spoiled'; reason: string };
  readonly isDrawing: boolean;
  /** The kernel first, then models in the order they ran. */
  readonly compared: Compared[];
  /** Models for which no time was left. */
  readonly skipped: string[];
  readonly engine: { name: string; version: string };
}

/** The largest scale of any model, at which the sheet shows all results. */
const SHEET_SCALE = 4;

/** Runs every model on the most detailed region of an image, smallest first, and renders the results side by side. */
export async function runCompareUpscalers(
  { bytes, models }: ComparisonRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<Comparison> {
  const condition = await assessCondition(bytes);
  const isDrawn = await isDrawing(bytes);
  const { left, top, ...source } = await detailCrop(bytes, COMPARISON_CROP_PX);
  const kernelStarted = performance.now();
  const plain = enlargeWithKernel(source, SHEET_SCALE);
  const compared: Compared[] = [
    {
      name: 'lanczos',
      scale: SHEET_SCALE,
      seconds: since(kernelStarted),
      ...measureUpscale(source, plain, plain),
    },
  ];
  const cells: SheetCell[] = [
    { ...source, label: 'source' },
    { ...plain, label: 'lanczos' },
  ];
  const skipped: string[] = [];
  const started = performance.now();
  const bySize = [...models].sort((one, other) => one.bytes - other.bytes);
  let paceMs = 0;
  for (const [index, model] of bySize.entries()) {
    const effort = multiplicationsPerPixel(model.architecture);
    if (performance.now() - started + paceMs * effort > COMPARISON_MS_MAX) {
      skipped.push(model.name);
      continue;
    }
    onProgress(0.1 + (0.85 * index) / models.length, `Enlarging with ${model.name}`);
    const { large, seconds } = await enlargeWithModel(model, source);
    paceMs = (seconds * 1000) / effort;
    const { scale } = model.architecture;
    const figures = measureUpscale(
      source,
      large,
      scale === SHEET_SCALE ? plain : enlargeWithKernel(source, scale),
    );
    compared.push({ name: model.name, weightsSha256: model.sha256, scale, seconds, ...figures });
    cells.push({ ...large, label: model.name });
  }
  const sheet = await contactSheet(cells, typefaceOf('regular'));
  const { width, height } = await sharp(sheet).metadata();
  const engine = { ...ONNXRUNTIME };
  return {
    bytes: sheet,
    contentType: 'image/png',
    width,
    height,
    crop: { left, top, width: source.width, height: source.height },
    condition,
    isDrawing: isDrawn,
    compared,
    skipped,
    engine,
  };
}

const since = (started: number): number => (performance.now() - started) / 1000;

const enlargeWithKernel = (source: Raster, scale: number): Raster =>
  resample(source, { width: source.width * scale, height: source.height * scale, light: 'gamma' });

async function enlargeWithModel(
  model: ModelFile,
  source: Raster,
): Promise<{ large: Raster; seconds: number }> {
  const { data, ...raw } = source;
  const png = await sharp(data, { raw }).png().toBuffer();
  const network = await openModel(model);
  const started = performance.now();
  const { pieces } = await upscaleImage(png, network);
  const seconds = since(started);
  const picture = openPicture(Buffer.concat(pieces)).toColourspace('srgb').removeAlpha();
  return { large: await decodeRaster(picture), seconds };
}
