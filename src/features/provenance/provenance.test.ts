import type { ManifestReading } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import { expect, test, vi } from 'vitest';
import { HASH_DISTANCE_MAX } from '../../config/limits.ts';
import { chanceOf } from './chance.ts';
import type { Registration } from './hashes/types.ts';
import { REGION_SEARCH_WINDOWS_MAX } from './limits.ts';
import type { Standing } from './marks/types.ts';
import { createProvenance } from './service.ts';
import type { SoulmarkReading } from './soulmarks/soulmarks.ts';
import type { ExaminedPicture, Match, Witness } from './types.ts';
import { createC2paWitness } from './witnesses/c2pa.ts';
import { createHashWitness } from './witnesses/hash.ts';
import { createMetadataWitness } from './witnesses/metadata.ts';
import { createWatermarkWitness } from './witnesses/watermark.ts';

const picture: ExaminedPicture = {
  bytes: new Uint8Array(1),
  sha256: '0'.repeat(64),
  fingerprint: {
    hashes: [],
    quality: 100,
    windows: new Uint8Array(0),
    preview: new Uint8Array(0),
    width: 9,
    height: 9,
  },
  control: { pixels: 81, signal: new AbortController().signal },
};

const match = (more: Partial<Match> = {}): Match => ({
  id: 'hash_1',
  kind: 'registration',
  title: 'Waves',
  artist: 'Ada',
  provenanceUri: '',
  wallet: null,
  registeredAt: new Date(0),
  similarity: 0.9,
  confidence: 0.9,
  by: 'picture',
  ...more,
});

const seeing = (...matches: Match[]): Witness => ({
  name: 'hash',
  look: async () => ({ matches, judge: (best) => ({ finding: 'agree', sentence: `${best?.id}` }) }),
});

test('every witness judges the best match, and duplicate matches count once', async () => {
  const works = match({ id: 'met_1', kind: 'work', registeredAt: null });
  const older = match({ id: 'hash_2', registeredAt: new Date(-5) });
  const { matches, testimonies } = await createProvenance([
    seeing(match(), older),
    seeing(works, match({ confidence: 0.4 })),
  ]).examine(picture);

  expect(matches.map(({ id }) => id)).toEqual(['met_1', 'hash_2', 'hash_1']);
  expect(testimonies.map(({ sentence }) => sentence)).toEqual(['met_1', 'met_1']);
});

test('among visually identical registrations the earliest is the best match, also beside the exact file', async () => {
  const day = (days: number) => new Date(days * 864e5);
  const file = match({ id: 'hash_2', by: 'file', confidence: 1, similarity: 1, registeredAt: day(2) });
  const first = match({ id: 'hash_1', confidence: 0.8, similarity: 0.95, registeredAt: day(1) });
  const alike = match({ id: 'hash_0', by: 'windows', confidence: 0.3, registeredAt: day(0) });
  const { matches } = await createProvenance([seeing(file, first, alike)]).examine(picture);
  expect(matches.map(({ id }) => id)).toEqual(['hash_1', 'hash_2', 'hash_0']);
  const { matches: works } = await createProvenance([
    seeing(match({ id: 'met_1', kind: 'work', registeredAt: null, confidence: 1 }), first),
  ]).examine(picture);
  expect(works[0]!.id).toBe('met_1');
});

test('the earliest of near-identical registrations ranks first, even if another shares more crop windows', async () => {
  const pdq = (...bytes: number[]) => Uint8Array.from({ length: 32 }, (_, at) => bytes[at] ?? 0);
  const crop = { by: 'windows', similarity: 0.9 } as const;
  const later = match({
    id: 'hash_2',
    ...crop,
    chance: 1e-30,
    pdq: pdq(7, 255, 255),
    registeredAt: new Date(864e5),
  });
  const first = match({ id: 'hash_1', ...crop, chance: 1e-20, pdq: pdq(), registeredAt: new Date(1) });
  const other = match({ id: 'hash_0', ...crop, chance: 1e-10, pdq: pdq(0, 0, 0, 255, 255, 255, 255) });
  const { matches } = await createProvenance([seeing(later, first, other)]).examine(picture);

  expect(matches.map(({ id }) => id)).toEqual(['hash_1', 'hash_2', 'hash_0']);
});

