import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import { ANALYSIS_FIELDS } from '@atelier/imaging/analysis/analysis_fields.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { SourceImage } from '../../../core/workers/types.ts';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { metadataField } from '../../metadata/tools/metadata_fields.ts';
import { createEnrichment } from '../service.ts';
import { enrichMetadata } from './enrich_metadata.ts';

const bytes = Buffer.from(ORIGINAL_PNG_B64, 'base64');
const analysed = analysePicture({ bytes });
const image: SourceImage = { bytes, format: 'png', width: 64, height: 48 };
const SEEN = { subject: 'two mountains', action: 'under a low sun', setting: 'behind a lake' };

test('with observations, tier standard returns four fields and the basis of each statement', async () => {
  const { output } = await run({ tier: 'standard', observations: SEEN });
  expect(output).toMatchObject({
    state: 'complete',
    degraded: false,
    tier: 'standard',
    fields: ['title', 'description', 'keywords', 'alt_text'],
    metadata: {
      title: 'Two mountains under a low sun',
      alt_text: 'Two mountains under a low sun behind a lake.',
    },
    evidence: { alt_text: { basis: 'observed' }, description: { statements: ['observed', 'measured'] } },
  });
});

test('a title supplied by the client is kept', async () => {
  const { output } = await run({ tier: 'standard', title: 'Evening', observations: SEEN });
  expect(output.metadata.title).toBe('Evening');
  expect(output.evidence.title).toEqual({ basis: 'given', confidence: 1 });
});

test('tier premium returns eleven specified fields and 8 sections, and marks unobserved fields', async () => {
  const { output } = await run({ tier: 'premium', observations: { ...SEEN, mood: 'calm' } });
  expect(Object.keys(output.metadata).slice(0, 11).sort()).toEqual([
    'art_movements',
    'artist_analysis',
    'color_palette',
    'composition',
    'emotional_journey',
    'keywords',
    'lighting',
    'mood',
    'symbolism',
    'themes',
    'title',
  ]);
  const { sections, mood, symbolism } = output.metadata as unknown as Record<string, string>;
  expect(Object.keys(sections!)).toEqual(Object.keys(ANALYSIS_FIELDS));
  expect([mood, symbolism]).toEqual(['calm', 'Not observed.']);
  expect(output.evidence.symbolism).toEqual({ basis: 'unseen', confidence: 0 });
});

test('without observations or a model the response is a brief, measured fields and a preview', async () => {
  const { output, waived } = await run({ tier: 'standard' });
  expect(output).toMatchObject({
    state: 'needs_observations',
    brief: expect.stringContaining('observations'),
    measured: { width: 24, height: 24, format: 'square' },
    preview: { content_type: 'image/jpeg', width: 64, height: 48 },
    metadata: { title: '', description: '', keywords: [], alt_text: '' },
    degraded: true,
    degraded_reason: expect.stringContaining('VISION_MODEL'),
  });
  expect(waived).toEqual([]);
});

test('the next step of a brief is a valid call', async () => {
  const input = enrichMetadata.input.parse({ image: ORIGINAL_PNG_B64, tier: 'standard' });
  const { output } = await run({ tier: 'standard' });
  const [step] = enrichMetadata.next!(output as never, { ...input, image: 'upload:abc' } as never, {});
  const params = { ...step!.params, image: ORIGINAL_PNG_B64 };
  expect(enrichMetadata.input.safeParse(params).error).toBeUndefined();
});

test.each([
  [{}, { credits: 0 }],
  [{ engine: 'built_in' }, { credits: 0 }],
  [{ observations: SEEN }, undefined],
])('%j is priced before credits are held: %j', async (sent, price) => {
  const input = enrichMetadata.input.parse({ image: ORIGINAL_PNG_B64, ...sent });
  const charge = await enrichMetadata.charge!(input, {
    enrichment: { canDescribe: async () => false },
  } as never);
  if (price) expect(charge).toMatchObject(price);
  else expect(charge).toBeUndefined();
});

