import type { Sink } from './sheet_file.ts';

/** Rounds to 0.0001 pt. */
export const points = (value: number): string => String(Math.round(value * 1e4) / 1e4);

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/**
 * Writes a PDF text string. Text outside ASCII becomes hexadecimal UTF-16, in which no character can end the string.
 */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`;
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
}

export function pdfStream(entries: string, data: Uint8Array): Uint8Array {
  return Buffer.concat([
    latin1(`<< ${entries} /Length ${data.length} >>\nstream\n`),
    data,
    latin1('\nendstream'),
  ]);
}

/** Number of objects, including the free object 0, and the objects that the trailer refers to. */
interface PdfShape {
  readonly objects: number;
  readonly catalog: number;
  readonly info: number;
  /** PDF version. Default: 1.6, as PDF/X-4 requires. */
  readonly version?: string;
}

/** Writes PDF objects in order and the cross-reference table at the end. */
export function createPdfFile(sink: Sink, { objects, catalog, info, version = '1.6' }: PdfShape) {
  let end = 0;
  const places = new Array<number>(objects).fill(0);
  const push = (piece: Uint8Array): void => {
    sink.write(piece);
    end += piece.length;
  };
  // Four bytes above 127 mark the file as binary for transfer programs.
  push(latin1(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`));
  const open = (number: number, start: string | Uint8Array): void => {
    places[number] = end;
    push(latin1(`${number} 0 obj\n`));
    push(typeof start === 'string' ? latin1(start) : start);
  };
  return {
    push,
    open,
    object(number: number, body: string | Uint8Array): void {
      open(number, body);
      push(latin1('\nendobj\n'));
    },
    /** @param documentId 32 hex digits */
    finish(documentId: string): void {
      const start = end;
      const rows = places.map((place, number) =>
        number === 0 ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`,
      );
      const id = `<${documentId}>`;
      push(
        latin1(
          `xref\n0 ${objects}\n${rows.join('')}trailer\n<< /Size ${objects} /Root ${catalog} 0 R /Info ${info} 0 R /ID [${id} ${id}] >>\nstartxref\n${start}\n%%EOF\n`,
        ),
      );
    },
  };
}
