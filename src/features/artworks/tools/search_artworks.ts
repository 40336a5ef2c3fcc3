import { z } from 'zod';
import { SEARCHES_PER_HOUR_MAX } from '../../../config/limits.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { fileAnswer, imageField, rgbOfHex } from '../../definitions/fields.ts';
import { pictureAnswer } from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import {
  enumSynonyms,
  hasSameLetters,
  inUnit,
  withAliases,
  withCoercion,
} from '../../definitions/spellings.ts';
import { type CallContext, defineTool, type Suggestion } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  SIMILARITY_CRITERIA,
  type SimilarityCriterion,
  VOCABULARY_NAMES,
  type VocabularyName,
} from '../limits.ts';
import { MUSEUM_NAMES, MUSEUMS, type MuseumName, STARTER_MUSEUMS } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Artworks, SearchRequest } from '../types.ts';
import { EXAMPLE_ARTIFACT_ID, workIdField } from './artwork_fields.ts';
import { colorField, colorsIn } from './color_field.ts';
import {
  SEARCH_COLORS_MAX,
  SEARCH_MEDIUM_CHARACTERS_MAX,
  SEARCH_OFFSET_MAX,
  SEARCH_PERIOD_CHARACTERS_MAX,
  SEARCH_QUERY_CHARACTERS_MAX,
  SEARCH_RESULTS_MAX,
  VOCABULARY_TERMS_MAX,
  VOCABULARY_WORKS_MAX,
  WORKS_SHEET_MAX,
} from './limits.ts';
import { DATASET_ID } from './open_museums.ts';
import { basisOf } from './record_basis.ts';
import { worksSheet } from './works_sheet.ts';

const year = () => shownAs(z.int().min(-9999).max(9999).optional(), { type: 'integer' });

const size = (of: string) =>
  z
    .string()
    .trim()
    .max(SEARCH_PERIOD_CHARACTERS_MAX)
    .default('')
    .describe(`${of} of the work in cm: "20-40", "max 40", "30".`);

const licence = z.enum(['', 'cc0', 'public_domain']);
type Licence = z.output<typeof licence>;

/** Filters beside the query, field by field. */
const filterFields = {
  medium: withAliases(
    withCoercion(
      z
        .string()
        .trim()
        .max(SEARCH_MEDIUM_CHARACTERS_MAX)
        .default('')
        .describe('painting, print… or "oil on canvas".'),
      (sent) =>
        Array.isArray(sent) && sent.every((one) => typeof one === 'string') ? sent.join(', ') : undefined,
    ),
    ...[
      'technique',
      'material',
      'materials',
      'media',
      'classification',
      'object_type',
      'artwork_type',
      'type',
      'kind',
    ],
  ),
  century: withAliases(
    z
      .union(
        [z.int(), z.string().trim().max(SEARCH_PERIOD_CHARACTERS_MAX)],
        'must be a century such as 17 or -5, or a period such as "17th century" or "1650-1700"',
      )
      .default('')
      .describe('17, "1880s"'),
    ...['period', 'date', 'dates', 'date_range', 'decade', 'era', 'centuries', 'year', 'years', 'year_range'],
  ),
  year_from: withAliases(
    year(),
    ...[
      'from_year',
      'date_from',
      'start_year',
      'year_start',
      'min_year',
      'year_min',
      'from',
      'after',
      'date_begin',
    ],
  ),
  year_to: withAliases(
    year(),
    ...['to_year', 'date_to', 'end_year', 'year_end', 'max_year', 'year_max', 'to', 'before', 'date_end'],
  ),
  height_cm: withAliases(
    briefly(size('Height'), '"20-40"'),
    ...['height', 'height_range', 'size', 'size_cm', 'dimensions'],
  ),
  width_cm: withAliases(briefly(size('Width'), ''), ...['width', 'width_range']),
  area: withAliases(
    withCoercion(
      briefly(
        z
          .string()
          .trim()
          .max(SEARCH_PERIOD_CHARACTERS_MAX)
          .default('')
          .describe('Of its places: "latitude,longitude,km" or "south,west,north,east".'),
        '"lat,lon,km"',
      ),
      (sent) => (Array.isArray(sent) && sent.every(Number.isFinite) ? sent.join(',') : undefined),
    ),
    ...['bbox', 'bounding_box', 'near', 'geo', 'location'],
  ),
  has_image: withAliases(
    z.boolean().default(false).meta({ title: 'Only with a picture' }),
    ...[
      'image_available',
      'has_picture',
      'with_image',
      'with_images',
      'images_only',
      'has_images',
      'only_with_image',
    ],
  ),
  min_px: withAliases(
    withCoercion(
      shownAs(
        z
          .int()
          .min(0)
          .max(99_999)
          .optional()
          .describe('Long side; unknown sizes are left out.')
          .meta({ title: 'Long side at least, px' }),
        { type: 'integer', description: 'Long side.' },
      ),
      inUnit('px'),
    ),
    ...[
      'min_size',
      'min_width',
      'min_resolution',
      'min_image_size',
      'min_pixels',
      'min_long_side',
      'min_dimension',
    ],
  ),
  licence: withAliases(
    withCoercion(
      licence.default(''),
      enumSynonyms({
        any: '',
        all: '',
        free: '',
        open: '',
        'open access': '',
        'royalty free': '',
        commercial: '',
        'commercial use': '',
        'CC0 1.0': 'cc0',
        'CC0-1.0': 'cc0',
        'CC 0': 'cc0',
        'Creative Commons Zero': 'cc0',
        'CC zero': 'cc0',
        PD: 'public_domain',
        PDM: 'public_domain',
        'public domain mark': 'public_domain',
        'no known copyright': 'public_domain',
      }),
    ),
    ...['license', 'rights', 'copyright', 'usage_rights', 'licence_type', 'license_type'],
  ),
};

