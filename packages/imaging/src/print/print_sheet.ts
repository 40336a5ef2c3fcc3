import { ART_SIDE_PX_MIN } from '../codecs/limits.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { applyLink, type ColorLink } from '../color/color_link.ts';
import { MISS_SCALE, OUT_OF_GAMUT_DELTA_E } from '../color/press_link.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { NewPackets } from '../metadata/containers/new_packets.ts';
import type { Raster } from '../pixels/raster.ts';
import type { Quality } from '../quality/contract.ts';
import { type ArtPixels, appendNoMiss, artPixels } from './art_pixels.ts';
import { type Area, inkDifference, type SeenInks } from './ink_difference.ts';
import { type InkReport, inspectInks } from './inspect_inks.ts';
import { PRINT_FILE_BYTES_MAX } from './limits.ts';
import { markRows } from './marks.ts';
import { type PagePreview, pagePreview } from './page_preview.ts';
import { planSheet, type SheetPlan, type SheetWish } from './plan_sheet.ts';
import type { PrintCondition, SheetFile, Sink } from './sheet_file.ts';
import { sheetRows } from './sheet_rows.ts';
import { writePdf } from './write_pdf.ts';
import { writeTiff } from './write_tiff.ts';

/** Part of the art that must be left when it is cut to the proportions of the sheet. */
const PRINT_ASPECT_KEPT_MIN = 0.2;

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
  /** What the picture says about itself, as far as the sheet is to say it. */
  readonly carried?: NewPackets | undefined;
}

/** How pictures become ink. */
export interface PressColors {
  readonly condition: PrintCondition;
  readonly fromSrgb: ColorLink;
  /** From inks to how they look on the paper. */
  readonly proof: ColorLink;
  readonly seen: SeenInks;
  /** For a CMYK picture with this profile; undefined where its numbers are to be printed as they are. */
  readonly fromCmyk: (profile: Uint8Array | undefined) => { link?: ColorLink; note: string };
}

