import { identify } from '../codecs/identify.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { PreflightReport, PreflightRequest } from './contract.ts';
import { latin1 } from './pdf/lexer.ts';
import { preflightPdf } from './preflight_pdf.ts';
import { preflightTiff } from './preflight_tiff.ts';

/** Readers of PDF look for its head this far; ISO 32000-1, annex H.3.4.1. */
const HEAD_BYTES = 1024;

/**
 * Judges a PDF or TIFF made elsewhere by every rule of `rules/rules.ts` that belongs to its standard.
 * Time and memory are bounded by `limits.ts`, whatever the bytes.
 * @throws EngineError unsupported_image for anything else, undecodable_image for what is too broken to be read
 */
export async function preflightFile(
  request: PreflightRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<PreflightReport> {
  const { bytes } = request;
  if (/%PDF-/.test(latin1(bytes.subarray(0, HEAD_BYTES)))) return preflightPdf(request, onProgress);
  const kind = identify(bytes);
  if ('format' in kind && kind.format === 'tiff') return preflightTiff(request);
  const what = 'format' in kind ? `a ${kind.format.toUpperCase()} picture` : kind.other;
  throw new EngineError(
    'unsupported_image',
    `file is ${what}. Send a PDF or a TIFF; print_ready makes one of a picture.`,
  );
}
