import type { Enriched } from '../types.ts';

/** Warning for images that may show sensitive content. */
export const contentNote = ({ hint, by }: NonNullable<Enriched['contentHint']>): string =>
  `This may show ${hint}. This is a hint of a network (${by}) that also flags nudes in paintings, not a verdict. The absence of this note guarantees nothing.`;
