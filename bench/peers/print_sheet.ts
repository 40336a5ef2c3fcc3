import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runPrint } from '../../src/workers/run_print.ts';

/** One sheet in this process: picture, file to write (not there yet), format, width and height in millimetres, dpi. */
const [picture, out, format, width, height, dpi] = process.argv.slice(2) as [
  string,
  string,
  'tiff' | 'pdf',
  string,
  string,
  string,
];
const path = fileURLToPath(
  new URL('../../src/services/press_profiles/shipped/coated_fogra39.icc', import.meta.url),
);
await runPrint({
  bytes: readFileSync(picture),
  trimMm: { width: Number(width), height: Number(height) },
  bleedMm: 3,
  dpi: Number(dpi),
  fit: 'cover',
  orientation: 'auto',
  hasMarks: true,
  format,
  press: { name: 'coated_fogra39', path, registered: 'FOGRA39' },
  rendering: { intent: 'perceptual', blackPointCompensation: false },
  software: 'Atelier',
  title: 'Sheet',
  createdAt: '2026-01-01T00:00:00Z',
  documentId: '00000000-0000-4000-8000-000000000000',
  path: out,
  deadlineMs: 600_000,
});
