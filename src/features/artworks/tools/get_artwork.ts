import { z } from 'zod';
import { credits } from '../../definitions/price.ts';
import { type Charge, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { PLACE_KINDS } from '../limits.ts';
import { MUSEUMS } from '../museums/museums.ts';
import { placePointsOf } from '../places/places_in_words.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Related } from '../records/related_works.ts';
import { sizeOfWork } from '../records/size_in_words.ts';
import { artifactIdField, artworkImage, EXAMPLE_ARTIFACT_ID, imageOf } from './artwork_fields.ts';
import { licenceFields, licencePassport } from './licence_passport.ts';
import { ARTWORK_TOKENS_MAX, ARTWORK_TOKENS_MIN } from './limits.ts';
import { askedText, basisField, basisOf, type KnownWork, pullText, starterNote } from './record_basis.ts';

/** Related works listed with a record; more if the response would be too short without them. */
const OTHERS = 6;
const OTHERS_MAX = 24;
const CHARACTERS_PER_TOKEN = 4;

const year = z.int().min(-20_000).max(3000).nullable();

const centimetres = z.number().min(0).max(100_000).optional();
/**
 * Limit in characters for provenance, exhibitions and literature. The page of the work and batch_download
 * have the full texts.
 */
const HISTORY_CHARACTERS_MAX = 600;

const metadata = z.object({
  title: z.string(),
  other_titles: z.array(z.string()),
  artists: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      nationality: z.string(),
      born: year,
      died: year,
      same_as: z.array(z.string()).optional().describe('In Wikidata and ULAN, where the museum says.'),
    }),
  ),
  date: z.string(),
  year_from: year,
  year_to: year,
  medium: z.string(),
  dimensions: z.string(),
  size: z
    .object({
      height_cm: centimetres,
      width_cm: centimetres,
      depth_cm: centimetres,
      diameter_cm: centimetres,
    })
    .optional()
    .describe('Read from dimensions.'),
  series: z.string().optional().describe('Series, portfolio or album it is part of.'),
  provenance: z.string().optional().describe("Its owners in the museum's words, shortened."),
  exhibitions: z.string().optional().describe('Where it was shown, shortened.'),
  references: z.string().optional().describe('Where it was published, shortened.'),
  place_points: z
    .array(
      z.object({
        name: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        kind: z.enum(PLACE_KINDS),
        precision: z.enum(['city', 'region', 'country']),
        source: z.enum(['museum', 'gazetteer']),
      }),
    )
    .optional()
    .describe('WGS 84; ambiguous names have none.'),
  same_as: z.array(z.string()).optional().describe('The work in Wikidata, where the museum says.'),
  iconclass: z.array(z.string()).optional().describe('What it shows, in Iconclass.'),
  classification: z.string(),
  department: z.string(),
  culture: z.string(),
  credit_line: z.string(),
  accession_number: z.string(),
  tags: z.array(z.string()),
  description: z.string().describe("The museum's own words, shortened where they are long."),
  summary: z.string().describe('The record in sentences.'),
  museum: z.object({ id: z.string(), name: z.string(), city: z.string(), website: z.string() }),
  source_url: z.string().describe('Page of the work at the museum; of the starter catalogue not checked.'),
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
      asked_on: z
        .string()
        .nullable()
        .describe('Day its museum was asked for it; null: it was not, or has not answered.'),
      note: z.string().optional().describe('Of the starter catalogue: what that means.'),
    })
    .describe('This version of the record; with asked_on it stands in place of the one in the edition.'),
});

