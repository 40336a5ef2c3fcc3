import { linkToPress, type Rendering } from '@atelier/imaging/color/press_link.ts';
import { openPressProfile } from '@atelier/imaging/color/press_profile.ts';
import { openGlyphReader } from '@atelier/imaging/decoders/glyph_outlines.ts';
import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import { preflightFile } from '@atelier/imaging/preflight/preflight_file.ts';
import { repairPdf } from '@atelier/imaging/preflight/repair/repair_pdf.ts';
import { repairTiff } from '@atelier/imaging/preflight/repair/repair_tiff.ts';
import type { Repair, RepairPress } from '@atelier/imaging/preflight/repair/types.ts';
import type { PreflightReport, PreflightRequest } from '@atelier/imaging/preflight/types.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';
import { openLinkToPress, openPress, type PressFile, pressColors } from './open_press.ts';
import { TEXT_RESOURCES } from './text_resources.ts';
import { withPrepared } from './with_prepared.ts';

export interface PreflightJob extends PreflightRequest {
  /** Also repairs the file, for this printing condition if it names none. */
  readonly repairFor?: PressFile | undefined;
  /** Text of the repaired PDF becomes outlines. */
  readonly hasOutlines?: boolean | undefined;
}

export interface PreflightAnswer extends PreflightReport {
  readonly repair?: Repair & {
    /** Report on the repaired file, by the same standard. */
    readonly after?: PreflightReport;
  };
}

type OnProgress = (fraction: number, message: string) => void;

/** Neutral colours in black ink alone; other colours as in convert_color_profile. */
const RENDERING: Rendering = { intent: 'perceptual', blackPointCompensation: false, keepsBlack: true };

/** Checks a print file; on request, repairs it and checks the repaired file. */
export async function runPreflight(
  { repairFor, hasOutlines = false, ...request }: PreflightJob,
  onProgress: OnProgress = () => {},
): Promise<PreflightAnswer> {
  if (!repairFor) return preflightFile(request, onProgress);
  const report = await preflightFile(request, (done, message) => onProgress(done * 0.4, message));
  const repair =
    report.kind === 'tiff'
      ? await repairTiffForPress(request.bytes, report, repairFor)
      : await repairPdf(request.bytes, report, {
          ...pressOf(repairFor),
          readGlyphs: hasOutlines ? await openGlyphReader(DECODER_RESOURCES) : undefined,
        });
  onProgress(0.6, 'Repaired');
  if (!repair.bytes) return { ...report, repair };
  const again = { bytes: repair.bytes, standard: report.standard };
  const after = await preflightFile(again, (done, message) => onProgress(0.6 + done * 0.4, message));
  return { ...report, repair: { ...repair, after: { ...after, drawings: [] } } };
}

async function repairTiffForPress(
  bytes: Uint8Array,
  report: PreflightReport,
  press: PressFile,
): Promise<Repair> {
  const colors = pressColors(press, RENDERING);
  try {
    return await withPrepared(bytes, ({ bytes: picture }) =>
      repairTiff(bytes, { picture, report, colors, software: 'Atelier' }),
    );
  } catch (error) {
    // The report describes the problem.
    if (!(error instanceof EngineError)) throw error;
    return { changes: [], left: [`Its pixels cannot be read, so nothing was repaired: ${error.message}`] };
  }
}

function pressOf(press: PressFile): RepairPress {
  const { name, bytes } = openPress(press);
  return {
    condition: { name, profile: bytes, ...(press.registered && { registered: press.registered }) },
    fromSrgb: openLinkToPress(press, RENDERING),
    readFont: TEXT_RESOURCES.readFont,
    linkFor(profile) {
      if (Buffer.compare(profile, bytes) === 0) return openLinkToPress(press, RENDERING);
      try {
        return linkToPress(openPressProfile(profile), RENDERING);
      } catch (error) {
        if (error instanceof EngineError) return undefined;
        throw error;
      }
    },
  };
}
