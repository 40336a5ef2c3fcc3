import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { brokenPicture } from '../codecs/headers/header.ts';
import { IMAGE_SIDE_PX_MAX } from '../codecs/limits.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { PdfDocument } from '../preflight/pdf/document.ts';
import { PdfReadError } from '../preflight/pdf/lexer.ts';
import { readPages } from '../preflight/pdf/pages.ts';
import { WorkBudget, WorkBudgetExceeded } from '../preflight/work_budget.ts';
import { pageIndex, refuseSize } from './bounds.ts';
import { PDF_DPI, PDF_DPI_MAX, PDF_DPI_MIN, PDF_PIXELS_MAX } from './limits.ts';
import type { DecodedPicture, DecodeOptions, OpenDocument } from './types.ts';
import { compileModule, emscriptenHooks, withoutProcessListeners } from './webassembly_modules.ts';

/** The types of the package omit its memory. */
type Pdfium = WrappedPdfiumModule & { readonly pdfium: { readonly HEAPU8: Uint8Array } };

/** Constants of PDFium's fpdfview.h. */
const PASSWORD_ERROR = 4;
const SECURITY_ERROR = 5;
const BITMAP_BGR = 2;
const BITMAP_BGRA = 4;
const WHITE = 0xffffffff;
const CLEAR = 0;
const DRAW_ANNOTATIONS = 0x01;
/** RGBA instead of BGRA. */
const REVERSE_BYTE_ORDER = 0x10;
const POINTS_PER_INCH = 72;
/** CPU time limit for finding a page's dictionary, nominal nanoseconds. */
const STRUCTURE_NS = 200_000_000;

/**
 * Renders one page of a PDF on white or transparent, with its annotations and filled forms.
 * @param options.dpi default: 150, more to cover `drawnFor`, or less if the page would exceed the pixel limit, with a warning
 */
export async function decodePdf(
  bytes: Uint8Array,
  { page, ...options }: DecodeOptions,
): Promise<DecodedPicture> {
  return (await openPdf(bytes, options)).picture(page);
}

/**
 * Opens a PDF to render several of its pages.
 * @throws EngineError undecodable_image, unsupported_image, invalid_input
 */
export async function openPdf(
  bytes: Uint8Array,
  { dpi, drawnFor, isClear = false, resources }: Omit<DecodeOptions, 'page'>,
): Promise<OpenDocument> {
  refuseDpi(dpi);
  const module = compileModule('@embedpdf/pdfium', 'PDF', resources);
  const library = await withoutProcessListeners(
    () => init(emscriptenHooks(module) as object) as Promise<Pdfium>,
  );
  // After a trap or out of memory, the instance is not used again.
  const drawn = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw brokenPicture('the page of the PDF cannot be drawn');
    }
  };
  const document = drawn(() => {
    library.PDFiumExt_Init();
    return openDocument(library, bytes);
  });
  const pages = drawn(() => library.FPDF_GetPageCount(document));
  if (pages < 1) throw brokenPicture('the PDF has no page');
  const form = drawn(() =>
    library.PDFiumExt_InitFormFillEnvironment(document, library.PDFiumExt_OpenFormFillInfo()),
  );
  const place = { bytes, document, form, pages };
  return {
    pages,
    picture: async (page) => drawn(() => drawPage(library, place, { page, dpi, drawnFor, isClear })),
  };
}

function refuseDpi(dpi: number | undefined): void {
  if (dpi === undefined || (dpi >= PDF_DPI_MIN && dpi <= PDF_DPI_MAX)) return;
  throw new EngineError(
    'invalid_input',
    `A PDF is drawn at ${PDF_DPI_MIN} to ${PDF_DPI_MAX} dpi, not ${dpi}.`,
    {
      errors: [{ field: 'dpi', code: 'out_of_range', message: `${PDF_DPI_MIN} to ${PDF_DPI_MAX}`, got: dpi }],
    },
  );
}

interface OpenPdf {
  readonly bytes: Uint8Array;
  readonly document: number;
  readonly form: number;
  readonly pages: number;
}