test('all registrations of the image rank before other matches, earliest first', async () => {
  const day = (days: number) => new Date(days * 864e5);
  const copies = [3, 1, 2].map((days) =>
    match({ id: `hash_${days}`, chance: days * 1e-30, registeredAt: day(days) }),
  );
  const other = match({ id: 'hash_0', by: 'windows', chance: 1e-40, registeredAt: day(0) });
  const surest = match({ id: 'hash_9', chance: 1e-50, registeredAt: day(9) });
  const { matches } = await createProvenance([seeing(...copies, other, surest)]).examine(picture);

  expect(matches.map(({ id }) => id)).toEqual(['hash_1', 'hash_2', 'hash_3', 'hash_9', 'hash_0']);
});

const signer = { kid: 'k', issuer: 'https://here', signedAtUnixS: 1_700_000_000 };
const soulmark = (more: Partial<SoulmarkReading>): SoulmarkReading => ({
  signer,
  codexIs: 'agree',
  pixelsAre: 'agree',
  isOurs: true,
  ...more,
});

async function metadataSays(mark: SoulmarkReading | undefined, fields: object, best?: Match) {
  const pixels = { run: async () => ({ fields }) as never };
  const sighting = await createMetadataWitness({ pixels, soulmarks: { read: async () => mark } }).look(
    picture,
  );
  return sighting.judge(best);
}

test.each([
  ['our soulmark that holds', soulmark({}), 'agree', 'signed on 2023-11-14 by this service'],
  ['changed pixels', soulmark({ pixelsAre: 'changed' }), 'conflict', 'for other pixels'],
  ['a changed codex', soulmark({ codexIs: 'changed' }), 'conflict', 'not the signed one'],
  ['another signer’s soulmark', soulmark({ isOurs: false }), 'absent', 'does not know the signer'],
  [
    'a soulmark of a key that was taken back',
    soulmark({ pixelsAre: 'changed', revoked: { at: new Date(0), reason: 'compromised' } }),
    'absent',
    'was revoked on 1970-01-01',
  ],
  ['no soulmark', undefined, 'absent', 'does not name a creator'],
])('%s', async (_what, mark, finding, words) => {
  expect(await metadataSays(mark, {})).toEqual({ finding, sentence: expect.stringContaining(words) });
});

test.each([
  [{ creator: ['  ADA '] }, 'agree'],
  [{ creator: ['Bob'] }, 'conflict'],
  [{ title: 'waves' }, 'agree'],
  [{ title: 'Mountains' }, 'absent'],
  [{}, 'absent'],
])('metadata fields %j compared with “Waves” by Ada', async (fields, finding) => {
  expect(await metadataSays(undefined, fields, match())).toMatchObject({ finding });
});

test('untrusted text is shown on one line without bidirectional control characters', async () => {
  const { sentence } = await metadataSays(undefined, { creator: [`\u202eevil\nline${'x'.repeat(500)}`] });
  expect(sentence).toContain('“evil line');
  expect(sentence.length).toBeLessThan(300);
});

test.each<[ManifestReading['state'] | undefined, string, string]>([
  ['valid', 'agree', 'signed by “Ada Ltd”'],
  ['invalid', 'conflict', 'assertion.dataHash.mismatch'],
  ['unreadable', 'absent', 'damaged'],
  ['remote', 'absent', 'not fetched'],
  [undefined, 'absent', 'no C2PA manifest'],
])('a C2PA manifest that is %s', async (state, finding, words) => {
  const problems = ['assertion.dataHash.mismatch'];
  const manifest = state && { state, problems, actions: [], signer: { organisation: 'Ada Ltd' } };
  const sighting = await createC2paWitness({ read: async () => manifest }).look(picture);
  expect(sighting.judge(undefined)).toEqual({ finding, sentence: expect.stringContaining(words) });
});

const ID = `hash_${'a'.repeat(24)}`;
const registration: Registration = {
  id: ID,
  wallet: null,
  workId: null,
  sha256: '',
  pdq: new Uint8Array(32),
  quality: 90,
  preview: new Uint8Array(0),
  width: 9,
  height: 9,
  title: 'Waves',
  artist: 'Ada',
  provenanceUri: '',
  createdAt: new Date(0),
};

const NO_WORKS = { near: () => [], sharing: () => [], windows: 0 };
const WALLET = `0x${'5'.repeat(40)}`;
const MARKS: Record<string, { payload: string; wallet?: string }> = {
  kept: { payload: 'by Ada' },
  theirs: { payload: 'hello', wallet: WALLET },
};

