import { z } from 'zod';
import { MUSEUMS } from '../../museums.ts';
import type { ArtworkRecord } from '../../services/artworks/index.ts';

/** What one needs to know and to show when using a work. */
export const licenceFields = z.object({
  status: z.enum(['public_domain', 'cc0']),
  statement: z.string().describe('In words, and who says so.'),
  url: z.string().describe('The licence or mark.'),
  evidence: z
    .object({ field: z.string(), value: z.string() })
    .nullable()
    .describe(
      "The field of the museum's own data, and what stood there; null: general knowledge, to be checked.",
    ),
  seen_on: z.string().describe('The day it was read, ISO 8601.'),
  policy_url: z.string().describe("The museum's page about such works."),
  data_licence: z.string().describe('Of the record itself.'),
  attribution: z.string().describe('A line to show beside the picture. Asked for, not required.'),
  good_for: z.array(z.string()),
  not_covered: z.array(z.string()).describe('What no statement about copyright settles.'),
});

/** The statement of rights of a work with its evidence. `seenOn` is the day the museum's file was read. */
export function licencePassport(record: ArtworkRecord, seenOn: string): z.input<typeof licenceFields> {
  const { rights, museum } = record;
  const { name, policy, dataLicence } = MUSEUMS[museum];
  const what =
    rights.status === 'cc0' ? 'dedicates it to the public domain (CC0)' : 'marks it as in the public domain';
  return {
    status: rights.status,
    statement: rights.evidence
      ? `${name} ${what}: "${rights.evidence.field}" is "${rights.evidence.value}" in its open-access data.`
      : `By its age this work is in the public domain. ${name} has not been asked: this record is of the starter catalogue.`,
    url: rights.url,
    evidence: rights.evidence,
    seen_on: seenOn,
    policy_url: policy,
    data_licence: dataLicence,
    attribution: attributionOf(record, name),
    good_for: [
      'print and merchandise',
      'publication, also commercial',
      'changing and combining',
      'training of models',
    ],
    not_covered: [
      'trademarks and the name of the museum',
      'persons and privacy',
      'law of a country that protects the work longer',
    ],
  };
}

function attributionOf({ artists, title, date, credit_line }: ArtworkRecord, museum: string): string {
  const maker = artists[0]?.name ?? 'Unknown maker';
  return [`${maker}, ${title}`, date, museum, credit_line].filter((part) => part !== '').join('. ');
}