/** Frees the bitmap and the page; the rest of the instance and its memory end with the file. */
function drawPage(
  library: Pdfium,
  { bytes, document, form, pages }: OpenPdf,
  {
    page: number,
    dpi,
    drawnFor,
    isClear = false,
  }: Pick<DecodeOptions, 'page' | 'dpi' | 'drawnFor' | 'isClear'>,
): DecodedPicture {
  const index = pageIndex(number, pages);
  const page = library.FPDF_LoadPage(document, index);
  if (page === 0) throw brokenPicture(`page ${index + 1} of the PDF is damaged`);
  const unit = userUnitOf(bytes, index);
  const points = {
    width: unit * library.FPDF_GetPageWidthF(page),
    height: unit * library.FPDF_GetPageHeightF(page),
  };
  const used = dpi ?? fittingDpi(points, drawnFor);
  const width = pixelsOf(points.width, used);
  const height = pixelsOf(points.height, used);
  refuseSize(`page at ${used} dpi`, { width, height }, PDF_PIXELS_MAX);

  const bitmap = library.FPDFBitmap_CreateEx(width, height, isClear ? BITMAP_BGRA : BITMAP_BGR, 0, 0);
  if (bitmap === 0) throw brokenPicture('the page of the PDF takes too much memory');
  library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, isClear ? CLEAR : WHITE);
  const flags = DRAW_ANNOTATIONS | REVERSE_BYTE_ORDER;
  library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  if (form !== 0) library.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, flags);
  const channels = isClear ? 4 : 3;
  const data = readRows(library, bitmap, { width, height, channels });
  library.FPDFBitmap_Destroy(bitmap);
  library.FPDF_ClosePage(page);
  const warnings =
    dpi === undefined && used < PDF_DPI
      ? [`The page is large: it was drawn at ${used} instead of ${PDF_DPI} dpi.`]
      : [];
  return { width, height, channels, data, pages: pages > 1 ? pages : undefined, warnings };
}

function openDocument(library: Pdfium, bytes: Uint8Array): number {
  const memory = library.pdfium;
  const file = memory.wasmExports.malloc(bytes.length);
  memory.HEAPU8.set(bytes, file);
  const document = library.FPDF_LoadMemDocument(file, bytes.length, '');
  if (document !== 0) return document;
  const code = library.FPDF_GetLastError();
  if (code !== PASSWORD_ERROR && code !== SECURITY_ERROR) throw brokenPicture('the PDF is damaged');
  throw new EngineError(
    'unsupported_image',
    'The PDF is protected by a password. Save it without one and send it again.',
  );
}

/** Sides are 32-bit floats: small excess over a whole pixel is ignored. */
const pixelsOf = (points: number, dpi: number): number =>
  Math.max(1, Math.ceil((points * dpi) / POINTS_PER_INCH - 0.01));

/** Points per unit of the page, which PDFium does not apply. 1 if only PDFium's repair can read the structure. */
function userUnitOf(bytes: Uint8Array, index: number): number {
  try {
    return readPages(new PdfDocument(bytes, new WorkBudget(STRUCTURE_NS))).pages[index]?.userUnit ?? 1;
  } catch (error) {
    if (error instanceof PdfReadError || error instanceof WorkBudgetExceeded) return 1;
    throw error;
  }
}

/** 150, more if the page is rendered for a larger size, less to stay within the limits. */
function fittingDpi({ width, height }: Size, drawnFor: Size | undefined): number {
  const covering = drawnFor
    ? POINTS_PER_INCH * Math.max(drawnFor.width / width, drawnFor.height / height)
    : 0;
  const wanted = Math.min(PDF_DPI_MAX, Math.max(PDF_DPI, Math.ceil(covering)));
  const inches = { width: width / POINTS_PER_INCH, height: height / POINTS_PER_INCH };
  const byArea = Math.sqrt(PDF_PIXELS_MAX / (inches.width * inches.height));
  const bySide = IMAGE_SIDE_PX_MAX / Math.max(inches.width, inches.height);
  // Slightly less, because sides are rounded up.
  return Math.min(wanted, Math.max(1, Math.floor(Math.min(byArea * 0.999, bySide))));
}

function readRows(
  library: Pdfium,
  bitmap: number,
  { width, height, channels }: { width: number; height: number; channels: number },
): Uint8Array {
  const stride = library.FPDFBitmap_GetStride(bitmap);
  const start = library.FPDFBitmap_GetBuffer(bitmap);
  const data = new Uint8Array(channels * width * height);
  // HEAPU8 is read again, because it changes when memory grows.
  const { HEAPU8: memory } = library.pdfium;
  for (let row = 0; row < height; row += 1) {
    const from = start + row * stride;
    data.set(memory.subarray(from, from + channels * width), channels * width * row);
  }
  return data;
}
