import { z } from 'zod';
import { MUSEUMS } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { askedText, basisField, basisOf, type KnownWork } from './record_basis.ts';

/** Date on which a record was read at its museum. */
export const seenOnField = z
  .string()
  .nullable()
  .describe("Day on which the museum's data was read, ISO 8601; null: it was not read (starter catalogue).");

/** Conditions for using a work. */
export const licenceFields = z.object({
  status: z.enum(['public_domain', 'cc0']),
  statement: z.string().describe('In words, and who says so.'),
  url: z.string().describe('The licence or mark.'),
  evidence: z
    .object({ field: z.string(), value: z.string() })
    .nullable()
    .describe(
      "The field of the museum's own data, and what stood there; null: no field was read; check before you rely on it.",
    ),
  basis: basisField,
  seen_on: seenOnField,
  policy_url: z.string().describe("The museum's page about such works."),
  data_licence: z.string().describe('Of the record itself.'),
  attribution: z.string().describe('A line to show beside the picture. Asked for, not required.'),
  good_for: z.array(z.string()),
  not_covered: z.array(z.string()).describe('What no statement about copyright settles.'),
});

/** Licence of the records written for this program. */
export const STARTER_LICENCE = 'Apache-2.0 (written for this program)';

/**
 * Rights statement of a work with its evidence. `seenOn` is the date on which the museum's data was read, if
 * it was.
 */
export function licencePassport(
  work: KnownWork & { readonly seenOn: string | null },
): z.input<typeof licenceFields> {
  const { record, seenOn } = work;
  const { rights, museum } = record;
  const { name, policy, dataLicence } = MUSEUMS[museum];
  return {
    status: rights.status,
    statement: statementOf(work, name),
    url: rights.url,
    evidence: rights.evidence,
    basis: basisOf(record),
    seen_on: seenOn,
    policy_url: policy,
    data_licence: rights.evidence ? dataLicence : STARTER_LICENCE,
    attribution: attributionOf(record, name),
    good_for: [
      'print and merchandise',
      'publication, including commercial',
      'adaptation and combination',
      'model training',
    ],
    not_covered: [
      'trademarks and the name of the museum',
      'personality and privacy rights',
      'longer protection under the law of another country',
    ],
  };
}

/**
 * Quotes the field, because an importer may derive a status that the field does not state in words (an empty
 * limit, a URL).
 */
function statementOf(work: KnownWork, museum: string): string {
  const {
    rights: { status, evidence },
    year_to: year,
  } = work.record;
  if (evidence) {
    const what = status === 'cc0' ? 'dedicated to the public domain (CC0)' : 'in the public domain';
    return `Considered to be ${what} because "${evidence.field}" is "${evidence.value}" in the open-access data of ${museum}.`;
  }
  return `Written by hand for the starter catalogue and considered to be in the public domain because of its age${year === null ? '' : ` (made in ${year} or before)`}. ${askedText(work)}; no field of its data was read.`;
}

function attributionOf({ artists, title, date, credit_line }: ArtworkRecord, museum: string): string {
  const maker = artists[0]?.name ?? 'Unknown maker';
  return [`${maker}, ${title}`, date, museum, credit_line].filter((part) => part !== '').join('. ');
}
