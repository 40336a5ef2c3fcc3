import { latin1, pdfStream } from '../../print/pdf_file.ts';
import { writeXmp } from '../xmp/write_xmp.ts';
import type { NewPackets } from './new_packets.ts';

/**
 * XMP of a PDF made by `writePicturePdf`, as an incremental update: a new catalogue that names it, and a table that continues the one that
 * is there. ISO 32000-1, 7.5.6 and 14.3.2
 */
export function writePdfMetadata(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const trailer = file.toString('latin1', file.lastIndexOf('trailer'));
  const [, size, rest, previous] =
    /<< \/Size (\d+) \/Root 1 0 R (.*) >>\nstartxref\n(\d+)/.exec(trailer) ?? [];
  const [, pages] =
    /\n1 0 obj\n<< \/Type \/Catalog \/Pages (\d+) 0 R >>/.exec(file.toString('latin1', 0, 200)) ?? [];
  if (!size || !pages) throw new Error('a PDF of an unexpected shape was written');
  const catalog = latin1(`1 0 obj\n<< /Type /Catalog /Pages ${pages} 0 R /Metadata ${size} 0 R >>\nendobj\n`);
  const packet = Buffer.concat([
    latin1(`${size} 0 obj\n`),
    pdfStream('/Type /Metadata /Subtype /XML', writeXmp(properties)),
    latin1('\nendobj\n'),
  ]);
  const places = [bytes.length, bytes.length + catalog.length];
  const table = bytes.length + catalog.length + packet.length;
  const row = (place: number) => `${String(place).padStart(10, '0')} 00000 n \n`;
  return Buffer.concat([
    bytes,
    catalog,
    packet,
    latin1(
      `xref\n1 1\n${row(places[0]!)}${size} 1\n${row(places[1]!)}trailer\n<< /Size ${Number(size) + 1} /Root 1 0 R ${rest} /Prev ${previous} >>\nstartxref\n${table}\n%%EOF\n`,
    ),
  ]);
}
