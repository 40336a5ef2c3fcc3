import type { Enriched } from '../types.ts';

/** What a caller is told where a picture may show what some readers do not want to see. */
export const contentNote = ({ hint, by }: NonNullable<Enriched['contentHint']>): string =>
  `This may show ${hint}: a hint of a network (${by}), which flags nudes in paintings too and is no verdict. Without such a note nothing is promised.`;
