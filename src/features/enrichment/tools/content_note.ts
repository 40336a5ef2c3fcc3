import type { Enriched } from '../types.ts';

/** Warning for images that may show sensitive content. */
export const contentNote = ({ hint, by }: NonNullable<Enriched['contentHint']>): string =>
  `This may show ${hint}: a hint of a network (${by}), which flags nudes in paintings too and is no verdict. Without such a note nothing is promised.`;
