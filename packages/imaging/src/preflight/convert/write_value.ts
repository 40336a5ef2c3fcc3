import { latin1 } from '../../print/pdf_file.ts';
import { Name, Operator, type PdfDictionary, PdfText, type PdfValue, Reference } from '../pdf/values.ts';

/** Characters of a name that must be escaped. ISO 32000-1, 7.3.5 */
const PLAIN = /[^\x21-\x7e]|[#()<>[\]{}/%]/g;

export const writeName = (text: string): string =>
  `/${text.replace(PLAIN, (character) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;

/** Five decimals, no exponent: PDF has no exponential notation. */
export const writeNumber = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(0) : String(Number(value.toFixed(5)));

/** Writes a value in PDF syntax. Streams become null: they must be indirect objects. ISO 32000-1, 7.3 */
export function writeValue(value: PdfValue): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Name) return writeName(value.text);
  if (value instanceof PdfText) return `<${Buffer.from(value.bytes).toString('hex')}>`;
  if (value instanceof Reference) return `${value.number} 0 R`;
  if (value instanceof Operator) return 'null';
  if (Array.isArray(value)) return `[${value.map(writeValue).join(' ')}]`;
  return value instanceof Map ? writeDictionary(value) : 'null';
}

export const writeDictionary = (dictionary: PdfDictionary): string =>
  `<<${[...dictionary].map(([key, value]) => `${writeName(key)} ${writeValue(value)}`).join(' ')}>>`;

/** Writes the body of a stream object. */
export const writeStream = (dictionary: PdfDictionary, raw: Uint8Array): Uint8Array =>
  Buffer.concat([
    latin1(`${writeDictionary(new Map([...dictionary, ['Length', raw.length]]))}\nstream\n`),
    raw,
    latin1('\nendstream'),
  ]);