async function watermarkSays(mark: object, best?: Match, hashByte = 255, standing: Standing = 'plain') {
  const sighting = await createWatermarkWitness({
    pixels: { run: async () => ({ falsePositiveProbability: 1e-12, ...mark }) as never },
    marks: {
      find: async (id) => MARKS[id] && { id, createdAt: new Date(0), ...MARKS[id] },
      judge: async () => ({ standing, sentence: `This mark is ${standing}.`, isExact: false }),
    },
    hashes: { find: async (id) => (id === ID ? registration : undefined) },
  }).look({
    ...picture,
    fingerprint: { ...picture.fingerprint, hashes: [new Uint8Array(32).fill(hashByte)] },
  });
  return { ...sighting.judge(best ?? sighting.matches[0]), matches: sighting.matches };
}

test.each([
  ['none', {}, undefined, 'absent', 'No watermark'],
  [
    'the id of a registration',
    { read: 'payload', payload: `see ${ID}` },
    undefined,
    'agree',
    'names “Waves”',
  ],
  ['that of another one', { read: 'payload', payload: ID }, match(), 'conflict', 'another registration'],
  [
    'a word of the registration',
    { read: 'payload', payload: '© Ada 2026' },
    match(),
    'agree',
    'matches “Waves”',
  ],
  ['something else', { read: 'payload', payload: 'hello' }, match(), 'absent', 'says “hello”'],
  [
    'a mark of the wallet that registered it',
    { read: 'payload', payload: 'hello', id: 'theirs' },
    match({ wallet: WALLET }),
    'agree',
    'the wallet that registered “Waves”',
  ],
  ['a mark of another wallet', { read: 'id', id: 'theirs' }, match(), 'absent', 'says “hello”'],
  ['an id that is kept', { read: 'id', id: 'kept' }, match(), 'agree', '“by Ada”'],
  ['an id that is not', { read: 'id', id: 'lost' }, match(), 'absent', 'no payload stored'],
])('a watermark with %s', async (_what, mark, best, finding, words) => {
  expect(await watermarkSays(mark, best)).toMatchObject({
    finding,
    sentence: expect.stringContaining(words),
  });
});

test('a watermark naming a later, visually identical registration is not a conflict', async () => {
  const said = await watermarkSays({ read: 'payload', payload: ID }, match(), 0);
  expect(said).toMatchObject({ finding: 'agree', sentence: expect.stringContaining('looks the same') });
});

test.each([
  ['plain', 'agree', 1, /names “Waves”[^.]*\.$/],
  ['bound', 'agree', 1, /names “Waves”.* This mark is bound\.$/],
  ['moved', 'absent', 0, /says “hash_.*”\. This mark is moved\.$/],
  ['other_payload', 'absent', 0, /This mark is other_payload\.$/],
] as const)('a watermark that is %s', async (standing, finding, matches, sentence) => {
  const said = await watermarkSays({ read: 'payload', payload: ID }, undefined, 255, standing);
  expect([said.finding, said.matches.length]).toEqual([finding, matches]);
  expect(said.sentence).toMatch(sentence);
});

test('a watermark finds the registration it names even when the image looks different', async () => {
  const { matches } = await watermarkSays({ read: 'payload', payload: ID, falsePositiveProbability: 1e-9 });
  expect(matches).toMatchObject([
    { id: ID, by: 'watermark', similarity: 0, chance: 1e-9, confidence: 1 - 1e-9 },
  ]);
  expect(matches[0]!.confidence).toBeGreaterThan(0.999);
});

test('the false positive probability grows with distance and number of comparisons', () => {
  expect(chanceOf(0, 1)).toBeLessThan(chanceOf(31, 1));
  expect(chanceOf(31, 1)).toBeLessThan(chanceOf(31, 1e6));
  expect([chanceOf(31, 1e9) < 1e-6, chanceOf(31, 1e300)]).toEqual([true, 1]);
});

