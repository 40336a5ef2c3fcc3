import { ART_SIDE_PX_MIN } from '../codecs/limits.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { applyLink, type ColorLink } from '../color/color_link.ts';
import { type Lab, labOfSrgb } from '../color/lab.ts';
import { MISS_SCALE, OUT_OF_GAMUT_DELTA_E } from '../color/press_link.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { NewPackets } from '../metadata/containers/new_packets.ts';
import { LANCZOS_LOBES, lanczosWeight } from '../pixels/lanczos.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import type { Finding } from '../preflight/types.ts';
import type { ColorDifference } from '../quality/color_difference.ts';
import { sampledDifferences } from '../quality/sampled_differences.ts';
import type { Quality } from '../quality/types.ts';
import { inkLimitOfCondition } from './ink_limit.ts';
import { type InkReport, inspectInks } from './inspect_inks.ts';
import { PAGE_PREVIEW_SIDE_PX, PRINT_FILE_BYTES_MAX } from './limits.ts';
import { markRows, pageBoxes, pageMarks } from './page_marks.ts';
import { planSheet, type SheetOptions, type SheetPlan } from './plan_sheet.ts';
import type { PrintCondition, SheetFile, Sink } from './sheet_file.ts';
import { writePdf } from './write_pdf.ts';
import { writeTiff } from './write_tiff.ts';

/** Returns the media-relative CIELAB colour of inks from 0 to 1: the eye adapts to the white of the paper. */
type MediaRelativeLab = (inks: Float64Array) => Lab;

/** Region of a sheet, in pixels. */
interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

type Samples = Uint8Array | Uint8ClampedArray;

const SRGB = 3;
/** Samples per converted pixel: four inks and the gamut error. */
const CONVERTED = 5;
const INK_DIFFERENCE_INKS = 4;

/** Measures the colour difference between inks and their sRGB source in a region of a sheet, row by row. */
export function inkDifference({ left, top, ...size }: Area, seen: MediaRelativeLab) {
  const places = sampledDifferences(size);
  const inks = new Float64Array(INK_DIFFERENCE_INKS);
  const inkLab = (converted: Samples, at: number): Lab => {
    for (let ink = 0; ink < INK_DIFFERENCE_INKS; ink += 1) inks[ink] = converted[at + ink]! / 255;
    return seen(inks);
  };
  return {
    /** @param converted five samples per pixel of the same row */
    row: (y: number, screen: Samples, converted: Samples): void =>
      places.row(
        y - top,
        (x) => screenLab(screen, SRGB * (left + x)),
        (x) => inkLab(converted, CONVERTED * (left + x)),
      ),
    report: (): ColorDifference | undefined => places.report(),
  };
}

/** Measures the colour difference between an image and its soft proof, including the paper colour. */
export function screenDifference({ left, top, ...size }: Area) {
  const places = sampledDifferences(size);
  return {
    row: (y: number, picture: Samples, proof: Samples): void =>
      places.row(
        y - top,
        (x) => screenLab(picture, SRGB * (left + x)),
        (x) => screenLab(proof, SRGB * (left + x)),
      ),
    report: (): ColorDifference | undefined => places.report(),
  };
}

const screenLab = (samples: Samples, at: number): Lab =>
  labOfSrgb(samples[at]!, samples[at + 1]!, samples[at + 2]!);

/** Source rows added in one pass over memory. */
const ROWS_PER_PASS = 3;

/**
 * Resamples an image (Lanczos) to the rows of a sheet, which are requested from the top. The bleed is filled with the
 * mirror image beyond the edges, so that neither a seam nor paper shows. Holds only one row of the sheet and the source
 * rows that it needs.
 */