test('with a model no call is free, and the dry run says so', async () => {
  const enrichment = { canDescribe: async () => true, modelRefusal: async () => undefined } as never;
  const input = enrichMetadata.input.parse({ image: ORIGINAL_PNG_B64 });
  expect(await enrichMetadata.charge!(input, { enrichment })).toBeUndefined();
  expect(await enrichMetadata.estimate!(input as never, { enrichment }, {} as never)).toEqual({
    degraded: false,
  });
});

test('the degraded reason names the model that found nothing', async () => {
  const metadata = { title: '', description: '', keywords: [], alt_text: '' };
  const engine = { name: 'florence_2', version: '1' };
  const enrich = async () => ({ metadata, evidence: {}, factsCount: 0, engine, isUnusable: true });
  const { output } = await run({ tier: 'standard' }, { enrich });
  expect(output).toMatchObject({ state: 'needs_observations', degraded: true });
  expect(output.degraded_reason).toMatch(/^florence_2 found nothing/);
});

test('for a single-colour image no observations are repeated', async () => {
  const grey = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
  const observations = { subject: 'a red car', prose: 'A red car races along a beach.' };
  const { output } = await run({ tier: 'standard', observations }, {}, {}, {}, grey);
  expect(output).toMatchObject({ state: 'needs_observations', degraded: true });
  expect(output.metadata.alt_text).toBe('A plain grey surface.');
  expect(JSON.stringify(output.metadata)).not.toContain('car');
});

test.each([
  ['text alone', 'A red fox sleeps on a chair. It is old.', { subject: 'A red fox sleeps on a chair' }],
  [
    'other names',
    { subject: 'a fox', people: 2, text: 'SALE\n50%' },
    { people_count: 2, visible_text: ['SALE', '50%'] },
  ],
  ['null', { subject: 'a fox', mood: null }, { subject: 'a fox' }],
])('observations sent as %s are accepted', (_, sent, read) => {
  const { coerced } = coerce({ image: ORIGINAL_PNG_B64, observations: sent });
  expect(coerced.observations).toMatchObject(read);
});

test('soul_whisper is kept in tier premium and dropped with a warning in tier standard', async () => {
  const soul_whisper = { message: 'Keep it dry.', sender: 'Ada' };
  expect((await run({ tier: 'premium', soul_whisper, observations: SEEN })).output.metadata).toMatchObject({
    soul_whisper,
  });
  const { output, warnings } = await run({ tier: 'standard', soul_whisper, observations: SEEN });
  expect(output.metadata).not.toHaveProperty('soul_whisper');
  expect(warnings[0]).toContain('tier premium');
});

test.each(['standard', 'premium'] as const)(
  'the response of tier %s matches its schema and can be infused',
  async (tier) => {
    const { output } = await run({
      tier,
      observations: SEEN,
      copyright_holder: 'Ada',
      creation_year: '1843',
    });
    expect(enrichMetadata.output.strict().safeParse(output).error).toBeUndefined();
    expect(metadataField.safeParse(output.metadata).error).toBeUndefined();
  },
);

const GIVEN = { artist_name: 'Ada', copyright_holder: 'Ada Ltd', creation_year: '1843' };

test.each(['standard', 'premium'] as const)(
  'the client’s fields appear in the metadata of tier %s',
  async (tier) => {
    const { output } = await run({ tier, observations: SEEN, ...GIVEN });
    expect(output.metadata).toMatchObject(GIVEN);
    expect(output.evidence).toMatchObject({ copyright_holder: { basis: 'given' } });
    if (tier === 'standard') expect(output.fields).toEqual(Object.keys(output.metadata));
  },
);

test.each([
  ['creation_year', '18x3', 'must be a year of 4 digits'],
  ['creation_year', '184', 'must be a year of 4 digits'],
  ['creation_year', '0000', 'must be a year from 0001 on'],
  ['soul_whisper', { message: 'x'.repeat(1001) }, '<=1000 characters'],
  ['tier', 'gold', 'standard'],
])('%s %j is rejected', (field, value, words) => {
  const { error } = enrichMetadata.input.safeParse({ image: ORIGINAL_PNG_B64, [field]: value });
  expect(error?.message).toContain(words);
});

