import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { DATASET_ID } from '../tools/open_museums.ts';

/** Path parameters of all snapshot operations. */
export const datasetField = z.string().max(100).describe(`${DATASET_ID} is the only one here.`);

export const snapshotField = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be the number of a snapshot, such as 3')
  .describe('Its number, as the Croissant card names it.');

/** @throws AtelierError not_found */
export function requireDataset(id: string): void {
  if (id !== DATASET_ID)
    throw new AtelierError('not_found', `There is no dataset "${id}" here, only ${DATASET_ID}.`);
}