function sheetRows(picture: Raster, { sheet, scale }: SheetPlan): (row: number) => Uint8ClampedArray {
  const { channels, width, height, data } = picture;
  const across = tapsOf(sheet.width, width, scale);
  const down = tapsOf(sheet.height, height, scale, ROWS_PER_PASS);
  const length = sheet.width * channels;
  const kept = Array.from({ length: down.count + 1 }, () => ({ row: -1, samples: new Float32Array(length) }));
  const blank = new Float32Array(length);
  const takeRow = (tap: number): Float32Array => {
    if (down.weights[tap] === 0) return blank;
    const row = down.sources[tap]!;
    const place = kept[row % kept.length]!;
    if (place.row !== row) {
      resampleRow(data, row * width * channels, { taps: across, channels, into: place.samples });
      place.row = row;
    }
    return place.samples;
  };
  const sum = new Float32Array(length);
  const result = new Uint8ClampedArray(length);
  return (row) => {
    sum.fill(0);
    for (let tap = row * down.count; tap < (row + 1) * down.count; tap += ROWS_PER_PASS) {
      const [above, middle, below] = [takeRow(tap), takeRow(tap + 1), takeRow(tap + 2)];
      if (above === blank && middle === blank && below === blank) continue;
      const [w0, w1, w2] = [down.weights[tap]!, down.weights[tap + 1]!, down.weights[tap + 2]!];
      for (let at = 0; at < length; at += 1) sum[at]! += w0 * above[at]! + w1 * middle[at]! + w2 * below[at]!;
    }
    result.set(sum);
    return result;
  };
}

/** For each sheet pixel, `count` source pixels and their weights. */
interface Taps {
  readonly count: number;
  readonly sources: Int32Array;
  readonly weights: Float32Array;
}

/** @param multiple taps of weight 0 round the number of taps up to a multiple of this */
function tapsOf(places: number, side: number, scale: number, multiple = 1): Taps {
  const reach = Math.max(1, 1 / scale);
  const count = multiple * Math.ceil((Math.ceil(2 * LANCZOS_LOBES * reach) + 1) / multiple);
  const sources = new Int32Array(places * count);
  const weights = new Float32Array(places * count);
  for (let place = 0; place < places; place += 1) {
    const centre = (place + 0.5 - places / 2) / scale + side / 2 - 0.5;
    const first = Math.ceil(centre - LANCZOS_LOBES * reach);
    const own = Array.from({ length: count }, (_, tap) => lanczosWeight((first + tap - centre) / reach));
    const total = own.reduce((sum, weight) => sum + weight, 0);
    for (let tap = 0; tap < count; tap += 1) {
      sources[place * count + tap] = mirrorPlace(first + tap, side);
      weights[place * count + tap] = own[tap]! / total;
    }
  }
  return { count, sources, weights };
}

/** Reflects a position beyond the edge. The edge pixel is repeated. */
function mirrorPlace(place: number, side: number): number {
  const within = ((place % (2 * side)) + 2 * side) % (2 * side);
  return within < side ? within : 2 * side - 1 - within;
}

interface RowResampling {
  readonly taps: Taps;
  readonly channels: number;
  readonly into: Float32Array;
}

function resampleRow(data: Uint8Array, from: number, { taps, channels, into }: RowResampling): void {
  const { count, sources, weights } = taps;
  const places = into.length / channels;
  if (channels === 3) {
    for (let place = 0; place < places; place += 1) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let tap = place * count; tap < (place + 1) * count; tap += 1) {
        const weight = weights[tap]!;
        const at = from + 3 * sources[tap]!;
        red += weight * data[at]!;
        green += weight * data[at + 1]!;
        blue += weight * data[at + 2]!;
      }
      into[3 * place] = red;
      into[3 * place + 1] = green;
      into[3 * place + 2] = blue;
    }
    return;
  }
  into.fill(0);
  for (let place = 0; place < places; place += 1)
    for (let tap = place * count; tap < (place + 1) * count; tap += 1)
      for (let channel = 0; channel < channels; channel += 1)
        into[place * channels + channel]! += weights[tap]! * data[from + sources[tap]! * channels + channel]!;
}

