import { deflateSync } from 'node:zlib';
import { Name, type PdfDictionary, PdfStream } from '../pdf/values.ts';

/** Creates a PDF stream compressed with FlateDecode. */
export const flateStream = (entries: PdfDictionary, data: Uint8Array): PdfStream =>
  new PdfStream(new Map([...entries, ['Filter', new Name('FlateDecode')]]), deflateSync(data));