export interface PrintedSheet {
  readonly plan: SheetPlan;
  readonly inks: InkReport;
  /** Pixels of the picture, turned as it is to be seen. */
  readonly picture: { readonly width: number; readonly height: number };
  readonly hasTransparency: boolean;
  /** Whether marks were drawn: a TIFF without bleed has no room for any. */
  readonly hasMarks: boolean;
  readonly notes: readonly string[];
  /** The page of a PDF, which few programs show; absent for a TIFF. */
  readonly preview?: PagePreview;
  /** Of the colours inside the trim, against those of the picture; absent where that came in inks. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'atelier_print', version: '1' } as const;

/** A sheet whose picture is decoded, before it is printed. */
export interface PreparedSheet {
  readonly plan: SheetPlan;
  /** Makes some strips of it as all would be made, and throws them away. @returns the bytes its file will have, about, and the part that was made */
  sample(): Promise<{ fileBytes: number; share: number }>;
  /** @throws EngineError image_too_large where the file grows beyond its bound */
  print(sink: Sink): Promise<PrintedSheet>;
}

type OnProgress = (fraction: number, message: string) => void;

/** Rows worked on at once: a strip of the TIFF. */
const BAND_ROWS = 64;
/** Strips of a sample, and their rows. */
const SAMPLES = { strips: 6, rows: 16 };

/**
 * Prepares a sheet for a printer: resampled to its density, bleed filled from the picture, in the inks of a press. Beside
 * the decoded picture only a few bands of rows are held while it is printed.
 * @throws EngineError unsuitable_image, undecodable_image, image_too_large
 */
export async function prepareSheet(
  wish: PrintWish,
  colors: PressColors,
  onProgress: OnProgress = () => {},
): Promise<PreparedSheet> {
  const { autoOrient: size } = await awaitDecoding(openPicture(wish.bytes).metadata());
  refuseUnfit(size, wish);
  const plan = planSheet(size, wish);
  const art = await artPixels(wish.bytes);
  onProgress(0.15, 'Picture decoded');
  const own = art.isCmyk ? colors.fromCmyk(art.profile) : { link: colors.fromSrgb, note: undefined };
  const hasMarks = wish.hasMarks && (wish.format === 'pdf' || plan.trimAt.x > 0);
  const printer: Printer = {
    wish: { ...wish, hasMarks },
    plan,
    art,
    link: own.link,
    condition: colors.condition,
    proof: colors.proof,
    seen: colors.seen,
  };
  return {
    plan,
    sample: () => sampleSheet(printer),
    async print(sink) {
      const printed = await printBands(printer, sink, onProgress);
      const { hasTransparency } = art;
      const notes = own.note ? [own.note] : [];
      return { plan, ...printed, picture: size, hasTransparency, hasMarks, notes, engine: ENGINE };
    },
  };
}

interface Printer {
  readonly wish: PrintWish;
  readonly plan: SheetPlan;
  readonly art: ArtPixels;
  /** Absent: the samples are inks already. */
  readonly link: ColorLink | undefined;
  readonly condition: PrintCondition;
  readonly proof: ColorLink;
  readonly seen: SeenInks;
}

async function printBands(printer: Printer, sink: Sink, onProgress: OnProgress) {
  const { height } = printer.plan.sheet;
  const [file, bands] = [openFile(printer, sink), bandsOf(printer)];
  for (let top = 0; top < height; top += BAND_ROWS) {
    await file.rows(bands.make(top, Math.min(BAND_ROWS, height - top)));
    refuseTooLong(file.bytes);
    const done = Math.min(height, top + BAND_ROWS);
    onProgress(0.15 + (0.8 * done) / height, `Converted ${done} of ${height} rows to inks`);
  }
  await file.finish();
  const preview = await bands.preview?.();
  const difference = bands.difference?.();
  return {
    inks: bands.report(),
    ...(preview && { preview }),
    ...(difference && { quality: { compared_at: 'result_size', ...difference } as const }),
  };
}

async function sampleSheet(printer: Printer): Promise<{ fileBytes: number; share: number }> {
  const { height } = printer.plan.sheet;
  const [file, bands] = [openFile(printer, { write() {}, rewrite() {} }), bandsOf(printer)];
  for (let strip = 0; strip < SAMPLES.strips; strip += 1)
    await file.rows(bands.make(Math.floor(((strip + 0.5) * height) / SAMPLES.strips), SAMPLES.rows));
  await file.finish();
  const share = (SAMPLES.strips * SAMPLES.rows) / height;
  return { fileBytes: file.bytes / share, share };
}

function openFile({ wish, plan, condition }: Printer, sink: Sink): SheetFile {
  if (wish.format === 'pdf') return writePdf({ ...wish, plan, condition }, sink);
  return writeTiff(
    { ...plan.sheet, dpi: plan.dpi, condition, software: wish.software, carried: wish.carried },
    sink,
  );
}

/** Makes rows of a sheet, and tells of all it has made. */
function bandsOf({ wish, plan, art, link, proof, seen }: Printer) {
  const { width } = plan.sheet;
  const rowOf = sheetRows(art.raster, plan);
  const inspected = inspectInks({ width, dpi: plan.dpi, missMin: MISS_SCALE * OUT_OF_GAMUT_DELTA_E });
  const mark = wish.hasMarks && wish.format === 'tiff' ? markRows(plan) : undefined;
  const preview = wish.format === 'pdf' ? pagePreview(plan, wish.hasMarks, proof) : undefined;
  const difference = art.isCmyk ? undefined : inkDifference(artArea(art.raster, plan), seen);
  const clear = paperAround(art.raster, plan);
  const converted = new Uint8ClampedArray(5 * width);
  const inTurn = [1, 2].map(() => new Uint8ClampedArray(4 * width * BAND_ROWS));
  return {
    make(top: number, rows: number): Uint8Array {
      const band = inTurn.shift()!;
      inTurn.push(band);
      for (let row = 0; row < rows; row += 1) {
        const inks = band.subarray(4 * width * row, 4 * width * (row + 1));
        const samples = rowOf(top + row);
        if (link) applyLink(link, samples, converted);
        else appendNoMiss(samples, converted);
        difference?.row(top + row, samples, converted);
        clear?.(converted, top + row);
        inspected.row(converted, inks);
        mark?.(inks, top + row);
        preview?.row(inks, top + row);
      }
      return new Uint8Array(band.buffer, 0, 4 * width * rows);
    },
    report: () => inspected.report(),
    difference: difference?.report,
    preview: preview?.finish,
  };
}

/** What of the sheet the picture covers, inside the trim. */
function artArea(picture: Raster, { scale, sheet, trimAt }: SheetPlan): Area {
  const left = Math.max(trimAt.x, marginOf(sheet.width, picture.width * scale));
  const top = Math.max(trimAt.y, marginOf(sheet.height, picture.height * scale));
  return { left, top, width: sheet.width - 2 * left, height: sheet.height - 2 * top };
}

const marginOf = (side: number, covered: number): number => Math.max(0, Math.round((side - covered) / 2));

/** Takes the ink away where a picture that was fitted whole does not reach; its mirror image is for the bleed only. */
function paperAround(picture: Raster, { fit, scale, sheet }: SheetPlan) {
  if (fit === 'cover') return undefined;
  const left = marginOf(sheet.width, picture.width * scale);
  const top = marginOf(sheet.height, picture.height * scale);
  return (samples: Uint8ClampedArray, row: number): void => {
    if (row < top || row >= sheet.height - top) samples.fill(0);
    samples.fill(0, 0, 5 * left);
    samples.fill(0, samples.length - 5 * left);
  };
}

function refuseUnfit(picture: { width: number; height: number }, wish: PrintWish): void {
  const { width, height } = picture;
  const refuse = (message: string) => {
    throw new EngineError('unsuitable_image', message, {
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

/** The estimate from a sample was too low. */
function refuseTooLong(bytes: number): void {
  if (bytes <= PRINT_FILE_BYTES_MAX) return;
  const message = `The file of this sheet would have more than ${PRINT_FILE_BYTES_MAX / 1024 ** 2} MB. Ask for a lower dpi or a smaller size.`;
  throw new EngineError('image_too_large', message, {
    errors: [{ field: 'dpi', code: 'too_large', message }],
  });
}
