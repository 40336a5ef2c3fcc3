import { z } from 'zod';

/** Id of the default, and only, dataset. */
export const DATASET_ID = 'open-museums';
/** Display name. */
export const DATASET_NAME = 'Open Museums';

const DATASET_ID_CHARACTERS_MAX = 100;

export const datasetField = z
  .string()
  .min(1)
  .max(DATASET_ID_CHARACTERS_MAX)
  .refine((id) => id === DATASET_ID, `must be ${DATASET_ID}, the only dataset here`)
  .default(DATASET_ID)
  .describe(`${DATASET_ID} is the only one here.`)
  .meta({ title: 'Dataset' });