interface FilterInput {
  readonly museum: string;
  readonly medium: string;
  readonly century: string | number;
  readonly year_from?: number | undefined;
  readonly year_to?: number | undefined;
  readonly height_cm: string;
  readonly width_cm: string;
  readonly area: string;
  readonly has_image: boolean;
  readonly min_px?: number | undefined;
  readonly licence: Licence;
}

/** Whether filters alone can find works. */
const isFiltered = ({ museum, ...input }: FilterInput): boolean =>
  museum !== '' || Object.keys(sentOf(input)).length > 0;

/** The filters as the dataset expects them. */
const filtersOf = ({
  medium,
  century,
  year_from,
  year_to,
  height_cm,
  width_cm,
  area,
  has_image,
  min_px,
  licence: asked,
}: FilterInput) => ({
  medium,
  century,
  licence: asked,
  hasImage: has_image,
  longSideMin: min_px,
  yearFrom: year_from,
  yearTo: year_to,
  height: height_cm,
  width: width_cm,
  area,
});

type Found = Awaited<ReturnType<Artworks['search']>>;

/**
 * Works excluded by filters, for the response. Warns of unknown values, and of a search without remaining
 * results.
 */
function leftOutOf(
  { leftOut, total }: Pick<Found, 'leftOut' | 'total'>,
  warn: (text: string) => void,
): Record<string, number> | undefined {
  if (!leftOut) return undefined;
  const { works, alone, sizeUnknown } = leftOut;
  if (sizeUnknown > 0)
    warn(
      `min_px left out ${countOf(sizeUnknown)} of whose picture no museum says the size: unknown is not large enough.`,
    );
  const each = Object.entries(alone).sort(([, one], [, other]) => other - one);
  if (total === 0 && works > 0)
    warn(
      `Filters left nothing of ${countOf(works)}. ${each.length === 0 ? 'No single one of them does: leave out two.' : `Without it: ${each.map(([name, more]) => `${name} ${more}`).join(', ')}.`}`,
    );
  return { ...(works > 0 && { all: works }), ...alone };
}