test('detections are hints in the measured fields, and omitted by engine built_in', async () => {
  const parts = { eyes: async () => ({ faces: network('yunet') }) };
  const { output } = await run({}, {}, parts);
  expect(output.measured).toMatchObject({
    detected_people: 'at least 1 face, the largest at the upper centre',
  });
  expect((await run({ engine: 'built_in' }, {}, parts)).output.measured).not.toHaveProperty(
    'detected_people',
  );
});

test('more detected faces than observed people is a disagreement', async () => {
  const parts = { eyes: async () => ({ faces: network('yunet') }) };
  const { output } = await run({ observations: { ...SEEN, people_count: 0 } }, {}, parts);
  expect(output.disagreements).toEqual([
    { field: 'people_count', observed: '0', found: 'at least 1 face detected', basis: 'model' },
  ]);
});

test('more detected people than the client counts is a disagreement', async () => {
  const person = { kind: 'person', x: 0, y: 0, width: 0.2, height: 1, score: 0.8 };
  const parts = { eyes: async () => ({ objects: network('nanodet') }) };
  const seen = { objects: [person, { ...person, x: 0.5 }], objectsBy: 'nanodet' };
  const { output } = await run({ observations: { ...SEEN, people_count: 1 } }, {}, parts, seen);
  expect(output.disagreements).toContainEqual({
    field: 'people_count',
    observed: '1',
    found: 'at least 2 people detected',
    basis: 'model',
  });
});

test('the edition names every model, and the built-in analyst alone names none', async () => {
  const { enrichment } = await run(
    {},
    {},
    { eyes: async () => ({ faces: network('yunet'), tagger: network('tags') }) },
  );
  expect(await enrichment.edition('default')).toMatch(/^atelier-analyst\/\d+ yunet\/f00d tags\/f00d$/);
  expect(await enrichment.edition('built_in')).toMatch(/^atelier-analyst\/\d+$/);
});

test.each(['standard', 'premium'] as const)('possible nudity is reported in tier %s', async (tier) => {
  const rating = { hint: 'nudity or sexual content', confidence: 0.8, by: 'nsfw_mobilenet_v2' };
  const { output, warnings } = await run(
    { tier, observations: SEEN },
    {},
    { eyes: async () => ({ rating: network('nsfw') }) },
    { rating },
  );
  expect(warnings.at(-1)).toMatch(/^This may show nudity or sexual content: a hint .* no verdict/);
  if (tier === 'premium')
    expect(output.metadata).toMatchObject({
      sections: { description: { content_hint: { basis: 'model', by: 'nsfw_mobilenet_v2' } } },
    });
});

const network = (name: string) => ({ name, sha256: 'f00d' }) as never;
const FACE = { x: 0.4, y: 0.1, width: 0.2, height: 0.25, score: 0.91 };

const coerce = (sent: Record<string, unknown>) => {
  const { sent: coerced } = coerceInput(enrichMetadata.input, sent);
  return { coerced: enrichMetadata.input.parse(coerced) };
};

async function run(
  wanted: Record<string, unknown>,
  more: object = {},
  parts: object = {},
  seen: object = { faces: [FACE], facesBy: 'face_full_range' },
  file: Buffer = bytes,
) {
  const warnings: string[] = [];
  const waived: string[] = [];
  const pixels = {
    run: async (engine: string) =>
      engine === 'see'
        ? seen
        : engine === 'resize'
          ? { bytes: file }
          : file === bytes
            ? analysed
            : analysePicture({ bytes: file }),
  };
  const results = {
    keep: async () => ({ handle: 'result:r', url: 'https://a.test/r', expiresAt: new Date(0) }),
  };
  const enrichment = {
    ...createEnrichment({ pixels: pixels as never, ...parts }),
    keyOf: async () => '',
    answeredBefore: async () => undefined,
    sweep: async () => 0,
    ...more,
  };
  const call = {
    signal: AbortSignal.timeout(20_000),
    warn: (text: string) => warnings.push(text),
    waive: (text: string) => waived.push(text),
  };
  const input = enrichMetadata.input.parse({ image: ORIGINAL_PNG_B64, ...wanted });
  const services = { enrichment, pixels, results };
  const output = await enrichMetadata.run(
    { ...input, image: { ...image, bytes: file } },
    services as never,
    call as never,
  );
  return { output, warnings, waived, enrichment };
}
