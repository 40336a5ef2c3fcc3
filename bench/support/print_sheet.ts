import { fileURLToPath } from 'node:url';
import { type PrintedFile, type PrintRequest, runPrint } from '../../src/workers/run_print.ts';

export const shippedProfile = (name: string): string =>
  fileURLToPath(new URL(`../../src/services/press_profiles/shipped/${name}.icc`, import.meta.url));

/** What the benches do not look at, alike in all their sheets. */
const USUAL = {
  fit: 'cover',
  orientation: 'as_given',
  press: { name: 'coated_fogra39', path: shippedProfile('coated_fogra39'), registered: 'FOGRA39' },
  rendering: { intent: 'perceptual', blackPointCompensation: false },
  software: 'Atelier',
  title: 'Sheet',
  createdAt: '2026-01-01T00:00:00Z',
  documentId: '00000000-0000-4000-8000-000000000000',
  deadlineMs: 600_000,
} as const satisfies Partial<PrintRequest>;

type Order = Omit<PrintRequest, keyof typeof USUAL> & Partial<Pick<PrintRequest, keyof typeof USUAL>>;

/** Makes a sheet, where the order says nothing else filling the coated paper of FOGRA39. */
export const printSheet = (order: Order): Promise<PrintedFile> => runPrint({ ...USUAL, ...order });
