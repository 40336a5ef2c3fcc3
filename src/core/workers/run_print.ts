import type { Rendering } from '@atelier/imaging/color/press_link.ts';
import type { CarriedMetadata, CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryIntoDocument } from '@atelier/imaging/metadata/passthrough/carry_into_document.ts';
import { withMeasuredInk } from '@atelier/imaging/print/inspect_inks.ts';
import { PRINT_FILE_BYTES_MAX } from '@atelier/imaging/print/limits.ts';
import { planSheet } from '@atelier/imaging/print/plan_sheet.ts';
import {
  type PreparedSheet,
  type PressColors,
  type PrintedSheet,
  type PrintSheetRequest,
  prepareSheet,
} from '@atelier/imaging/print/print_sheet.ts';
import { isLiveFormat, vectorSheet } from '@atelier/imaging/print/vector/vector_sheet.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';
import { fileSink } from './file_sink.ts';
import { SHEET_SAMPLED_PIXELS_MIN } from './limits.ts';
import { type MetadataPassthrough, NOTHING, withLost } from './metadata_passthrough.ts';
import { openLinkToPress, openPress, type PressFile, pressColors } from './open_press.ts';
import { TEXT_RESOURCES } from './text_resources.ts';

export interface PrintRequest extends Omit<PrintSheetRequest, 'carried'>, MetadataPassthrough {
  readonly press: PressFile;
  readonly rendering: Rendering;
  /** Page of a PDF or TIFF, from 1. Default: the first. */
  readonly page?: number | undefined;
  /** Output path; the file must not exist. */
  readonly path: string;
  /** Deadline of the work. */
  readonly deadlineMs: number;
  /** Deadline of the same call as a job; absent if it is a job. */
  readonly jobDeadlineMs?: number | undefined;
}

export interface PrintedFile extends PrintedSheet {
  /** Name of the output profile. */
  readonly profile: string;
  readonly metadata: CarriedMetadata;
  /** Pages on the sheet, from 1, of a file with several. */
  readonly pages?: { readonly used: readonly number[]; readonly of: number } | undefined;
}

