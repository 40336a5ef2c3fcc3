import { AtelierError } from '../../errors.ts';
import { ART_SIDE_PX_MIN, PRINT_ASPECT_KEPT_MIN, PRINT_FILE_BYTES_MAX } from '../../limits.ts';
import { applyLink, type ColorLink } from '../color/color_link.ts';
import { MISS_SCALE, OUT_OF_GAMUT_DELTA_E } from '../color/press_link.ts';
import { decoded, openPicture } from '../picture/open_picture.ts';
import { artPixels, withoutMiss } from './art_pixels.ts';
import { type InkReport, inspectInks } from './inspect_inks.ts';
import { markRows } from './marks.ts';
import { planSheet, type SheetPlan, type SheetWish } from './plan_sheet.ts';
import type { PrintCondition, SheetFile } from './sheet_file.ts';
import { type Pixels, sheetRows } from './sheet_rows.ts';
import { writePdf } from './write_pdf.ts';
import { writeTiff } from './write_tiff.ts';

export interface PrintWish extends SheetWish {
  readonly bytes: Uint8Array;
  readonly format: 'tiff' | 'pdf';
  readonly hasMarks: boolean;
  readonly software: string;
  readonly title: string;
  /** ISO 8601, whole seconds, UTC. */
  readonly createdAt: string;
  /** A UUID. */
  readonly documentId: string;
}

/** How pictures become ink. */
export interface PressColors {
  readonly condition: PrintCondition;
  readonly fromSrgb: ColorLink;
  /** For a CMYK picture with this profile; undefined where its numbers are to be printed as they are. */
  readonly fromCmyk: (profile: Uint8Array | undefined) => { link?: ColorLink; note: string };
}

export interface PrintedSheet {
  readonly pieces: readonly Uint8Array[];
  readonly plan: SheetPlan;
  readonly inks: InkReport;
  /** Pixels of the picture, turned as it is to be seen. */
  readonly picture: { readonly width: number; readonly height: number };
  readonly hasTransparency: boolean;
  /** Whether marks were drawn: a TIFF without bleed has no room for any. */
  readonly hasMarks: boolean;
  readonly notes: readonly string[];
}

/** Rows worked on at once: a strip of the TIFF. */
const BAND_ROWS = 32;

/**
 * Makes a sheet for a printer: resampled to its density, bleed filled from the picture, in the inks of a press. Beside
 * the decoded picture and the finished file only a band of rows is held.
 * @throws AtelierError unsuitable_image, undecodable_image, image_too_large
 */
export async function printSheet(
  wish: PrintWish,
  colors: PressColors,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<PrintedSheet> {
  const { autoOrient: size } = await decoded(openPicture(wish.bytes).metadata());
  refuseUnfit(size, wish);
  const plan = planSheet(size, wish);
  const { pixels, isCmyk, profile, hasTransparency } = await artPixels(wish.bytes);
  onProgress(0.15, 'Picture decoded');
  const own = isCmyk ? colors.fromCmyk(profile) : { link: colors.fromSrgb, note: undefined };
  const hasMarks = wish.hasMarks && (wish.format === 'pdf' || plan.trimAt.x > 0);
  const file = openFile({ ...wish, hasMarks }, plan, colors.condition);
  const inks = await fill(file, plan, {
    pixels,
    link: own.link,
    marks: hasMarks && wish.format === 'tiff',
    onProgress,
  });
  return {
    pieces: await file.finish(),
    plan,
    inks,
    picture: size,
    hasTransparency,
    hasMarks,
    notes: own.note ? [own.note] : [],
  };
}

function openFile(wish: PrintWish, plan: SheetPlan, condition: PrintCondition): SheetFile {
  if (wish.format === 'pdf') return writePdf({ ...wish, plan, condition });
  return writeTiff({ ...plan.sheet, dpi: plan.dpi, condition, software: wish.software });
}

interface Filling {
  readonly pixels: Pixels;
  /** Absent: the samples are inks already. */
  readonly link: ColorLink | undefined;
  readonly marks: boolean;
  readonly onProgress: (fraction: number, message: string) => void;
}

async function fill(file: SheetFile, plan: SheetPlan, how: Filling): Promise<InkReport> {
  const { width, height } = plan.sheet;
  const rowOf = sheetRows(how.pixels, plan);
  const inspected = inspectInks({ width, dpi: plan.dpi, missMin: MISS_SCALE * OUT_OF_GAMUT_DELTA_E });
  const mark = how.marks ? markRows(plan) : undefined;
  const clear = paperAround(how.pixels, plan);
  for (let top = 0; top < height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - top);
    const band = new Uint8ClampedArray(4 * width * rows);
    for (let row = 0; row < rows; row += 1) {
      const samples = rowOf(top + row);
      const inks = band.subarray(4 * width * row, 4 * width * (row + 1));
      const converted = how.link ? applyLink(how.link, samples) : withoutMiss(samples);
      clear?.(converted, top + row);
      inspected.row(converted, inks);
      mark?.(inks, top + row);
    }
    await file.rows(new Uint8Array(band.buffer));
    refuseTooLong(file.bytes);
    how.onProgress(0.15 + (0.8 * (top + rows)) / height, 'Printing');
  }
  return inspected.report();
}

/** Takes the ink away where a picture that was fitted whole does not reach; its mirror image is for the bleed only. */
function paperAround(picture: Pixels, { fit, scale, sheet }: SheetPlan) {
  if (fit === 'cover') return undefined;
  const [left, top] = [
    Math.max(0, Math.round((sheet.width - picture.width * scale) / 2)),
    Math.max(0, Math.round((sheet.height - picture.height * scale) / 2)),
  ];
  return (samples: Uint8ClampedArray, row: number): void => {
    if (row < top || row >= sheet.height - top) samples.fill(0);
    samples.fill(0, 0, 5 * left);
    samples.fill(0, samples.length - 5 * left);
  };
}

function refuseUnfit(picture: { width: number; height: number }, wish: PrintWish): void {
  const { width, height } = picture;
  const refuse = (message: string) => {
    throw new AtelierError('unsuitable_image', message, {
      errors: [{ field: 'image', code: 'unsuitable', message, got: `${width} × ${height} pixels` }],
    });
  };
  if (Math.min(width, height) < ART_SIDE_PX_MIN)
    refuse(
      `The image has ${width} × ${height} pixels; to be printed it needs at least ${ART_SIDE_PX_MIN} a side.`,
    );
  const { keptShare } = planSheet(picture, wish);
  if (keptShare < PRINT_ASPECT_KEPT_MIN)
    refuse(
      `The image has ${width} × ${height} pixels: to fill this sheet all but ${Math.round(100 * keptShare)} % of it would be cut off, and at least ${100 * PRINT_ASPECT_KEPT_MIN} % must stay. Send fit "contain", a custom size of its own proportions, or a cropped image.`,
    );
}

function refuseTooLong(bytes: number): void {
  if (bytes <= PRINT_FILE_BYTES_MAX) return;
  throw new AtelierError(
    'unsuitable_image',
    `The file would have more than ${PRINT_FILE_BYTES_MAX / 1024 ** 2} MB. Ask for a lower dpi or a smaller size.`,
    { errors: [{ field: 'dpi', code: 'too_large', message: 'the file of this sheet would be too large' }] },
  );
}
