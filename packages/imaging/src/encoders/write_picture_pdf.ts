import { createHash } from 'node:crypto';
import { pngChunks } from '../pixels/png_chunks.ts';
import { createPdfFile, latin1, pdfStream, points } from '../print/pdf_file.ts';
import { memorySink } from '../print/sheet_file.ts';

/** An image that fills a page. */
export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** Grey or RGB. */
  readonly channels: 1 | 3;
  /** A JPEG, or an 8-bit PNG without palette, transparency or interlacing. */
  readonly file: Uint8Array;
  readonly kind: 'jpeg' | 'png';
  readonly dpi: number;
}

const [CATALOG, PAGES, INFO, FIRST_PAGE] = [1, 2, 3, 4];
const OBJECTS_A_PAGE = 3;
const POINTS_PER_INCH = 72;
/** Longest page side in user units; larger pages use larger units. ISO 32000-1, Annex C.2 and 14.11.2 */
const PAGE_UNITS_MAX = 14_400;

/**
 * Writes a PDF with one page per image, at its size. Compressed JPEG and PNG data is copied, because PDF supports both codings. The file
 * has no date, so equal images give equal files. ISO 32000-1, 7.4.4.4 and 7.4.8
 */
export function writePicturePdf(pages: readonly PdfPage[]): Buffer {
  const sink = memorySink();
  const file = createPdfFile(sink, {
    objects: FIRST_PAGE + OBJECTS_A_PAGE * pages.length,
    catalog: CATALOG,
    info: INFO,
  });
  const numberOf = (page: number) => FIRST_PAGE + OBJECTS_A_PAGE * page;
  file.object(CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R >>`);
  const kids = pages.map((_, page) => `${numberOf(page)} 0 R`).join(' ');
  file.object(PAGES, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  file.object(INFO, '<< /Producer (Atelier) >>');
  const hash = createHash('sha256');
  for (const [at, page] of pages.entries()) {
    writePage(file, numberOf(at), page);
    hash.update(page.file);
  }
  file.finish(hash.digest('hex').slice(0, 32));
  return Buffer.concat(sink.pieces);
}

function writePage(file: ReturnType<typeof createPdfFile>, number: number, page: PdfPage): void {
  const { width, height, dpi } = page;
  const [content, image] = [number + 1, number + 2];
  const longest = (Math.max(width, height) * POINTS_PER_INCH) / dpi;
  const unit = Math.max(1, Math.ceil(longest / PAGE_UNITS_MAX));
  const [across, down] = [width, height].map((side) => points((side * POINTS_PER_INCH) / dpi / unit));
  const userUnit = unit > 1 ? ` /UserUnit ${unit}` : '';
  file.object(
    number,
    `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 ${across} ${down}]${userUnit} /Resources << /XObject << /Picture ${image} 0 R >> >> /Contents ${content} 0 R >>`,
  );
  file.object(content, pdfStream('', latin1(`q ${across} 0 0 ${down} 0 0 cm /Picture Do Q`)));
  file.object(image, pdfImage(page));
}

const SPACES = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' } as const;

/** A compressed image; `inks`: deflated samples without a predictor. */
interface PdfPicture extends Pick<PdfPage, 'width' | 'height' | 'file'> {
  readonly channels: keyof typeof SPACES;
  readonly kind: PdfPage['kind'] | 'inks';
}

/** The image object of a compressed image. @param more entries of its dictionary */
export function pdfImage({ width, height, channels, file, kind }: PdfPicture, more = ''): Uint8Array {
  const space = SPACES[channels];
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace ${space}${more}`;
  if (kind === 'jpeg') return pdfStream(`${entries} /Filter /DCTDecode`, file);
  if (kind === 'inks') return pdfStream(`${entries} /Filter /FlateDecode`, file);
  const rows = pngChunks(file).chunks.filter(({ type }) => type === 'IDAT');
  return pdfStream(
    `${entries} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors ${channels} /BitsPerComponent 8 /Columns ${width} >>`,
    Buffer.concat(rows.map(({ data }) => data)),
  );
}
