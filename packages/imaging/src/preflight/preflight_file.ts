import { identify } from '../codecs/identify.ts';
import { EngineError } from '../errors/engine_error.ts';
import { inkLimitOf } from '../print/ink_limit.ts';
import { Findings } from './collect_findings.ts';
import { drawTiff } from './draw/draw_tiff.ts';
import { latin1 } from './pdf/lexer.ts';
import { PREFLIGHT_ENGINE, preflightPdf } from './preflight_pdf.ts';
import { TIFF_RULES } from './rules/tiff_rules.ts';
import { inspectTiff } from './tiff/inspect_tiff.ts';
import { readTiffPages, type TiffPage } from './tiff/read_tiff_pages.ts';
import type { PreflightReport, PreflightRequest } from './types.ts';

const CMYK = 5;

/** @throws EngineError undecodable_image if no directory can be read */
async function preflightTiff({ bytes }: PreflightRequest): Promise<PreflightReport> {
  const pages = readTiffPages(bytes);
  const [first] = pages;
  if (!first)
    throw new EngineError(
      'undecodable_image',
      'This TIFF cannot be read: its directory is missing or truncated. Save and send it again.',
    );
  const inspection = await inspectTiff(bytes, first.photometric);
  const ink = inkLimitOf([first.profileName], first.profileBytes);
  const findings = new Findings({ standard: 'none', intent: undefined, ink });
  for (const page of pages) {
    const looked: TiffPage =
      page === first
        ? {
            ...page,
            inkPercent: inspection?.inkPercent,
            isReadable: isSupportedTiff(page) ? inspection !== undefined : undefined,
          }
        : page;
    for (const rule of TIFF_RULES)
      findings.add(rule, rule.check(looked, pages.length, ink), { pageNumber: page.number });
  }
  const reported = findings.sorted();
  return {
    kind: 'tiff',
    version: first.isBig ? 'BigTIFF' : 'TIFF',
    claimed: null,
    standard: 'none',
    pages: pages.length,
    pagesRead: pages.length,
    trimMm: sizeOf(first),
    inks: first.inkNames,
    ink: { limit: ink, mostPercent: inspection?.inkPercent },
    counts: findings.counts,
    findings: reported,
    omitted: findings.total - reported.length,
    rulesRun: TIFF_RULES.length,
    drawings: inspection?.thumb ? [await drawTiff(inspection.thumb)] : [],
    engine: PREFLIGHT_ENGINE,
  };
}

/** Formats that libvips supports: if it cannot read one of these, the file is damaged. */
const isSupportedTiff = ({ compression, photometric, bits }: TiffPage): boolean =>
  [1, 5, 8, 32_946, 32_773].includes(compression) && [0, 1, 2, CMYK].includes(photometric) && bits[0] === 8;

function sizeOf({ width, height, dpi }: TiffPage): PreflightReport['trimMm'] {
  if (!dpi) return null;
  const mm = (pixels: number, perInch: number) =>
    Math.round(Math.min(1e7, (pixels / perInch) * 25.4) * 100) / 100;
  return { width: mm(width, dpi.x), height: mm(height, dpi.y) };
}

/** Readers look for the PDF header in this range. ISO 32000-1, annex H.3.4.1 */
const HEAD_BYTES = 1024;

/**
 * Checks a PDF or TIFF against all rules of `rules/rules.ts` that apply to its standard. Time and memory are bounded by
 * `limits.ts` for any input.
 * @throws EngineError unsupported_image for other formats, undecodable_image for files too damaged to be read
 */
export async function preflightFile(
  request: PreflightRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<PreflightReport> {
  const { bytes } = request;
  if (/%PDF-/.test(latin1(bytes.subarray(0, HEAD_BYTES)))) return preflightPdf(request, onProgress);
  const kind = identify(bytes);
  if ('format' in kind && kind.format === 'tiff') return preflightTiff(request);
  const what = 'format' in kind ? `a ${kind.format.toUpperCase()} image` : kind.other;
  throw new EngineError(
    'unsupported_image',
    `file is ${what}. Send a PDF or a TIFF; print_ready creates one from an image.`,
  );
}
