/** The dataset every dataset tool speaks of by default. */
export const DATASET_ID = 'open-museums';