/** Makes a sheet for a printing condition whose profile is stored on the disk. */
export async function runPrint(
  { press, rendering, path, carry, sentFile, ...wish }: PrintRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<PrintedFile> {
  const { name } = openPress(press);
  const pages = sentFile?.pages && { used: [sentFile.pages.used], of: sentFile.pages.of };
  const carried = carry && (await carriedFor(wish, { sentFile, carry, colors: name }));
  const colors = pressColors(press, rendering);
  const metadata = carried ? withLost(carried.metadata, sentFile) : NOTHING;
  const file = sentFile?.bytes ?? wish.bytes;
  const isDrawing = isLiveFormat(file);
  const whole = { ...wish, isDrawing, carried: carried?.packets };
  const live =
    wish.format === 'pdf' && isDrawing
      ? await printLive(file, whole, { press, rendering, colors })
      : undefined;
  if (typeof live === 'object') {
    const sink = fileSink(path);
    sink.write(live.bytes);
    sink.close();
    return { ...live.printed, profile: name, metadata, pages };
  }
  const sheet = await prepareSheet(whole, colors, onProgress);
  const { width, height } = sheet.plan.sheet;
  if (width * height >= SHEET_SAMPLED_PIXELS_MIN) await refuseExcessive(sheet, wish);
  const sink = fileSink(path);
  try {
    const printed = await sheet.print(sink);
    const notes = live === undefined ? printed.notes : [...printed.notes, asPixels(live)];
    return { ...printed, notes, profile: name, metadata, pages };
  } finally {
    sink.close();
  }
}

const asPixels = (reason: string): string =>
  `The sheet was rasterised because ${reason}. Correct this to keep its text and vectors live.`;

/** Resolution at which inks and colours of a sheet with live vectors are measured. */
const MEASURED_DPI = 150;

/**
 * Makes a sheet on which text and vectors stay live. Its report on inks, colours and appearance is measured on a rendering of the same
 * page.
 * @returns the reason why the page must be rasterised, if any
 */
async function printLive(
  file: Uint8Array,
  wish: PrintSheetRequest & Pick<PrintRequest, 'page'>,
  {
    press,
    rendering,
    colors,
  }: { readonly press: PressFile; readonly rendering: Rendering; readonly colors: PressColors },
): Promise<{ readonly bytes: Uint8Array; readonly printed: PrintedSheet } | string> {
  const fromSrgb = openLinkToPress(press, { ...rendering, keepsBlack: true });
  const measuredAt = { ...wish, dpi: Math.min(MEASURED_DPI, wish.dpi) };
  const drawn = await prepareSheet(measuredAt, { ...colors, fromSrgb });
  const plan = planSheet(drawn.picture, { ...wish, fit: drawn.plan.fit });
  const sheet = await vectorSheet(
    file,
    { ...wish, plan, condition: colors.condition, fromSrgb },
    { ...DECODER_RESOURCES, readFont: TEXT_RESOURCES.readFont },
  );
  if (typeof sheet === 'string') return sheet;
  const measured = await drawn.print({ write() {}, rewrite() {} });
  const { spots, findings, inkPercent = 0 } = sheet;
  const inks = withMeasuredInk(measured.inks, inkPercent);
  const notes = [...measured.notes, ...sheet.notes];
  return { bytes: sheet.bytes, printed: { ...measured, notes, inks, plan, live: { spots, findings } } };
}

/** The size of the sheet does not matter: no size is written into the metadata. */
const carriedFor = (
  { bytes, format }: Pick<PrintRequest, 'bytes' | 'format'>,
  {
    carry,
    colors,
    sentFile,
  }: { carry: CarryWish; colors: string; sentFile: MetadataPassthrough['sentFile'] },
) =>
  carryIntoDocument(
    { file: sentFile?.bytes ?? bytes, picture: bytes },
    { container: format, width: 0, height: 0, colors },
    carry,
  );

/** Reports foreseeable failures before a minute has been spent: docs/decisions/0005-admission-by-cpu-seconds.md */
async function refuseExcessive(
  sheet: PreparedSheet,
  { dpi, deadlineMs, jobDeadlineMs }: Pick<PrintRequest, 'dpi' | 'deadlineMs' | 'jobDeadlineMs'>,
): Promise<void> {
  // The first strips of a process are slow, because its code is compiled while it runs.
  await sheet.sample();
  const started = performance.now();
  const { fileBytes, share } = await sheet.sample();
  const seconds = Math.ceil((performance.now() - started) / share / 1000);
  const { width, height } = sheet.plan.sheet;
  const lower = dpi > 150 ? [`use dpi ${dpi / 2}`] : ['use a smaller sheet'];
  const refusal = (message: string, ways: string[], members: Record<string, unknown>) =>
    new AtelierError('image_too_large', `${message} You were not charged. ${sentence(ways)}`, {
      errors: [{ field: 'dpi', code: 'too_large', message, got: dpi }],
      members: { estimated_seconds: seconds, estimated_bytes: Math.round(fileBytes), ...members },
    });
  if (fileBytes > PRINT_FILE_BYTES_MAX)
    throw refusal(
      `The file of this sheet would have about ${Math.round(fileBytes / 1e6)} MB, because the image is very detailed or noisy. The limit is ${Math.floor(PRINT_FILE_BYTES_MAX / 1e6)} MB.`,
      lower,
      { bytes_max: PRINT_FILE_BYTES_MAX },
    );
  if (seconds * 1000 <= deadlineMs) return;
  const asJob = jobDeadlineMs !== undefined && seconds * 1000 < jobDeadlineMs;
  throw refusal(
    `A sheet of ${width} × ${height} pixels needs about ${seconds} s on this server. The time limit of the call is ${deadlineMs / 1000} s.`,
    [
      ...lower,
      ...(asJob
        ? [
            `send the same call with "async": true (or the header Prefer: respond-async), which has a limit of ${jobDeadlineMs / 1000} s`,
          ]
        : []),
    ],
    { deadline_seconds: deadlineMs / 1000, as_job: asJob },
  );
}

function sentence(ways: readonly string[]): string {
  const text = ways.join(', or ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
