import { z } from 'zod';
import { SEARCH_QUERY_CHARACTERS_MAX, SEARCH_RESULTS_MAX, SEARCHES_PER_HOUR_MAX } from '../../limits.ts';
import { MUSEUM_NAMES } from '../../museums.ts';
import { FREE } from '../price.ts';
import { defineContract } from '../tool.ts';
import { DATASET_ID } from './open_museums.ts';

const artwork = z.object({
  artist: z.string(),
  date: z.string(),
  credit_id: z.string().describe('Send it as artifact_id to get_artwork.'),
  image_available: z.boolean(),
  medium: z.string(),
  museum: z.string(),
  title: z.string(),
  why: z.string().optional().describe('Which field the query matched.'),
});

const found = {
  dataset: z.string(),
  query: z.string(),
  results: z.array(artwork),
  total_results: z.int().min(0).max(1_000_000_000),
};

export const searchArtworks = defineContract({
  name: 'search_artworks',
  title: 'Search artworks',
  category: 'dataset',
  summary: 'Finds public-domain works of seven museums by words in title, artist, medium, date or subject.',
  price: FREE,
  input: z.object({
    query: z.string().trim().min(1).max(SEARCH_QUERY_CHARACTERS_MAX).describe('Words to look for.'),
    museum: z
      .enum(['', ...MUSEUM_NAMES])
      .default('')
      .describe('Only works of this museum; empty means all seven.'),
    limit: z.int().min(1).max(SEARCH_RESULTS_MAX).default(20).describe('How many results at most.'),
  }),
  output: z.object({ ...found, museum: z.string() }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ query: 'stormy sea' }, { query: 'Vermeer', museum: 'rijks', limit: 5 }],
  limit: { name: 'search', calls: SEARCHES_PER_HOUR_MAX, perSeconds: 3600 },
  next: ({ results: [first] }) =>
    first
      ? [
          {
            action: 'Get a work',
            tool: 'get_artwork',
            why: 'The whole record and a link to the picture',
            params: { artifact_id: first.credit_id },
          },
        ]
      : [],
  sandbox: {
    query: z.object({}),
    answer: z.object(found),
    sample: () => ({
      dataset: DATASET_ID,
      query: 'sea',
      results: SEA_PIECES,
      total_results: SEA_PIECES.length,
    }),
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
});

/** Real works in the public domain; only the identifiers are made up. */
const SEA_PIECES: z.input<typeof artwork>[] = [
  {
    artist: 'Katsushika Hokusai',
    date: 'ca. 1830–32',
    credit_id: 'AETR-1831',
    image_available: true,
    medium: 'Woodblock print; ink and color on paper',
    museum: 'met',
    title: 'Under the Wave off Kanagawa',
  },
  {
    artist: 'Winslow Homer',
    date: '1899',
    credit_id: 'AETR-1899',
    image_available: true,
    medium: 'Oil on canvas',
    museum: 'met',
    title: 'The Gulf Stream',
  },
  {
    artist: 'Winslow Homer',
    date: '1873–1876',
    credit_id: 'AETR-1876',
    image_available: true,
    medium: 'oil on canvas',
    museum: 'nga',
    title: 'Breezing Up (A Fair Wind)',
  },
  {
    artist: 'Claude Monet',
    date: '1882',
    credit_id: 'AETR-1882',
    image_available: true,
    medium: 'Oil on canvas',
    museum: 'chicago',
    title: 'Cliff Walk at Pourville',
  },
];
