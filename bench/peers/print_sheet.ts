import { readFileSync } from 'node:fs';
import { printSheet } from '../support/print_sheet.ts';

/** One sheet in this process: picture, file to write (not there yet), format, width and height in millimetres, dpi. */
const [picture, out, format, width, height, dpi] = process.argv.slice(2) as [
  string,
  string,
  'tiff' | 'pdf',
  string,
  string,
  string,
];
await printSheet({
  bytes: readFileSync(picture),
  trimMm: { width: Number(width), height: Number(height) },
  bleedMm: 3,
  dpi: Number(dpi),
  orientation: 'auto',
  hasMarks: true,
  format,
  path: out,
});
