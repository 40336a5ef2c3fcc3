import { z } from 'zod';
import { MUSEUMS } from '../../dataset/museums/museums.ts';
import type { ArtworkRecord } from '../../dataset/records/record.ts';
import type { Related } from '../../dataset/records/related_works.ts';
import type { Services } from '../../services/contract.ts';
import { credits } from '../price.ts';
import { type Charge, defineTool } from '../tool.ts';
import { artifactIdField, artworkImage, EXAMPLE_ARTIFACT_ID, imageOf } from './artwork_fields.ts';
import { licenceFields, licencePassport } from './licence_passport.ts';
import { ARTWORK_TOKENS_MAX, ARTWORK_TOKENS_MIN } from './limits.ts';
import { basisField, basisOf, starterNote } from './record_basis.ts';
import { summaryOf } from './summary_of.ts';

/** Other works named beside a record; more where it would be too short without them. */
const OTHERS = 6;
const OTHERS_MAX = 24;
const CHARACTERS_PER_TOKEN = 4;

const year = z.int().min(-20_000).max(3000).nullable();

const metadata = z.object({
  title: z.string(),
  other_titles: z.array(z.string()),
  artists: z.array(
    z.object({ name: z.string(), role: z.string(), nationality: z.string(), born: year, died: year }),
  ),
  date: z.string(),
  year_from: year,
  year_to: year,
  medium: z.string(),
  dimensions: z.string(),
  classification: z.string(),
  department: z.string(),
  culture: z.string(),
  credit_line: z.string(),
  accession_number: z.string(),
  tags: z.array(z.string()),
  description: z
    .string()
    .describe("The museum's own words, shortened where they are long; empty where none were read."),
  summary: z.string().describe('The record in sentences.'),
  museum: z.object({ id: z.string(), name: z.string(), city: z.string(), website: z.string() }),
  source_url: z
    .string()
    .describe(
      'Page of the work at the museum; of the starter catalogue, where it should be: nobody has looked.',
    ),
  related: z
    .array(
      z.object({
        credit_id: z.string(),
        title: z.string(),
        artist: z.string(),
        date: z.string(),
        why: z.enum(['same maker', 'same kind']),
      }),
    )
    .describe('Other works of this dataset.'),
  record: z
    .object({
      sha256: z.string(),
      edition: z.int().min(1).max(1_000_000_000),
      basis: basisField,
      note: z.string().optional().describe('Of the starter catalogue: what that means.'),
    })
    .describe('Names this version of the record; the manifest is linked to the same edition.'),
});

export const getArtwork = defineTool({
  name: 'get_artwork',
  title: 'Get artwork',
  category: 'dataset',
  summary:
    'One work of the dataset: readable metadata, how its rights are known, and links to its picture. A work without a picture costs nothing.',
  words:
    'details, record, metadata, date, artist or licence of one work of a museum, open a painting by its id, high resolution download of a painting',
  price: credits(1),
  input: z.object({
    artifact_id: artifactIdField,
  }),
  output: z.object({
    artifact_id: z.string(),
    metadata,
    image: artworkImage,
    image_note: z.string().optional().describe('Where image is null: why, and what would change it.'),
    licence: licenceFields,
    token_count: z.int().min(1).max(100_000).describe('Of metadata and licence, at four characters a token.'),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ artifact_id: EXAMPLE_ARTIFACT_ID }],
  next: ({ artifact_id, image }) =>
    image
      ? [
          {
            action: 'Take its colours',
            tool: 'extract_palette',
            why: 'Any tool with an image field takes the work by its handle',
            params: { image: image.handle },
          },
          {
            action: 'Have it analysed',
            tool: 'get_artwork_oracle',
            why: 'The deep reading of the picture',
            params: { artifact_id },
          },
        ]
      : [],

  charge: async ({ artifact_id }, { artworks }: Pick<Services, 'artworks'>) =>
    chargeFor((await artworks.find(artifact_id)).record),

  async run({ artifact_id }, { artworks }, call) {
    const { record, sha256, seenOn, edition } = await artworks.find(artifact_id);
    const charge = chargeFor(record);
    if (charge) call.charge(charge);
    const note = starterNote(record);
    if (note) call.warn(note);
    const others = await artworks.others(record, OTHERS_MAX);
    const licence = licencePassport(record, seenOn);
    const version = { sha256, edition: edition.number, basis: basisOf(record), ...(note && { note }) };
    const shown = fitRecord(record, others, { licence, record: version });
    return {
      artifact_id: record.id,
      metadata: shown,
      image: imageOf(record, artworks),
      ...(record.image === null && { image_note: noteOf(record) }),
      licence,
      token_count: tokensOf(shown, licence),
    };
  },
});

/** What is sold is the picture. @returns undefined where there is one */
const chargeFor = ({ image }: ArtworkRecord): Charge | undefined =>
  image === null
    ? { credits: 0, why: 'No picture of this work is known here, so nothing is charged.' }
    : undefined;

const noteOf = (record: ArtworkRecord): string =>
  basisOf(record) === 'starter_catalogue'
    ? `The starter catalogue names no pictures. They come with the museum's own file: npx atelier dataset pull ${record.museum}`
    : `The data read from ${MUSEUMS[record.museum].name} names no picture of this work that may be used freely.`;

const tokensOf = (...parts: readonly object[]): number =>
  Math.ceil(JSON.stringify(parts).length / CHARACTERS_PER_TOKEN);

/** Leaves out what is too long of the description; names more works beside one of which little is known. */
function fitRecord(
  record: ArtworkRecord,
  others: readonly Related[],
  { licence, record: version }: { licence: object; record: z.input<typeof metadata>['record'] },
) {
  const describeWith = (description: string, count = OTHERS) => ({
    ...metadataOf(record, others.slice(0, count), description),
    record: version,
  });
  const { description } = record;
  const over = tokensOf(describeWith(description), licence) - ARTWORK_TOKENS_MAX;
  if (over > 0 && description !== '') {
    // A character may take two in JSON.
    const kept = Math.max(0, description.length - 2 * over * CHARACTERS_PER_TOKEN - 1);
    return describeWith(kept > 0 ? `${description.slice(0, kept).trimEnd()}…` : '');
  }
  let count = OTHERS;
  while (count < others.length && tokensOf(describeWith(description, count), licence) < ARTWORK_TOKENS_MIN)
    count += 1;
  return describeWith(description, count);
}

function metadataOf(record: ArtworkRecord, others: readonly Related[], description: string) {
  const { id: _, museum, image: __, rights: ___, highlight: ____, ...fields } = record;
  const { name, city, home } = MUSEUMS[museum];
  return {
    ...fields,
    tags: fields.tags.slice(0, 25),
    description,
    summary: summaryOf(record),
    museum: { id: museum, name, city, website: home },
    related: others.map(({ record: other, why }) => ({
      credit_id: other.id,
      title: other.title.slice(0, 120),
      artist: other.artists[0]?.name ?? '',
      date: other.date,
      why,
    })),
  };
}
