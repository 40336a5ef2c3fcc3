/** The dataset every dataset tool speaks of by default, and the short names of the museums in it. */
export const DATASET_ID = 'open-museums';
export const MUSEUMS = ['met', 'chicago', 'nga', 'rijks', 'smithsonian', 'cleveland', 'paris'] as const;