/** Warns of works whose image address must be asked for first, so that `image_available` is false. */
function warnOfLookUps(hits: Found['hits'], warn: (text: string) => void): void {
  const ids = hits.filter(({ record }) => record.image?.kind === 'lookup').map(({ record }) => record.id);
  if (ids.length > 0)
    warn(`Their museum has to be asked which picture they have, which get_artwork does: ${ids.join(', ')}.`);
}

const countOf = (works: number): string => (works === 1 ? 'one work' : `${works} works`);

/** If filters leave no results: the same search without the filter that excludes the most. */
function withoutWorstFilter(
  input: FilterInput & {
    readonly query: string;
    readonly limit: number;
    readonly colors: readonly string[];
    readonly like?: unknown;
    readonly like_work?: string | undefined;
    readonly like_by: '' | SimilarityCriterion;
  },
  leftOut: Readonly<Record<string, number>> | undefined,
): Suggestion[] {
  const [worst, works] =
    Object.entries(leftOut ?? {})
      .filter(([name]) => name !== 'all')
      .sort(([, one], [, other]) => other - one)[0] ?? [];
  // Responses do not repeat an image.
  if (worst === undefined || input.like !== undefined) return [];
  const { query, museum, limit, colors, like_work, like_by } = input;
  const gone = worst === 'years' ? ['year_from', 'year_to'] : [worst];
  const kept = Object.entries(sentOf(input)).filter(([name]) => !gone.includes(name));
  return [
    {
      action: `Search without ${gone.join(' and ')}`,
      tool: 'search_artworks',
      why: `Finds ${countOf(works!)}`,
      params: {
        query,
        ...(museum && { museum }),
        limit,
        ...(colors.length > 0 && { colors }),
        ...(like_work !== undefined && { like_work }),
        ...(like_by !== '' && { like_by }),
        ...Object.fromEntries(kept),
      },
    },
  ];
}

/** The filters that are set. */
const sentOf = (input: Omit<FilterInput, 'museum'>): Record<string, unknown> =>
  Object.fromEntries(
    (Object.keys(filterFields) as (keyof typeof filterFields)[]).flatMap((name) => {
      const sent = input[name];
      return sent === undefined || sent === '' || sent === false || (name === 'min_px' && sent === 0)
        ? []
        : [[name, sent]];
    }),
  );

/** Museums by their full names, with or without "The". */
const BY_NAME = enumSynonyms({
  all: '',
  any: '',
  ...Object.fromEntries(
    MUSEUM_NAMES.flatMap((name) =>
      [name, MUSEUMS[name].name.replace(/^The /, '')].flatMap((long) => [
        [long, name],
        [`The ${long}`, name],
      ]),
    ),
  ),
});