interface PagePreview {
  /** WebP, sRGB. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const QUALITY = 80;
const INKS = 4;

/**
 * Renders a preview of a PDF page from the inks of the file: each preview pixel is the mean of the pixels it covers,
 * proofed on the paper of the printing condition. Shows the paper around the sheet and the marks, which are drawn one
 * pixel wide because they are thinner.
 * @param proof from inks to their appearance on that paper
 */
function pagePreview(plan: SheetPlan, hasMarks: boolean, proof: ColorLink) {
  const { sheet } = plan;
  const boxes = pageBoxes(plan, hasMarks);
  const { media, bleed } = boxes;
  const sheetPixelsAPoint = sheet.width / bleed.width;
  const longest = Math.max(media.width, media.height);
  /** Preview pixels per point of the page. */
  const scale = Math.min(sheetPixelsAPoint, PAGE_PREVIEW_SIDE_PX / longest);
  const place = (points: number) => Math.round(points * scale);
  const [width, height] = [Math.max(1, place(media.width)), Math.max(1, place(media.height))];
  const [left, top] = [place(bleed.x), place(bleed.y)];
  const across = Math.max(1, Math.min(width - left, place(bleed.x + bleed.width) - left));
  const down = Math.max(1, Math.min(height - top, place(bleed.y + bleed.height) - top));
  const columns = Int32Array.from({ length: sheet.width }, (_, x) => Math.floor((x * across) / sheet.width));
  const sums = new Float32Array(INKS * across * down);
  const counts = new Uint32Array(across * down);
  return {
    /** Adds a row of the sheet, four inks per pixel. */
    row(inks: Uint8ClampedArray, row: number): void {
      const start = across * Math.floor((row * down) / sheet.height);
      for (let x = 0, from = 0; x < sheet.width; x += 1, from += INKS) {
        const pixel = start + columns[x]!;
        const to = INKS * pixel;
        sums[to]! += inks[from]!;
        sums[to + 1]! += inks[from + 1]!;
        sums[to + 2]! += inks[from + 2]!;
        sums[to + 3]! += inks[from + 3]!;
        counts[pixel]! += 1;
      }
    },
    async finish(): Promise<PagePreview> {
      const page = new Uint8ClampedArray(INKS * width * height);
      for (let pixel = 0; pixel < across * down; pixel += 1) {
        const to = INKS * ((top + Math.floor(pixel / across)) * width + left + (pixel % across));
        for (let ink = 0; ink < INKS; ink += 1)
          page[to + ink] = sums[INKS * pixel + ink]! / Math.max(1, counts[pixel]!);
      }
      if (hasMarks) drawMarks(page, { width, height }, pageMarks(plan, boxes), scale);
      const data = Buffer.from(applyLink(proof, page).buffer);
      const picture = sharp(data, { raw: { width, height, channels: 3 } });
      return { bytes: await picture.webp({ quality: QUALITY }).toBuffer(), width, height };
    },
  };
}

/** Draws marks in all four inks. Page coordinates start at the bottom, image coordinates at the top. */
function drawMarks(
  page: Uint8ClampedArray,
  { width, height }: { width: number; height: number },
  { lines, circles }: ReturnType<typeof pageMarks>,
  scale: number,
): void {
  const dot = (x: number, y: number): void => {
    const [column, row] = [Math.floor(x * scale), height - 1 - Math.floor(y * scale)];
    if (column < 0 || column >= width || row < 0 || row >= height) return;
    const at = INKS * (row * width + column);
    page.fill(255, at, at + INKS);
  };
  const along = (length: number, draw: (share: number) => void): void => {
    const steps = Math.max(1, Math.ceil(2 * length * scale));
    for (let step = 0; step <= steps; step += 1) draw(step / steps);
  };
  for (const [x1, y1, x2, y2] of lines)
    along(Math.hypot(x2 - x1, y2 - y1), (share) => dot(x1 + share * (x2 - x1), y1 + share * (y2 - y1)));
  for (const { x, y, radius } of circles)
    along(2 * Math.PI * radius, (share) => {
      const angle = 2 * Math.PI * share;
      dot(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    });
}

/** Minimum share of the artwork that must remain when it is cropped to the aspect ratio of the sheet. */
const PRINT_ASPECT_KEPT_MIN = 0.2;

export interface PrintSheetRequest extends SheetOptions {
  /** Default: `contain` for drawings and transparent images, for which margins do no harm; otherwise `cover`. */
  readonly fit?: SheetOptions['fit'];
  /** Whether the image was rendered from an SVG or a PDF page. */
  readonly isDrawing?: boolean;
  readonly bytes: Uint8Array;
  readonly format: 'tiff' | 'pdf';
  readonly hasMarks: boolean;
  readonly software: string;
  readonly title: string;
  /** ISO 8601, whole seconds, UTC. */
  readonly createdAt: string;
  /** A UUID. */
  readonly documentId: string;
  /** Metadata of the image that the sheet carries over. */
  readonly carried?: NewPackets | undefined;
}

/** Colour conversions of a printing condition. */
export interface PressColors {
  readonly condition: PrintCondition;
  readonly fromSrgb: ColorLink;
  /** From inks to their appearance on the paper, in sRGB. */
  readonly proof: ColorLink;
  readonly labOf: MediaRelativeLab;
  /** Conversion for a CMYK image with this profile. `link` is absent if its values are printed unchanged. */
  readonly fromCmyk: (profile: Uint8Array | undefined) => { link?: ColorLink; note: string };
}

export interface PrintedSheet {
  readonly plan: SheetPlan;
  readonly inks: InkReport;
  /** Pixels of the image after applying its orientation. */
  readonly picture: { readonly width: number; readonly height: number };
  readonly hasTransparency: boolean;
  /**
   * Spot colours and remaining preflight warnings if text and vectors stayed live. Absent if the image was rasterised.
   */
  readonly live?: { readonly spots: readonly string[]; readonly findings: readonly Finding[] };
  /** Whether marks were drawn. A TIFF without bleed has no space for marks. */
  readonly hasMarks: boolean;
  readonly notes: readonly string[];
  /** Preview of a PDF page, because few programs display one. Absent for a TIFF. */
  readonly preview?: PagePreview;
  /** Colour difference from the source inside the trim. Absent for CMYK sources. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'atelier_print', version: '1' } as const;

/** A sheet with decoded artwork, ready to print. */
export interface PreparedSheet {
  readonly plan: SheetPlan;
  /** Pixels of the image. */
  readonly picture: Size;
  /**
   * Renders sample strips and discards them.
   * @returns estimated size of the file in bytes, and the share of the rows that was rendered
   */
  sample(): Promise<{ fileBytes: number; share: number }>;
  /** @throws EngineError image_too_large if the file exceeds its maximum size */
  print(sink: Sink): Promise<PrintedSheet>;
}

type OnProgress = (fraction: number, message: string) => void;

/** Rows processed at once: one strip of the TIFF. */
const BAND_ROWS = 64;
/** Sample strips, and rows per strip. */
const SAMPLES = { strips: 6, rows: 16 };

/**
 * Prepares a sheet for print: resampled to its resolution, bleed filled from the image, converted to the inks of a
 * printing condition. While it prints, memory holds the decoded image and a few bands of rows.
 * @throws EngineError unsuitable_image, undecodable_image, image_too_large
 */
export async function prepareSheet(
  request: PrintSheetRequest,
  colors: PressColors,
  onProgress: OnProgress = () => {},
): Promise<PreparedSheet> {
  const { autoOrient: size } = await awaitDecoding(openPicture(request.bytes).metadata());
  rejectUnsuitable(size, request.fit ? request : { ...request, fit: 'contain' });
  const art = await artPixels(request.bytes);
  const isWhole = request.fit === undefined && (art.hasTransparency || request.isDrawing === true);
  const fitted = isWhole ? { ...request, fit: 'contain' as const } : request;
  rejectUnsuitable(size, fitted);
  const plan = planSheet(size, fitted);
  onProgress(0.15, 'Image decoded');
  const own = art.isCmyk ? colors.fromCmyk(art.profile) : { link: colors.fromSrgb, note: undefined };
  const hasMarks = request.hasMarks && (request.format === 'pdf' || plan.trimAt.x > 0);
  const printer: Printer = {
    request: { ...fitted, hasMarks },
    plan,
    art,
    link: own.link,
    condition: colors.condition,
    proof: colors.proof,
    seen: colors.labOf,
  };
  return {
    plan,
    picture: size,
    sample: () => sampleSheet(printer),
    async print(sink) {
      const printed = await printBands(printer, sink, onProgress);
      const { hasTransparency } = art;
      const isCutByCover = planSheet(size, { ...request, fit: 'cover' }).keptShare < 1;
      const notes = [own.note, isWhole && isCutByCover ? PLACED_WHOLE_NOTE : undefined].filter(
        (note) => note !== undefined,
      );
      return { plan, ...printed, picture: size, hasTransparency, hasMarks, notes, engine: ENGINE };
    },
  };
}

const PLACED_WHOLE_NOTE =
  'Drawings and transparent images are placed whole, with margins. Send fit "cover" to fill the sheet.';

interface Printer {
  readonly request: PrintSheetRequest;
  readonly plan: SheetPlan;
  readonly art: ArtPixels;
  /** Absent if the samples are inks already. */
  readonly link: ColorLink | undefined;
  readonly condition: PrintCondition;
  readonly proof: ColorLink;
  readonly seen: MediaRelativeLab;
}

async function printBands(printer: Printer, sink: Sink, onProgress: OnProgress) {
  const { height } = printer.plan.sheet;
  const [file, bands] = [openFile(printer, sink), bandsOf(printer)];
  for (let top = 0; top < height; top += BAND_ROWS) {
    await file.rows(bands.make(top, Math.min(BAND_ROWS, height - top)));
    rejectTooLarge(file.bytes);
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

function openFile({ request, plan, condition }: Printer, sink: Sink): SheetFile {
  if (request.format === 'pdf') return writePdf({ ...request, plan, condition }, sink);
  return writeTiff(
    { ...plan.sheet, dpi: plan.dpi, condition, software: request.software, carried: request.carried },
    sink,
  );
}

/** Renders bands of a sheet and reports on all bands rendered so far. */
function bandsOf({ request, plan, art, link, proof, seen, condition }: Printer) {
  const { width } = plan.sheet;
  const rowOf = sheetRows(art.raster, plan);
  const limit = inkLimitOfCondition(condition);
  const gamutErrorMin = MISS_SCALE * OUT_OF_GAMUT_DELTA_E;
  const inspected = inspectInks({ width, dpi: plan.dpi, gamutErrorMin, limit });
  const mark = request.hasMarks && request.format === 'tiff' ? markRows(plan) : undefined;
  const preview = request.format === 'pdf' ? pagePreview(plan, request.hasMarks, proof) : undefined;
  const difference = art.isCmyk ? undefined : inkDifference(coveredArea(art.raster, plan), seen);
  const clear = clearMargins(art.raster, plan);
  const converted = new Uint8ClampedArray(5 * width);
  const bands = [1, 2].map(() => new Uint8ClampedArray(4 * width * BAND_ROWS));
  return {
    make(top: number, rows: number): Uint8Array {
      const band = bands.shift()!;
      bands.push(band);
      for (let row = 0; row < rows; row += 1) {
        const inks = band.subarray(4 * width * row, 4 * width * (row + 1));
        const samples = rowOf(top + row);
        if (link) applyLink(link, samples, converted);
        else appendZeroGamutError(samples, converted);
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

/** Returns the region of the trim that the image covers. */
function coveredArea(picture: Raster, { scale, sheet, trimAt }: SheetPlan): Area {
  const left = Math.max(trimAt.x, marginOf(sheet.width, picture.width * scale));
  const top = Math.max(trimAt.y, marginOf(sheet.height, picture.height * scale));
  return { left, top, width: sheet.width - 2 * left, height: sheet.height - 2 * top };
}

const marginOf = (side: number, covered: number): number => Math.max(0, Math.round((side - covered) / 2));

/** Removes the ink outside an image that is placed whole. Its mirror image fills only the bleed. */
function clearMargins(picture: Raster, { fit, scale, sheet }: SheetPlan) {
  if (fit === 'cover') return undefined;
  const left = marginOf(sheet.width, picture.width * scale);
  const top = marginOf(sheet.height, picture.height * scale);
  return (samples: Uint8ClampedArray, row: number): void => {
    if (row < top || row >= sheet.height - top) samples.fill(0);
    samples.fill(0, 0, 5 * left);
    samples.fill(0, samples.length - 5 * left);
  };
}

function rejectUnsuitable(picture: { width: number; height: number }, request: PrintSheetRequest): void {
  const { width, height } = picture;
  const refuse = (message: string) => {
    throw new EngineError('unsuitable_image', message, {
      errors: [{ field: 'image', code: 'unsuitable', message, got: `${width} × ${height} pixels` }],
    });
  };
  if (Math.min(width, height) < ART_SIDE_PX_MIN)
    refuse(
      `The image has ${width} × ${height} pixels. Printing requires at least ${ART_SIDE_PX_MIN} per side.`,
    );
  const { keptShare } = planSheet(picture, request);
  if (keptShare < PRINT_ASPECT_KEPT_MIN)
    refuse(
      `The image has ${width} × ${height} pixels. Filling this sheet would crop it to ${Math.round(100 * keptShare)} %, and at least ${100 * PRINT_ASPECT_KEPT_MIN} % must remain. Send fit "contain", a custom size of its aspect ratio, or a cropped image.`,
    );
}

/** Guards against an estimate that was too low. */
function rejectTooLarge(bytes: number): void {
  if (bytes <= PRINT_FILE_BYTES_MAX) return;
  const message = `The file of this sheet would exceed ${PRINT_FILE_BYTES_MAX / 1024 ** 2} MB. Send a lower dpi or a smaller size.`;
  throw new EngineError('image_too_large', message, {
    errors: [{ field: 'dpi', code: 'too_large', message }],
  });
}

/** Decoded artwork: three sRGB samples per pixel, with transparency flattened on white, or four inks unchanged. */
interface ArtPixels {
  readonly raster: Raster;
  readonly isCmyk: boolean;
  /** ICC profile of a CMYK image. */
  readonly profile: Uint8Array | undefined;
  readonly hasTransparency: boolean;
}

/**
 * Decodes artwork.
 * @param within maximum pixels per side; absent: original size
 * @throws EngineError undecodable_image, image_too_large
 */
export async function artPixels(bytes: Uint8Array, within?: Size): Promise<ArtPixels> {
  const { space, icc } = await awaitDecoding(openPicture(bytes).metadata());
  const isCmyk = space === 'cmyk';
  const hasTransparency = !isCmyk && (await hasTransparentPixel(bytes));
  const source = isCmyk
    ? openPicture(bytes).pipelineColourspace('cmyk').toColourspace('cmyk')
    : openPicture(bytes).flatten({ background: '#ffffff' }).toColourspace('srgb');
  const reduced = within ? source.resize({ ...within, fit: 'inside', withoutEnlargement: true }) : source;
  return {
    raster: await decodeRaster(reduced),
    isCmyk,
    profile: isCmyk ? icc : undefined,
    hasTransparency,
  };
}

async function hasTransparentPixel(bytes: Uint8Array): Promise<boolean> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  if (!hasAlpha) return false;
  return !(await awaitDecoding(openPicture(bytes).stats())).isOpaque;
}

/** Appends a gamut error of zero to unconverted inks. */
export function appendZeroGamutError(
  inks: Uint8ClampedArray,
  into = new Uint8ClampedArray((inks.length / 4) * 5),
): Uint8ClampedArray {
  for (let from = 0, to = 0; from < inks.length; from += 4, to += 5) {
    for (let ink = 0; ink < 4; ink += 1) into[to + ink] = inks[from + ink]!;
    into[to + 4] = 0;
  }
  return into;
}