test('an earlier registration sharing no crop window is found through the later one', async () => {
  const registered = (id: string, day: number): Registration => ({
    ...registration,
    id,
    createdAt: new Date(day * 864e5),
  });
  const [first, later] = [registered('hash_1', 0), registered('hash_2', 1)];
  const hashes = {
    near: async (asked: readonly Uint8Array[]) =>
      asked[0] === later.pdq
        ? [later, first].map((one) => ({ registration: one, distance: 2, turn: 0 }))
        : [],
    sharing: async () => [{ registration: later, shared: 1, distance: 12 }],
    load: async () => ({ pictures: 2, windows: 64, memoryBytes: 0 }),
  };
  const witness = createHashWitness({ hashes, works: NO_WORKS });
  const { matches } = await createProvenance([witness]).examine(picture);

  expect(matches.map(({ id }) => id)).toEqual(['hash_1', 'hash_2']);
  expect(matches[0]!.confidence).toBe(matches[1]!.confidence);
});

test.each([
  ['a few', 64, 1],
  ['too many', REGION_SEARCH_WINDOWS_MAX + 1, 0],
])('an unmatched image has its regions searched among %s windows', async (_, windows, times) => {
  const regionsOf = vi.fn(async () => new Uint8Array(32));
  const hashes = {
    near: async () => [],
    sharing: async () => [],
    load: async () => ({ pictures: 2, windows, memoryBytes: 0 }),
  };
  await createHashWitness({ hashes, works: NO_WORKS, regionsOf }).look(picture);
  expect(regionsOf).toHaveBeenCalledTimes(times);
});

test.each([
  [0.8, 1],
  [0.6, 0],
])('an image 40 bits away whose thumbnail similarity is %d is found %d times', async (likeness, found) => {
  const hashes = {
    near: async (_hashes: readonly Uint8Array[], radius = HASH_DISTANCE_MAX) =>
      radius < 40 ? [] : [{ registration, distance: 40, turn: 0 }],
    sharing: async () => [],
    load: async () => ({ pictures: 2, windows: 64, memoryBytes: 0 }),
  };
  const likenessOf = async () => likeness;
  const { matches } = await createHashWitness({ hashes, works: NO_WORKS, likenessOf }).look(picture);

  expect(matches).toHaveLength(found);
});

test('a repeated registration of an image does not count as the first', async () => {
  const registration = (id: string, title: string, createdAt: Date) =>
    ({
      ...match(),
      id,
      workId: null,
      title,
      artist: '',
      createdAt,
      preview: new Uint8Array(0),
    }) as unknown as Registration;
  const ours = registration('hash_2', 'Mine', new Date(864e5));
  const first = registration('hash_1', 'Waves', new Date(0));
  const hashes = {
    near: async () => [ours, first].map((found) => ({ registration: found, distance: 0, turn: 0 })),
    sharing: async () => [],
    load: async () => ({ pictures: 2, windows: 0, memoryBytes: 0 }),
  };
  const { matches, judge } = await createHashWitness({ hashes, works: NO_WORKS }).look(picture);

  expect((await judge(matches[0]))?.sentence).toBe(
    'It looks like “Mine”, registered on 1970-01-02. An image that looks the same was registered earlier, on 1970-01-01: “Waves”.',
  );
  expect((await judge(matches[1]))?.sentence).not.toContain('before it');
});

test('a museum work ranks before every registration of its image, also for crops', async () => {
  const copy = { ...registration, id: 'hash_1', pdq: new Uint8Array(32), createdAt: new Date(0) };
  const kept = { ...copy, id: 'hash_2', workId: 'met_2', pdq: new Uint8Array(32).fill(255) };
  const hashes = {
    near: async () => [],
    sharing: async () => [
      { registration: copy, shared: 3, distance: 2 },
      { registration: kept, shared: 1, distance: 30 },
    ],
    load: async () => ({ pictures: 2, windows: 64, memoryBytes: 0 }),
  };
  const work = { id: 'met_1', title: 'Wave', artist: 'Hokusai', url: 'https://museum.test/1', quality: 90 };
  const known = { ...work, colors: '', layout: '', windows: '', pdq: `${'00'.repeat(31)}07` };
  const works = { near: () => [], sharing: () => [{ work: known, shared: 1, distance: 9 }], windows: 32 };
  const { matches } = await createProvenance([createHashWitness({ hashes, works })]).examine(picture);

  expect(matches.map(({ id, kind }) => [id, kind])).toEqual([
    ['met_1', 'work'],
    ['hash_1', 'registration'],
    ['met_2', 'work'],
  ]);
  expect(matches[0]).toMatchObject({ by: 'windows', provenanceUri: work.url, registeredAt: null });
  for (const { chance, confidence } of matches) expect(confidence).toBe(1 - chance!);
});