/** "Rijksmuseum, Amsterdam", "metmuseum": a museum whose name, or short name with "museum", occurs in the text. */
function museumAmong(sent: unknown): string | undefined {
  if (typeof sent !== 'string' || sent.length > SEARCH_QUERY_CHARACTERS_MAX) return undefined;
  const parts = [...sent.split(/\s*[,(/]\s*|\s+/u), ...sent.split(/\s*[,(]\s*/u)];
  const named = MUSEUM_NAMES.filter((name) =>
    parts.some((part) =>
      [name, `${name}museum`, MUSEUMS[name].name, `The ${MUSEUMS[name].name}`].some((known) =>
        hasSameLetters(known, part),
      ),
    ),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** The museum meant by a text; undefined if ambiguous. */
const museumIn = (sent: unknown): unknown => BY_NAME(sent) ?? museumAmong(sent);

const artwork = z.object({
  artist: z.string(),
  date: z.string(),
  credit_id: z.string().describe('Send it as artifact_id to get_artwork.'),
  image_available: z.boolean(),
  medium: z.string(),
  museum: z.string(),
  title: z.string(),
  why: z.string().optional().describe('Where the query was found, or what is alike.'),
});

const found = {
  dataset: z.string(),
  query: z.string(),
  results: z.array(artwork),
  total_results: z.int().min(0).max(1_000_000_000).describe('Works found, however many are shown.'),
};

const side = z.int().min(1).max(10_000);
const counts = z.record(z.string(), z.int().min(1).max(1_000_000_000));

export const searchArtworks = defineTool({
  name: 'search_artworks',
  title: 'Search artworks',
  category: 'dataset',
  summary:
    'Finds public-domain works of museums by words ("phrases", -exclusions), colours, likeness or filters.',
  instead: { get_artwork: 'with an id at hand', search_tools: 'for tools' },
  words:
    'find paintings, art and pictures in museums, museum, by an artist, public domain, free images, royalty free pictures, van gogh, monet, rembrandt, prints, drawings, photographs and sculptures, portraits, landscapes, still life, sea, dutch, old masters, impressionist, japanese woodblock prints, of animals or flowers, by century, similar pictures, artwork by color, pictures with boats, ships, horses, cats, dogs, birds, trees, mountains, saints, mythology, night, winter, city, free to use in a book or on a website, famous painters, vermeer, hokusai, turner, klimt, renaissance, baroque, paintings of horses, art with lots of green, something like this picture but from a museum, public domain images for a blog, works before or after a year, egyptian sculpture, what do you have from the rijksmuseum, met, metropolitan, chicago, national gallery, smithsonian, cleveland, paris, portrait of a woman or man, children, reading, angels, battle, gardens, storm, interior, goya, degas, cezanne, manet, renoir, raphael, caravaggio, botticelli, leonardo, michelangelo, titian, velazquez, rubens, bruegel, durer, klee, munch, cassatt, whistler, hiroshige, utamaro, gauguin, seurat, pissarro, constable, blake, sargent, greek, roman, chinese, indian, medieval, gothic, romantic, watercolor, etching, engraving, ceramics, textiles, masterpieces, kittens, people dancing, lemons, fruit, bread, food, fish, snow, rain, moon, stars, garden, bridge, church, castle, king, queen, dance, music, hats, dress, men, women, skull, map, self-portrait, nude, abstract, cubist, expressionist, realist, ukiyo-e, tapestry, vase, mask, armour, jewellery, photographs of cities, old maps, botanical illustration, from the 1700s, free art for a cover, who painted sunflowers, antique, historical picture, inspiration, filter art by medium, by licence, cc0 only, only works with an image, high resolution pictures, oil on canvas, made between two years, dominant color',
  price: FREE,
  input: z
    .object({
      query: withAliases(
        z.string().trim().max(SEARCH_QUERY_CHARACTERS_MAX).describe('May be empty.').meta({ title: 'Words' }),
        ...['q', 'search', 'search_query', 'search_term', 'keywords', 'keyword', 'text', 'term', 'terms'],
        ...['artist', 'subject', 'title'],
      ),
      museum: withAliases(
        // Listing all names would grow with every museum; an unknown name gets an error that lists them.
        shownAs(withCoercion(z.enum(['', ...MUSEUM_NAMES]).default(''), museumIn), {
          type: 'string',
          description: 'rijks …',
        }),
        ...['museums', 'institution', 'collection', 'source', 'museum_name'],
      ),
      limit: withAliases(
        z.int().min(1).max(SEARCH_RESULTS_MAX).default(20).meta({ title: 'Works at most' }),
        ...[
          'max_results',
          'num_results',
          'count',
          'top_k',
          'n',
          'k',
          'per_page',
          'page_size',
          'results',
          'max',
        ],
      ),
      offset: withAliases(
        shownAs(
          z
            .int()
            .min(0)
            .max(SEARCH_OFFSET_MAX)
            .default(0)
            .describe('Works passed over, for the next page.')
            .meta({ title: 'Pass over' }),
          { type: 'integer' },
        ),
        ...['skip', 'start', 'from'],
      ),
      colors: withCoercion(
        briefly(
          z.array(colorField).max(SEARCH_COLORS_MAX).default([]).describe('Hex or names; all of them.'),
          'All of them.',
        ),
        colorsIn,
      ),
      like: imageField.optional().meta({ title: 'Like this picture' }),
      like_work: withAliases(
        briefly(
          workIdField
            .optional()
            .describe('credit_id of a work, in place of a picture.')
            .meta({ title: 'Like this work' }),
          'Or credit_id.',
        ),
        ...['more_like', 'more_like_this', 'similar_to', 'like_id', 'like_artwork', 'related_to'],
      ),
      like_by: withAliases(
        withCoercion(
          briefly(
            z
              .enum(['', ...SIMILARITY_CRITERIA])
              .default('')
              .describe(
                'composition (light and dark, shape), color (palette) or subject (of the record; needs no picture); empty: the whole look.',
              )
              .meta({ title: 'Alike in' }),
            '',
          ),
          enumSynonyms({
            colour: 'color',
            colors: 'color',
            colours: 'color',
            palette: 'color',
            layout: 'composition',
            subjects: 'subject',
            content: 'subject',
            look: '',
            all: '',
          }),
        ),
        ...['alike_in', 'similarity', 'by', 'likeness', 'mode'],
      ),
      sheet: withAliases(
        briefly(
          z
            .boolean()
            .default(false)
            .describe(`Draws the first ${WORKS_SHEET_MAX} works as one image, numbered as the results are.`),
          'Contact sheet.',
        ),
        ...['contact_sheet', 'show', 'as_image', 'with_sheet'],
      ),
      terms: withAliases(
        briefly(
          z
            .enum(['', ...VOCABULARY_NAMES])
            .default('')
            .describe(
              'Counts the values of this field: of the collection or a museum, else of the works found.',
            ),
          'Counts its values.',
        ),
        ...['vocabulary', 'facet', 'list_terms', 'facet_values'],
      ),
      ...filterFields,
    })
    .check(({ value, issues }) => {
      const { query, colors, like, like_work, like_by, terms } = value;
      const isAlike = like !== undefined || like_work !== undefined;
      const refuse = (field: 'query' | 'like_by' | 'like_work', message: string) =>
        issues.push({ code: 'custom', path: [field], input: value[field], message });
      if (like !== undefined && like_work !== undefined)
        refuse('like_work', 'stands in place of like: send one of them');
      if (like_by !== '' && !isAlike)
        refuse('like_by', 'needs like_work, the credit_id of a work, or like, a picture');
      else if (query === '' && terms === '' && colors.length === 0 && !isAlike && !isFiltered(value))
        refuse(
          'query',
          'must not be empty without colors, like, museum, terms or a filter such as medium or century',
        );
    }),
  output: z.object({
    ...found,
    museum: z.string(),
    sheet: z
      .object({ ...fileAnswer, width: side, height: side })
      .optional()
      .describe('Its tiles are numbered from offset + 1.'),
    terms: z
      .object({
        field: z.enum(VOCABULARY_NAMES),
        total: z.int().min(0).max(1_000_000_000).describe('How many different values there are.'),
        values: z
          .array(z.object({ term: z.string(), works: z.int().min(1).max(1_000_000_000) }))
          .describe('The most frequent first.'),
        works: z
          .int()
          .min(0)
          .max(1_000_000_000)
          .describe(`Works counted; of a search the best ${VOCABULARY_WORKS_MAX} at most.`),
      })
      .optional(),
    has_more: z.boolean().describe('More works were found after those shown.'),
    facets: z
      .object({
        museum: counts,
        century: counts.describe('By century of making: 17 is the 17th.'),
        medium: counts.describe('By kind, as the filter takes it; a work may be of two.'),
        licence: counts.describe('public_domain has cc0 in it.'),
      })
      .describe('How all the works that were found are spread.'),
    did_you_mean: z.string().optional().describe('The query repaired; the results are for it.'),
    relaxed: z.array(z.string()).describe('Conditions dropped because no work met all of them.'),
    left_out: counts
      .optional()
      .describe('Works that filters leave out: all, and by filter those that would come back without it.'),
    looks_known: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .optional()
      .describe('Works whose look is known; no others are found by it.'),
    meaning: z
      .object({
        used: z.boolean(),
        works_known: z.int().min(0).max(1_000_000_000),
        why_not: z.string().optional(),
      })
      .optional()
      .describe('Where it also searches by meaning.'),
    seen: z
      .object({
        used: z.boolean(),
        works_known: z.int().min(0).max(1_000_000_000),
        why_not: z.string().optional(),
      })
      .optional()
      .describe('Where pictures are searched by what they show.'),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  examples: [
    { query: 'stormy sea' },
    { query: 'Vermeer', museum: 'rijks', limit: 5 },
    { query: 'flowers', medium: 'painting', century: 17 },
    { query: '', like_work: EXAMPLE_ARTIFACT_ID, like_by: 'subject' },
  ],
  limit: { name: 'search', calls: SEARCHES_PER_HOUR_MAX, perSeconds: 3600 },
  next: ({ results: [first], left_out }, input) =>
    first
      ? [
          {
            action: 'Get a work',
            tool: 'get_artwork',
            why: 'The whole record and a link to the picture',
            params: { artifact_id: first.credit_id },
          },
        ]
      : withoutWorstFilter(input, left_out),
  sandbox: {
    query: z.object({}),
    answer: z.object(found),
    of: 'the works of this server (credit_id is of the sandbox, and get_artwork takes those of a real answer)',
    input: () => ({ query: 'sea', limit: 4 }),
    shown: ({ results }) => ({ results: results.map(inSandbox) }),
    next: [
      {
        action: 'Search for yourself',
        tool: 'search_artworks',
        why: 'The same call on the whole dataset, free',
        params: { query: 'sea', limit: 5 },
      },
      {
        action: 'See what else there is',
        tool: 'search_tools',
        why: 'Lists every tool that works on the dataset',
        params: { category: 'dataset' },
      },
    ],
  },

  async run(input, services: Needs, call) {
    const { query, museum, offset } = input;
    const { artworks } = services;
    const { warn } = call;
    const asked = askedOf(input, call);
    const answer = await artworks.search(asked);
    if (offset >= answer.total && answer.total > 0)
      warn(`Only ${answer.total} works were found, and offset passes over ${offset}.`);
    if (answer.unsearched !== undefined) warn(answer.unsearched);
    const leftOut = leftOutOf(answer, warn);
    const byLook = input.colors.length > 0 || (isAlike(input) && input.like_by !== 'subject');
    if (input.has_image) warnOfLookUps(answer.hits, warn);
    warnOfSources(answer, warn);
    return {
      dataset: DATASET_ID,
      query,
      museum,
      ...(input.sheet && { sheet: await sheetOf(services, answer, { offset, call }) }),
      results: answer.hits.map(({ record, why, missing }) => ({
        ...searchResultOf(record),
        why: missing ? `${why}; without ${missing.join(' and ')}` : why,
      })),
      total_results: answer.total,
      has_more: answer.total > offset + answer.hits.length,
      facets: answer.facets,
      ...(input.terms && {
        terms: await termsOf(artworks, input.terms, { asked, answer, isAll: !isNarrowed(input) }),
      }),
      ...(answer.didYouMean !== undefined && { did_you_mean: answer.didYouMean }),
      relaxed: [...answer.relaxed],
      ...(leftOut && { left_out: leftOut }),
      ...(answer.meaning && { meaning: partOf(answer.meaning) }),
      ...(answer.seen?.network && { seen: partOf(answer.seen) }),
      ...(byLook && { looks_known: await artworks.looksKnown(input.like_by || undefined) }),
    };
  },
});

type Needs = Pick<Services, 'artworks' | 'pixels' | 'results'>;

interface Input extends FilterInput {
  readonly museum: '' | MuseumName;
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly colors: readonly string[];
  readonly like?: { readonly bytes: Uint8Array } | undefined;
  readonly like_work?: string | undefined;
  readonly like_by: '' | SimilarityCriterion;
}

const isAlike = ({ like, like_work }: Pick<Input, 'like' | 'like_work'>): boolean =>
  like !== undefined || like_work !== undefined;

const askedOf = (input: Input, { signal }: Pick<CallContext, 'signal'>): SearchRequest => ({
  query: input.query,
  museum: input.museum || undefined,
  filters: filtersOf(input),
  limit: input.limit,
  offset: input.offset,
  colors: input.colors.map(colorOfHex),
  picture: input.like && { bytes: input.like.bytes, signal },
  likeWork: input.like_work,
  likeBy: input.like_by || undefined,
});

/** Whether words, colours, an image or a filter other than the museum restrict the search. */
const isNarrowed = ({ query, colors, like, like_work, like_by: _, ...input }: Input): boolean =>
  query !== '' || colors.length > 0 || isAlike({ like, like_work }) || Object.keys(sentOf(input)).length > 0;

async function sheetOf(
  services: Needs,
  { hits }: Pick<Found, 'hits'>,
  { offset, call }: { offset: number; call: CallContext },
) {
  const records = hits.map(({ record }) => record);
  const sheet = await worksSheet(services, records, { first: offset + 1, call });
  return pictureAnswer(services.results, sheet, { output: 'url', warn: call.warn });
}

/** Values of a field: of the collection or a museum without other criteria, else of the best works found. */
async function termsOf(
  artworks: Artworks,
  field: VocabularyName,
  { asked, answer, isAll }: { asked: SearchRequest; answer: Found; isAll: boolean },
) {
  const { museum } = asked;
  const best = isAll
    ? undefined
    : await artworks.search({ ...asked, offset: 0, limit: VOCABULARY_WORKS_MAX });
  const { terms, total } = await artworks.vocabulary({
    name: field,
    museum,
    ids: best?.hits.map(({ record }) => record.id),
    limit: VOCABULARY_TERMS_MAX,
  });
  const works = best?.hits.length ?? (museum ? answer.total : answer.edition.works);
  return { field, total, works, values: [...terms] };
}

/** Warns of records that an import did not read, or did not read alone. */
function warnOfSources({ hits, starterOnly }: Found, warn: (text: string) => void): void {
  if (starterOnly.length > 0) warn(starterWarning(starterOnly));
  // After a partial or interrupted import, works of the starter catalogue remain.
  const byHand = hits.filter(
    ({ record }) => basisOf(record) === 'starter_catalogue' && !starterOnly.includes(record.museum),
  );
  if (byHand.length > 0)
    warn(`From the starter catalogue, written by hand: ${byHand.map(({ record }) => record.id).join(', ')}.`);
  const read = hits.filter(({ record, live }) => live && basisOf(record) === 'museum_data');
  if (read.length > 0)
    warn(
      `Completed by their museum since, on request: ${read.map(({ record, live }) => `${record.id} (${live!.askedOn})`).join(', ')}.`,
    );
}

/** The specification gives sandbox works identifiers of this form; get_artwork takes the real ones. */
const inSandbox = ({ why: _, ...work }: z.output<typeof artwork> & { why?: string }) => ({
  ...work,
  credit_id: `AETR-${work.credit_id.replace(/\D/g, '') || '0'}`,
});

const partOf = ({ used, known, why }: { used: boolean; known: number; why?: string }) => ({
  used,
  works_known: known,
  ...(why !== undefined && { why_not: why }),
});

function colorOfHex(hex: string): number {
  const [red, green, blue] = rgbOfHex(hex);
  return (red << 16) | (green << 8) | blue;
}

/** The seven fields of the specification. An image that only the museum's API can locate is not promised. */
export const searchResultOf = (record: ArtworkRecord) => ({
  artist: record.artists.map(({ name }) => name).join('; ') || 'Unknown',
  date: record.date,
  credit_id: record.id,
  image_available: record.image !== null && record.image.kind !== 'lookup',
  medium: record.medium,
  museum: record.museum,
  title: record.title,
});

/** Warning of a new server until works have been imported. */
export const starterWarning = (museums: readonly (keyof typeof MUSEUMS)[]): string => {
  const all = museums.length === STARTER_MUSEUMS.length;
  const of = all ? '' : ` of ${museums.map((name) => MUSEUMS[name].name).join(', ')}`;
  return `Records${of} are from the starter catalogue: written by hand, without asking a museum.`;
};
