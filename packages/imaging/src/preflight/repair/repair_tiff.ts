import { openPressProfile } from '../../color/press_profile.ts';
import { EngineError } from '../../errors/engine_error.ts';
import { convertToPress, type PressConversionResult } from '../../print/convert_to_press.ts';
import { INK_TOLERANCE } from '../../print/ink_limit.ts';
import type { PressColors } from '../../print/print_sheet.ts';
import { readTiffPages, type TiffPage } from '../tiff/read_tiff_pages.ts';
import type { PreflightReport } from '../types.ts';
import type { Repair } from './types.ts';

/** Maximum pixels of a repaired TIFF, which is held decoded and while it is written. */
const TIFF_REPAIR_PIXELS_MAX = 30_000_000;
/** Resolution written if the file states none. */
const DEFAULT_DPI = 300;
const SEPARATED = 5;
const SPOT = 0;

/** Change reported for each rule that the repair fixes. */
const CHANGES: Readonly<Record<string, string>> = {
  tiff_alpha: 'Transparency was flattened onto white.',
  tiff_layers: 'Layers were removed; the flattened image was kept.',
  tiff_16_bit: 'It was reduced to 8 bits per channel.',
  tiff_planar: 'Its channels were interleaved.',
  tiff_compression: 'It was recompressed losslessly with LZW, which every program reads.',
  tiff_big: 'It was saved as a classic TIFF.',
  tiff_turned: 'Its pixels were rotated upright.',
};
const COLORS = /^tiff_(rgb|other_colors|profile_missing|profile_wrong)$/;
const isRepairable = (rule: string): boolean =>
  rule in CHANGES || COLORS.test(rule) || /^tiff_(resolution_missing|total_ink|much_ink)$/.test(rule);

/** Findings that the repair cannot fix, with the remedy. */
const NOT_REPAIRED: Readonly<Record<string, string>> = {
  tiff_below_150_dpi: 'Its resolution was not raised. Use upscale_image, or print it smaller.',
  tiff_below_225_dpi: 'Its resolution was not raised. Use upscale_image, or print it smaller.',
  tiff_pixels_not_square: 'Its non-square pixels were kept. Resample it in the program that created it.',
};

interface TiffRepair {
  /** Decoded image: upright, with an embedded profile. */
  readonly picture: Uint8Array;
  readonly report: PreflightReport;
  /** Printing condition if the file names none; neutral colours become black only. */
  readonly colors: Omit<PressColors, 'proof'>;
  readonly software: string;
}

/**
 * Rewrites a TIFF for its printing condition: RGB and grey as inks, transparency flattened on white, no layers, ink
 * within the limit, a resolution. Pixels are not resampled.
 * @param bytes original file
 */
export async function repairTiff(
  bytes: Uint8Array,
  { picture, report, colors, software }: TiffRepair,
): Promise<Repair> {
  const pages = readTiffPages(bytes);
  const page = pages[0]!;
  const refusal = refusalOf(page, pages.length);
  if (refusal) return { changes: [], left: [refusal] };
  const rules = report.findings.map(({ rule }) => rule);
  const left = Object.keys(NOT_REPAIRED).flatMap((rule) =>
    rules.includes(rule) ? [NOT_REPAIRED[rule]!] : [],
  );
  if (!rules.some(isRepairable)) return { changes: [], left };
  const dpi = page.dpi ? Math.round(page.dpi.x) : DEFAULT_DPI;
  const own = fileColors(page, colors);
  try {
    const made = await convertToPress({ bytes: picture, dpi, software }, own, undefined);
    const changes = changesOf(rules, { page, made, condition: own.condition.name });
    return { bytes: Buffer.concat(made.pieces), changes, left };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { changes: [], left: [`Its pixels cannot be read, so nothing was repaired: ${error.message}`] };
  }
}

/** Files that are not touched, and why. */
function refusalOf(page: TiffPage, pages: number): string | undefined {
  const { bits, samples, photometric, extraSamples, inkSet, width, height } = page;
  if (pages > 1)
    return `It has ${pages} images, so nothing was repaired: a repaired TIFF has one. Send each separately (convert_image with pages extracts them).`;
  if (samples === 1 && bits[0] === 1)
    return 'It is 1-bit line art, so nothing was repaired: conversion to inks would soften its edges. It prints in black unchanged.';
  const isSeparated = photometric === SEPARATED;
  if (extraSamples.includes(SPOT) || (isSeparated && (samples > 4 || inkSet !== 1)))
    return 'It has channels besides cyan, magenta, yellow and black, so nothing was repaired: they may be spot colours, which would be lost. Remove them in the program that created it, or tell the printer what they are.';
  return width * height > TIFF_REPAIR_PIXELS_MAX
    ? `It has more than ${TIFF_REPAIR_PIXELS_MAX / 1e6} million pixels, so nothing was repaired. Use print_ready to make a sheet of it.`
    : undefined;
}

/** Uses the CMYK profile of the file if it can be read. */
function fileColors(
  { photometric, profileBytes }: TiffPage,
  colors: TiffRepair['colors'],
): TiffRepair['colors'] {
  if (photometric !== SEPARATED || !profileBytes) return colors;
  try {
    const { name, bytes, labOf } = openPressProfile(Uint8Array.from(profileBytes));
    return {
      ...colors,
      condition: { name, profile: bytes },
      labOf: (inks) => labOf(inks, 'relative'),
      fromCmyk: () => ({ note: '' }),
    };
  } catch (error) {
    if (error instanceof EngineError) return { ...colors, fromCmyk: () => ({ note: '' }) };
    throw error;
  }
}

function changesOf(
  rules: readonly string[],
  { page, made, condition }: { page: TiffPage; made: PressConversionResult; condition: string },
): readonly string[] {
  const changes = Object.keys(CHANGES).flatMap((rule) => (rules.includes(rule) ? [CHANGES[rule]!] : []));
  if (page.photometric !== SEPARATED)
    changes.unshift(
      `Its colours were converted to the inks of ${condition}. Neutral greys and black use black ink only.`,
    );
  else if (rules.some((rule) => COLORS.test(rule)))
    changes.unshift(`The profile of ${condition} was embedded; the inks were not changed.`);
  const { limit, originalMaxPercent } = made.inks;
  if (originalMaxPercent > limit.percent + INK_TOLERANCE)
    changes.push(
      `Ink was reduced from ${Math.round(originalMaxPercent)} % to the ${limit.percent} % that ${limit.condition} allows.`,
    );
  if (!page.dpi) {
    const [width, height] = [made.width, made.height].map((side) => Math.round((side / DEFAULT_DPI) * 25.4));
    changes.push(`It had no resolution: ${DEFAULT_DPI} dpi was set, which makes it ${width} × ${height} mm.`);
  }
  return changes;
}
