import { expect, test } from 'vitest';
import {
  type Codex,
  type Difference,
  describeCodex,
  describeDifference,
  describeMatch,
  describePolicy,
  sureOfWhisper,
  type Verification,
} from './words.ts';

const plain: Difference = {
  crop_box: { x: 0, y: 0, width: 1, height: 1 },
  rotation_degrees: 0,
  mirrored: false,
  changed_regions: [],
  changed_share: 0,
  beyond_share: 0,
  heat_map_b64: '',
};
const UNKNOWN: Verification = {
  verdict: 'unknown',
  summary: '',
  marked_as_ai: 'no_trace',
  ai_marks: [],
  match_found: false,
  total_matches: 0,
  confidence: 0,
  chance_match: null,
  computed_hash: 'ab',
  quality: 100,
  best_match: null,
  matches: [],
  witnesses: [],
  kept_manifests: [],
  difference: null,
  watermark_authorship: null,
  codex: null,
  time_stamp: null,
  rights_policy: null,
  ai_evidence: null,
  engine: { name: 'pdq', version: '1' },
  degraded: false,
};
const MATCH = {
  kind: 'registration',
  title: '',
  artist: 'Hokusai',
  credit_id: 'hash_1',
  provenance_uri: 'ipfs://b',
  similarity: 1,
  registered_at: '2026-10-03T14:20:00.000Z',
  found_by: 'picture',
  confidence: 0.999,
  chance_match: null,
} as const;

test('an unknown image has no match rows', () => {
  expect(describeMatch(UNKNOWN)).toEqual([]);
});

test('a match shows only known values', () => {
  const rows = Object.fromEntries(describeMatch({ ...UNKNOWN, matches: [MATCH], confidence: 0.999 }));
  expect(rows).toMatchObject({
    'Claimed title': 'none',
    'Claimed artist': 'Hokusai',
    Registered: '3 Oct 2026, 14:20 UTC',
  });
  expect(rows).not.toHaveProperty('Chance match');
});

test('a policy statement is named with its dialect', () => {
  const statements = [{ dialect: 'tdmrep' as const, place: 'tdm:reservation', value: '1' }];
  expect(describePolicy({ statements, conflicts: [] })).toEqual([['TDMRep, tdm:reservation', '1']]);
});

test.each([
  [1e-12, 'less than 1 in 1 billion'],
  [0.001, 'about 1 in 1,000'],
])('a chance match probability of %d is described as %s', (chance_match, words) => {
  expect(describeMatch({ ...UNKNOWN, matches: [MATCH], chance_match })).toContainEqual([
    'Chance match',
    words,
  ]);
});

test.each<[Partial<Difference>, string]>([
  [{}, 'No differences beyond compression and scaling.'],
  [{ mirrored: true }, 'It is mirrored.'],
  [{ rotation_degrees: -2.5 }, 'It is rotated 2.5° anticlockwise.'],
  [{ beyond_share: 0.1 }, '10% of it lies outside the registered image, such as a frame.'],
  [
    { crop_box: { x: 0.25, y: 0, width: 0.5, height: 1 } },
    'It shows 50% of the registered image: from 25% to 75% of its width, from 0% to 100% of its height.',
  ],
  [
    {
      changed_regions: [
        {
          polygon: [
            [0.2, 0.4],
            [0.4, 0.6],
          ],
          share: 0.004,
        },
      ],
    },
    'A region 30% from the left and 50% from the top was changed: less than 1% of the image.',
  ],
])('the difference %j is described in one sentence', (difference, sentence) => {
  expect(describeDifference({ ...plain, ...difference })).toEqual([sentence]);
});

const CODEX: Codex = {
  state: 'signed_here',
  soul_whisper: { message: 'Keep it dry.', sender: 'Ada', place: 'codex' },
  content: {
    title: 'Two Hills',
    keywords: ['hills', 'dusk'],
    color_palette: [{ hex: '#f2d6a2', name: 'apricot' }],
    soul_whisper: { message: 'Keep it dry.', sender: 'Ada' },
    sections: { light: { tonal_key: { value: 'low', basis: 'measured', confidence: 1 } } },
    mood: '',
  },
};

test('a codex is shown as names and values without their sources', () => {
  expect(describeCodex(CODEX)).toEqual([
    ['title', 'Two Hills'],
    ['keywords', 'hills, dusk'],
    ['color palette', '#f2d6a2 apricot'],
    ['light: tonal key', 'low'],
  ]);
  expect(describeCodex({ ...CODEX, content: null })).toEqual([]);
});

test('a message is as trusted as its codex, and a plain metadata field is unsigned', () => {
  expect(sureOfWhisper(CODEX)).toMatch(/^Signed on this server/);
  const plain = { message: 'Trust me.', sender: 'The museum', place: 'field' } as const;
  expect(sureOfWhisper({ ...CODEX, soul_whisper: plain })).toBe('Not signed; anyone may have written it.');
});
