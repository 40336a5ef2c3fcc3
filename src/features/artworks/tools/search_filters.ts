import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { alsoCalled, alsoRead, inUnit, inWords } from '../../definitions/spellings.ts';
import type { Suggestion } from '../../definitions/tool.ts';
import type { Artworks } from '../types.ts';
import { SEARCH_MEDIUM_CHARACTERS_MAX, SEARCH_PERIOD_CHARACTERS_MAX } from './limits.ts';

const year = () => z.int().min(-9999).max(9999).optional();

const licence = z.enum(['', 'cc0', 'public_domain']);
type Licence = z.output<typeof licence>;

/** What works have to be beside the words, field by field. */
export const filterFields = {
  medium: alsoCalled(
    alsoRead(
      z
        .string()
        .trim()
        .max(SEARCH_MEDIUM_CHARACTERS_MAX)
        .default('')
        .describe('painting, print, photograph… or "oil on canvas".'),
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
  century: alsoCalled(
    z
      .union(
        [z.int(), z.string().trim().max(SEARCH_PERIOD_CHARACTERS_MAX)],
        'must be a century such as 17 or -5, or a period such as "17th century" or "1650-1700"',
      )
      .default('')
      .describe('17, "1880s", "before 1700"'),
    ...['period', 'date', 'dates', 'date_range', 'decade', 'era', 'centuries', 'year', 'years', 'year_range'],
  ),
  year_from: alsoCalled(
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
  year_to: alsoCalled(
    year(),
    ...['to_year', 'date_to', 'end_year', 'year_end', 'max_year', 'year_max', 'to', 'before', 'date_end'],
  ),
  has_image: alsoCalled(
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
  min_px: alsoCalled(
    alsoRead(
      briefly(
        z
          .int()
          .min(0)
          .max(99_999)
          .optional()
          .describe('Long side; unknown sizes are left out.')
          .meta({ title: 'Long side at least, px' }),
        'Long side.',
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
  licence: alsoCalled(
    alsoRead(
      licence.default(''),
      inWords({
        ...{
          any: '',
          all: '',
          free: '',
          open: '',
          'open access': '',
          'royalty free': '',
          commercial: '',
          'commercial use': '',
        },
        ...{
          'CC0 1.0': 'cc0',
          'CC0-1.0': 'cc0',
          'CC 0': 'cc0',
          'Creative Commons Zero': 'cc0',
          'CC zero': 'cc0',
        },
        ...{
          PD: 'public_domain',
          PDM: 'public_domain',
          'public domain mark': 'public_domain',
          'no known copyright': 'public_domain',
        },
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
  readonly has_image: boolean;
  readonly min_px?: number | undefined;
  readonly licence: Licence;
}

/** Whether there is anything to find works by without a word. */
export const isFiltered = ({ museum, ...input }: FilterInput): boolean =>
  museum !== '' || Object.keys(sentOf(input)).length > 0;

/** What is asked for, as the dataset takes it. */
export const filtersOf = ({
  medium,
  century,
  year_from,
  year_to,
  has_image,
  min_px,
  licence: asked,
}: FilterInput) => ({
  ...{ medium, century, licence: asked, hasImage: has_image, longSideMin: min_px },
  ...{ yearFrom: year_from, yearTo: year_to },
});

type Found = Awaited<ReturnType<Artworks['search']>>;

/** What filters left out, as the answer says it. Warns of what nobody knows, and of a search that they leave nothing of. */
export function leftOutOf(
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

/** Says of works with a picture that has to be asked for first, so that `image_available` is false. */
export function warnOfLookUps(hits: Found['hits'], warn: (text: string) => void): void {
  const ids = hits.filter(({ record }) => record.image?.kind === 'lookup').map(({ record }) => record.id);
  if (ids.length > 0)
    warn(`Their museum has to be asked which picture they have, which get_artwork does: ${ids.join(', ')}.`);
}

const countOf = (works: number): string => (works === 1 ? 'one work' : `${works} works`);

/** Where filters leave nothing: the same search without the one that leaves out the most. */
export function withoutWorstFilter(
  input: FilterInput & {
    readonly query: string;
    readonly limit: number;
    readonly colors: readonly string[];
    readonly like?: unknown;
  },
  leftOut: Readonly<Record<string, number>> | undefined,
): Suggestion[] {
  const [worst, works] =
    Object.entries(leftOut ?? {})
      .filter(([name]) => name !== 'all')
      .sort(([, one], [, other]) => other - one)[0] ?? [];
  // A picture is not repeated in an answer.
  if (worst === undefined || input.like !== undefined) return [];
  const { query, museum, limit, colors } = input;
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
        ...Object.fromEntries(kept),
      },
    },
  ];
}

/** Filters that ask for something. */
const sentOf = (input: Omit<FilterInput, 'museum'>): Record<string, unknown> =>
  Object.fromEntries(
    (Object.keys(filterFields) as (keyof typeof filterFields)[]).flatMap((name) => {
      const sent = input[name];
      return sent === undefined || sent === '' || sent === false || (name === 'min_px' && sent === 0)
        ? []
        : [[name, sent]];
    }),
  );
