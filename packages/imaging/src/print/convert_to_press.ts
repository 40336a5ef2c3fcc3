import { writePng } from '../codecs/write_png.ts';
import { applyLink, type ColorLink } from '../color/color_link.ts';
import { MISS_SCALE, OUT_OF_GAMUT_DELTA_E } from '../color/press_link.ts';
import type { Quality } from '../quality/types.ts';
import { inkLimitOfCondition } from './ink_limit.ts';
import { type InkReport, inspectInks } from './inspect_inks.ts';
import {
  appendZeroGamutError,
  artPixels,
  inkDifference,
  type PressColors,
  screenDifference,
} from './print_sheet.ts';
import { memorySink } from './sheet_file.ts';
import { writeTiff } from './write_tiff.ts';

export interface PressConversionRequest {
  readonly bytes: Uint8Array;
  /** Resolution stored in the TIFF. Pixels are not resampled. */
  readonly dpi: number;
  readonly software: string;
}

export interface PressConversionResult {
  readonly pieces: readonly Uint8Array[];
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly inks: InkReport;
  readonly notes: readonly string[];
  /** Colour difference from the source. Absent for CMYK sources. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'atelier_icc', version: '1' } as const;

const BAND_ROWS = 32;

/**
 * Converts an image, pixel for pixel, to the CMYK of a printing condition. Returns a CMYK TIFF or, with `proof`, a PNG
 * soft proof.
 * @param proof link from these inks to the screen
 * @throws EngineError undecodable_image, image_too_large
 */
export async function convertToPress(
  { bytes, dpi, software }: PressConversionRequest,
  colors: Omit<PressColors, 'proof'>,
  proof: ColorLink | undefined,
): Promise<PressConversionResult> {
  const art = await artPixels(bytes);
  const { width, height, channels, data } = art.raster;
  const source = art.isCmyk ? colors.fromCmyk(art.profile) : { link: colors.fromSrgb, note: undefined };
  const limit = inkLimitOfCondition(colors.condition);
  const inspected = inspectInks({ width, dpi, gamutErrorMin: MISS_SCALE * OUT_OF_GAMUT_DELTA_E, limit });
  const area = { left: 0, top: 0, width, height };
  const asInks = art.isCmyk || proof ? undefined : inkDifference(area, colors.labOf);
  const asProof = art.isCmyk || !proof ? undefined : screenDifference(area);
  const tiff = memorySink();
  const file = proof
    ? writePng({ width, height, channels: 3, depth: 8 })
    : writeTiff({ width, height, dpi, condition: colors.condition, software }, tiff);
  for (let top = 0; top < height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - top);
    const band = new Uint8ClampedArray(4 * width * rows);
    for (let row = 0; row < rows; row += 1) {
      const at = (top + row) * width * channels;
      const samples = new Uint8ClampedArray(data.buffer, data.byteOffset + at, width * channels);
      const converted = source.link ? applyLink(source.link, samples) : appendZeroGamutError(samples);
      asInks?.row(top + row, samples, converted);
      inspected.row(converted, band.subarray(4 * width * row, 4 * width * (row + 1)));
    }
    const written = proof ? applyLink(proof, band) : band;
    for (let row = 0; row < rows; row += 1)
      asProof?.row(
        top + row,
        data.subarray((top + row) * width * channels),
        written.subarray(3 * width * row),
      );
    await file.rows(new Uint8Array(written.buffer));
  }
  const difference = (asInks ?? asProof)?.report();
  const png = await file.finish();
  return {
    pieces: png ?? tiff.pieces,
    contentType: proof ? 'image/png' : 'image/tiff',
    width,
    height,
    inks: inspected.report(),
    notes: source.note ? [source.note] : [],
    ...(difference && { quality: { compared_at: 'source_size', ...difference } }),
    engine: ENGINE,
  };
}