export const getArtwork = defineTool({
  name: 'get_artwork',
  title: 'Get artwork',
  category: 'dataset',
  summary:
    'One work of the dataset: its record, how its rights are known, its picture. What is not here is asked of its museum. Without a picture it costs nothing.',
  instead: { search_artworks: 'to find one', get_artwork_oracle: 'for an analysis' },
  words:
    'details, facts or record of one museum work, who painted it and when, title, artist, year, owner, may I use or sell it, licence or rights of a work in the dataset, allowed, by its id or number, link to its picture, vermeer, year and artist of this id, met_45434, metadata of met_45434, year of met_45434, who painted met_45434, download the image of this museum work, picture of one museum work, full record of one painting, medium, date and measurements of that work, provenance of a museum object, look up by identifier, when was it made, high resolution picture of a work, more about one work, artist and licence of one object in the collection, accession number, tombstone data, credit line, show me this painting, image link of one work, iiif, on which day, size of the painting, material, culture, the work with this number',
  price: credits(1),
  input: z.object({
    artifact_id: artifactIdField,
  }),
  output: z.object({
    artifact_id: z.string(),
    metadata,
    image: artworkImage,
    image_note: z.string().optional().describe('Why image is null or not certain.'),
    licence: licenceFields,
    token_count: z.int().min(1).max(100_000).describe('Of metadata and licence, at four characters a token.'),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
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
    chargeFor((await artworks.complete(artifact_id)).record),

  async run({ artifact_id }, { artworks }, call) {
    const work = await artworks.complete(artifact_id);
    const { record, sha256, edition, live } = work;
    const charge = chargeFor(record);
    if (charge) call.charge(charge);
    const note = starterNote(work);
    if (note) call.warn(note);
    const others = await artworks.others(record, OTHERS_MAX);
    const licence = licencePassport(work);
    const version = {
      sha256,
      edition: edition.number,
      basis: basisOf(record),
      asked_on: live?.askedOn ?? null,
      ...(note && { note }),
    };
    const shown = fitRecord(work, others, { licence, record: version });
    const imageNote = noteOf(work);
    return {
      artifact_id: record.id,
      metadata: shown,
      image: imageOf(record, artworks),
      ...(imageNote && { image_note: imageNote }),
      licence,
      token_count: tokensOf(shown, licence),
    };
  },
});

/**
 * The image is charged, not the record.
 * @returns undefined if there is an image
 */
function chargeFor({ image }: ArtworkRecord): Charge | undefined {
  if (image === null) return { credits: 0, why: 'This work has no image, so you are not charged.' };
  if (image.kind === 'lookup')
    return {
      credits: 0,
      why: 'Only the museum knows whether there is an image, and it did not respond, so you are not charged.',
    };
  return undefined;
}

/** Why there is no image, or only an uncertain one. */
function noteOf({ record, live }: KnownWork): string | undefined {
  const { image, museum } = record;
  if (image && image.kind !== 'lookup') return undefined;
  const { name } = MUSEUMS[museum];
  const isStarter = basisOf(record) === 'starter_catalogue';
  return [
    live?.leftOut && `${name} was asked on ${live.askedOn}: ${live.leftOut}.`,
    live?.problem,
    image === null &&
      (isStarter
        ? `The starter catalogue contains no images. ${pullText(record)}`
        : `The data of ${name} contains no free image of this work.`),
  ]
    .filter(Boolean)
    .join(' ');
}

const tokensOf = (...parts: readonly object[]): number =>
  Math.ceil(JSON.stringify(parts).length / CHARACTERS_PER_TOKEN);

/** Fits the response to its token limits: shortens the description, or adds related works. */
function fitRecord(
  work: KnownWork,
  others: readonly Related[],
  { licence, record: version }: { licence: object; record: z.input<typeof metadata>['record'] },
) {
  const describeWith = (description: string, count = OTHERS) => ({
    ...metadataOf(work, others.slice(0, count), description),
    record: version,
  });
  const { description } = work.record;
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

function metadataOf(work: KnownWork, others: readonly Related[], description: string) {
  const { record } = work;
  const { id: _, museum, image: __, rights: ___, highlight: ____, places: _____, ...fields } = record;
  const points = placePointsOf(record);
  const { name, city, home } = MUSEUMS[museum];
  const size = sizeOfWork(fields.dimensions);
  return {
    ...fields,
    tags: fields.tags.slice(0, 25),
    ...(size && { size: { ...size } }),
    ...(fields.provenance && { provenance: shortened(fields.provenance) }),
    ...(fields.exhibitions && { exhibitions: shortened(fields.exhibitions) }),
    ...(fields.references && { references: shortened(fields.references) }),
    ...(points.length > 0 && { place_points: points.map((point) => ({ ...point })) }),
    description,
    summary: summaryOf(work),
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

const shortened = (text: string): string =>
  text.length <= HISTORY_CHARACTERS_MAX ? text : `${text.slice(0, HISTORY_CHARACTERS_MAX - 1).trimEnd()}…`;

/** The record as sentences, including what is unknown. */
function summaryOf(work: KnownWork): string {
  const { record } = work;
  const { title, date, medium, dimensions, culture, classification, department, credit_line } = record;
  const museum = MUSEUMS[record.museum];
  const sentences = [
    `"${title}" is ${classification ? `catalogued as ${classification.toLowerCase()}` : 'a work'}${date && `, dated ${date}`}.`,
    makerSentence(record),
    medium && `Medium: ${medium}.`,
    culture && `Its origin is given as ${culture}.`,
    dimensions && `It measures ${dimensions.slice(0, 300)}.`,
    record.tags.length > 0 && `Its subjects are given as ${record.tags.slice(0, 12).join(', ')}.`,
    `It is in ${museum.name}, ${museum.city}${department && ` (${department})`}${record.accession_number && `, under the number ${record.accession_number}`}.`,
    credit_line && `The museum credits it: ${credit_line}.`,
    basisOf(record) === 'starter_catalogue' && `This record was written by hand; ${askedText(work)}.`,
  ];
  return sentences
    .filter(Boolean)
    .join(' ')
    .replace(/\.\.(?=\s|$)/g, '.');
}

function makerSentence({ artists }: ArtworkRecord): string {
  if (artists.length === 0) return 'Its maker is unknown.';
  const people = artists.slice(0, 5).map(({ name, nationality, born, died }) => {
    const life = born !== null || died !== null ? `${born ?? '?'}–${died ?? ''}` : '';
    const about = [nationality, life].filter(Boolean).join(', ');
    return about ? `${name} (${about})` : name;
  });
  return `It is by ${people.join(', ')}.`;
}
