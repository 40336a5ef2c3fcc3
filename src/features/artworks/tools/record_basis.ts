import { z } from 'zod';
import { MUSEUMS } from '../museums/museums.ts';
import type { Known } from '../on_demand/on_demand_works.ts';
import type { ArtworkRecord } from '../records/record.ts';

/** Source of a record. */
export const basisField = z
  .enum(['museum_data', 'starter_catalogue'])
  .describe(
    "museum_data: from the museum's own open-access data; starter_catalogue: written by hand, not read at the museum.",
  );
export type RecordBasis = z.output<typeof basisField>;

export const basisOf = ({ rights }: Pick<ArtworkRecord, 'rights'>): RecordBasis =>
  rights.evidence === null ? 'starter_catalogue' : 'museum_data';

/** A work of the dataset, with the result of asking its museum. */
export type KnownWork = Known & { readonly record: ArtworkRecord };

/** Whether the museum was asked for a work of the starter catalogue, and the result: a part of a sentence. */
export function askedText({ record: { museum }, live }: KnownWork): string {
  const { name } = MUSEUMS[museum];
  if (live?.leftOut)
    return `${name} was asked on ${live.askedOn}, and its response was not used: ${live.leftOut}`;
  if (live?.askedOn) return `${name} was asked on ${live.askedOn} for the image only`;
  if (live?.unreached) return `${name} ${live.unreached}`;
  if (live?.retryAfterSeconds !== undefined) return `${name} was asked and returned nothing usable`;
  return `${name} was not asked`;
}

/** Note on a record that was not read at its museum; undefined for others. */
export function starterNote(work: KnownWork): string | undefined {
  if (basisOf(work.record) === 'museum_data') return undefined;
  return `This record is from the starter catalogue: written by hand from general knowledge. ${askedText(work)}, and the record contains no statement of the museum. ${pullText(work.record)}`;
}

/** How the operator gets the museum's own record and image. */
export const pullText = ({ museum }: ArtworkRecord): string =>
  MUSEUMS[museum].hasFiles
    ? `The operator can import the museum's own record with "atelier dataset pull ${museum}".`
    : `${MUSEUMS[museum].name} publishes no files; the operator of this server imports answers of its interface with "atelier dataset import ${museum} <file>".`;

/** Sources of the rights statements for these numbers of works. */
export function rightsSentence({ imported, starter }: { imported: number; starter: number }): string {
  const sentences = [
    imported > 0 &&
      `${imported} works are included because a field of their museum's own data states or implies that they are in the public domain or CC0; each record contains the field and its value (rights.evidence).`,
    starter > 0 &&
      `${starter} works are from the starter catalogue: written by hand and considered to be in the public domain because of their age, without asking a museum; rights.evidence is null.`,
  ];
  return sentences.filter(Boolean).join(' ') || 'There are no works.';
}
