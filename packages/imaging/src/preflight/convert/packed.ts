import { deflateSync } from 'node:zlib';
import { Name, type PdfDictionary, PdfStream } from '../pdf/values.ts';

/** A stream, deflated. */
export const packed = (entries: PdfDictionary, data: Uint8Array): PdfStream =>
  new PdfStream(new Map([...entries, ['Filter', new Name('FlateDecode')]]), deflateSync(data));
