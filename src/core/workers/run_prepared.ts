import { foreignFormatOf } from '@atelier/imaging/identify/foreign_format.ts';
import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import { type PreparedPicture, refuseTruncatedFile } from '@atelier/imaging/intake/prepare_picture.ts';
import type { Size } from '@atelier/imaging/pixels/plane.ts';
import { sheetPixels } from '@atelier/imaging/print/plan_sheet.ts';
import type { PrintSheetRequest } from '@atelier/imaging/print/print_sheet.ts';
import type { ResizeRequest } from '@atelier/imaging/resize/resize_image.ts';
import { READS_FILES } from './engines.ts';
import type { JobMessage } from './messages.ts';
import type { OnProgress, SentFile } from './metadata_passthrough.ts';
import type { PrintRequest } from './run_print.ts';
import { withPrepared } from './with_prepared.ts';

export type Run = (input: unknown, onProgress: OnProgress) => unknown;

interface Outcome {
  readonly output: unknown;
  readonly notes?: IntakeNotes;
}

/**
 * Runs an engine on its prepared image (`preparePicture`). If decoding fails on a fault that affects no pixel, the engine runs again on the
 * repaired image. Engines that read files get the original file; a truncated JPEG is refused for them as well.
 */
export async function runPrepared(
  { engine, input }: JobMessage,
  run: Run,
  onProgress: OnProgress,
): Promise<Outcome> {
  const bytes = pictureIn(input);
  if (!bytes) return { output: await run(input, onProgress) };
  if (READS_FILES.has(engine)) {
    await refuseTruncatedFile(bytes);
    return { output: await run(input, onProgress) };
  }
  const work = async ({ bytes: read, notes, pages }: PreparedPicture): Promise<Outcome> => {
    const sentFile: SentFile = { bytes, lost: notes.lost, pages };
    const output = await run({ ...(input as object), bytes: read, sentFile }, onProgress);
    return { output, notes: readsParts(output) ? withoutPart(notes) : notes };
  };
  return withPrepared(bytes, work, { drawnFor: drawnForOf(engine, input), page: pageOf(engine, input) });
}

/** The page of which a sheet is made. */
const pageOf = (engine: JobMessage['engine'], input: unknown): number | undefined =>
  engine === 'print' ? (input as PrintRequest).page : undefined;

/** The pixel size an engine needs: an SVG, and the page on a sheet, is rendered for it. */
function drawnForOf(engine: JobMessage['engine'], input: unknown): Size | undefined {
  // A PDF page is rendered for the screen at 150 dpi, the resolution of its reported size.
  if (engine === 'resize') return isPdf(pictureIn(input)) ? undefined : (input as ResizeRequest);
  if (engine !== 'print') return undefined;
  const { trimMm, bleedMm, dpi } = input as PrintSheetRequest;
  return sheetPixels(trimMm, bleedMm, dpi);
}

const isPdf = (bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && foreignFormatOf(bytes) === 'pdf';

/** Whether an engine has read frames or pages of the file itself. */
const readsParts = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'readsParts' in output && output.readsParts === true;

/** Removes the note about the used part, which comes first. */
const withoutPart = ({ lookedAt, warnings, lost }: IntakeNotes): IntakeNotes =>
  lookedAt === undefined ? { warnings, lost } : { warnings: warnings.slice(1), lost };

/** The image of the input, which has this name in all engines that take one. */
const pictureIn = (input: unknown): Uint8Array | undefined =>
  typeof input === 'object' && input !== null && 'bytes' in input && input.bytes instanceof Uint8Array
    ? input.bytes
    : undefined;
