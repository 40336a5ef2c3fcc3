import { z } from 'zod';
import { MUSEUMS } from '../../dataset/museums/museums.ts';
import type { ArtworkRecord } from '../../dataset/records/record.ts';
/** Where a record comes from. */
export const basisField = z
  .enum(['museum_data', 'starter_catalogue'])
  .describe(
    "museum_data: read in its museum's own open-access data; starter_catalogue: written down by hand, and the museum was not asked.",
  );
export type RecordBasis = z.output<typeof basisField>;

export const basisOf = ({ rights }: Pick<ArtworkRecord, 'rights'>): RecordBasis =>
  rights.evidence === null ? 'starter_catalogue' : 'museum_data';

/** What there is to know of a record nobody has read at its museum; undefined for the others. */
export function starterNote(record: ArtworkRecord): string | undefined {
  if (basisOf(record) === 'museum_data') return undefined;
  const { name } = MUSEUMS[record.museum];
  return `This record is of the starter catalogue: written down by hand from general knowledge. ${name} was not asked, so nothing in it is a statement of the museum. The operator of this server gets the museum's own record with: npx atelier dataset pull ${record.museum}`;
}

/** How the rights of so many works are known. */
export function rightsSentence({ imported, starter }: { imported: number; starter: number }): string {
  const sentences = [
    imported > 0 &&
      `${imported} works are taken in because a field of their museum's own data says, or lets conclude, that they are in the public domain or CC0; field and value are kept with each (rights.evidence).`,
    starter > 0 &&
      `${starter} works are of the starter catalogue: written down by hand and taken to be in the public domain for their age; no museum was asked, and rights.evidence is null.`,
  ];
  return sentences.filter(Boolean).join(' ') || 'There are no works.';
}
