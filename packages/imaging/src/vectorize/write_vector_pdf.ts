import { deflateSync } from 'node:zlib';
import type { Curve } from './fit_curve.ts';
import type { Physical, Sheet, SheetSize } from './sheet_size.ts';
import { HAIRLINE_MM } from './write_layered_svg.ts';
import { isClosed } from './write_svg.ts';

/** Points of a millimetre, and the longest side of a page in units (PDF 1.7, annex C). */
const MM_POINTS = 72 / 25.4;
const SIDE_UNITS_MAX = 14_400;
const [CATALOG, PAGES, PAGE, CONTENT, FIRST_LAYER] = [1, 2, 3, 4, 5];

/**
 * A drawing at its size as a PDF of one page: a layer (optional content) a sheet, areas in a spot colour named after what
 * it looks like, lines as hairlines in plain colours, which cutters' programs go by.
 * Source of the syntax: ISO 32000-1.
 */
export function writeVectorPdf(
  sheets: readonly Sheet[],
  { widthMm, heightMm, steps }: SheetSize,
  { kerfMm }: Pick<Physical, 'kerfMm'>,
): Buffer {
  const [width, height] = [widthMm + kerfMm, heightMm + kerfMm].map((side) => side * MM_POINTS);
  const unit = Math.max(1, Math.ceil(Math.max(width!, height!) / SIDE_UNITS_MAX));
  const scale = MM_POINTS / unit;
  const write = (length: number): string => String(Math.round(length * steps) / steps);
  const page = [width! / unit, height! / unit].map((side) => side.toFixed(4));
  // Millimetres from the upper left become units from the lower left.
  const matrix = `${scale} 0 0 ${-scale} ${(kerfMm / 2) * scale} ${(heightMm + kerfMm / 2) * scale} cm`;
  const content = `${matrix}\n${HAIRLINE_MM} w 1 J 1 j\n${sheets.map((sheet, index) => layerContent(sheet, index, write)).join('')}`;
  const layers = sheets.map((_, index) => `${FIRST_LAYER + index} 0 R`).join(' ');
  const spots = sheets.map(({ color, drawn }, index) =>
    drawn === 'areas' ? `/C${index} ${spotOf(color)} ` : '',
  );
  return fileOf([
    `<< /Type /Catalog /Pages ${PAGES} 0 R /OCProperties << /OCGs [${layers}] /D << /Order [${layers}] /ON [${layers}] >> >> /ViewerPreferences << /PrintScaling /None >> >>`,
    `<< /Type /Pages /Kids [${PAGE} 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 ${page.join(' ')}]${unit > 1 ? ` /UserUnit ${unit}` : ''} /Resources << /Properties << ${sheets.map((_, index) => `/L${index} ${FIRST_LAYER + index} 0 R`).join(' ')} >> /ColorSpace << ${spots.join('')}>> >> /Contents ${CONTENT} 0 R >>`,
    streamOf(content),
    ...sheets.map(({ color, drawn }) => `<< /Type /OCG /Name (${color} ${drawn}) >>`),
  ]);
}

/** One layer as PDF operators; a file has it between the marks of its layer. */
function layerContent(
  { color, outlines, drawn }: Sheet,
  index: number,
  write: (length: number) => string,
): string {
  const paths = outlines.map((outline) => pathOperators(outline, write));
  const painted =
    drawn === 'areas'
      ? `/C${index} cs 1 scn\n${paths.join('')}f\n`
      : `${channelsOf(color).join(' ')} RG\n${paths.map((path) => `${path}S\n`).join('')}`;
  return `/OC /L${index} BDC\n${painted}EMC\n`;
}

function pathOperators(curve: Curve, write: (length: number) => string): string {
  let text = `${write(curve[0]!)} ${write(curve[1]!)} m\n`;
  for (let at = 2; at < curve.length; at += 6) {
    const isStraight = Number.isNaN(curve[at]);
    const numbers = curve.slice(isStraight ? at + 4 : at, at + 6).map(write);
    text += `${numbers.join(' ')} ${isStraight ? 'l' : 'c'}\n`;
  }
  return isClosed(curve) ? `${text}h\n` : text;
}

/** A colour as three shares of 1. */
function channelsOf(color: string): number[] {
  const digits = color.slice(1);
  const pairs = (digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).match(/../g)!;
  return pairs.map((pair) => Number((Number.parseInt(pair, 16) / 255).toFixed(4)));
}

/** An ink of its own; what does not have it shows its colour. In names of PDF the sign # is written by its number. */
const spotOf = (color: string): string =>
  `[/Separation /${color.replace('#', '#23')} /DeviceRGB << /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [${channelsOf(color).join(' ')}] /N 1 >>]`;

function streamOf(text: string): Buffer {
  const data = deflateSync(Buffer.from(text, 'latin1'));
  return Buffer.concat([
    Buffer.from(`<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** A file of objects numbered from 1, the first being its catalog. */
function fileOf(objects: readonly (string | Buffer)[]): Buffer {
  // Four bytes above 127 tell transfer programs that this is no text.
  const pieces = [Buffer.from('%PDF-1.6\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let end = pieces[0]!.length;
  const places = objects.map((object, index) => {
    const place = end;
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as Buffer),
      Buffer.from('\nendobj\n'),
    ]);
    pieces.push(piece);
    end += piece.length;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${size} /Root ${CATALOG} 0 R >>\nstartxref\n${end}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(table)]);
}
