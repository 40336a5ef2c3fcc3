import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import { expect, test } from 'vitest';
import type { SourceImage } from '../../../core/workers/types.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { metadataField } from '../../metadata/tools/metadata_fields.ts';
import { createEnrichment } from '../service.ts';
import { enrichMetadata } from './enrich_metadata.ts';

const bytes = Buffer.from(ORIGINAL_PNG_B64, 'base64');
const analysed = analysePicture({ bytes });
const image: SourceImage = { bytes, format: 'png', width: 64, height: 48 };

test('tier standard has the four fields and how each is known', async () => {
  const { output } = await run({ tier: 'standard', title: 'Two Mountains' });
  expect(output).toMatchObject({
    tier: 'standard',
    fields: ['title', 'description', 'keywords', 'alt_text'],
  });
  expect(Object.keys(output.metadata)).toEqual(['title', 'description', 'keywords', 'alt_text']);
  expect(output.evidence.title).toEqual({ basis: 'given', confidence: 1 });
});

test('tier premium has the eleven fields of the specification, and 8 sections', async () => {
  const { output } = await run({ tier: 'premium' });
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
  const { sections } = output.metadata as { sections: Record<string, unknown> };
  expect(Object.keys(sections)).toHaveLength(8);
  const empty = Object.entries(sections).filter(([, facts]) => Object.keys(facts as object).length === 0);
  expect(empty.map(([name]) => name)).toEqual(['description']);
  expect(output.fields_count).toMatch(
    /^\d+ fields \(art_movements.* empty: nothing here tells them\), \d+ of the 111 facts known, in 7 of 8 sections; description is empty, because what is known there/,
  );
});

test('a whisper is kept in tier premium and left out with a word in tier standard', async () => {
  const soul_whisper = { message: 'Keep it dry.', sender: 'Ada' };
  expect((await run({ tier: 'premium', soul_whisper })).output.metadata).toMatchObject({ soul_whisper });
  const { output, warnings } = await run({ tier: 'standard', soul_whisper });
  expect(output.metadata).not.toHaveProperty('soul_whisper');
  expect(warnings[0]).toContain('tier premium');
});

test.each(['standard', 'premium'] as const)(
  'what tier %s answers keeps its promise and can be infused',
  async (tier) => {
    const { output } = await run({ tier, copyright_holder: 'Ada', creation_year: '1843' });
    expect(enrichMetadata.output.strict().safeParse(output).error).toBeUndefined();
    expect(metadataField.safeParse(output.metadata).error).toBeUndefined();
  },
);

const GIVEN = { artist_name: 'Ada', copyright_holder: 'Ada Ltd', creation_year: '1843' };

test.each(['standard', 'premium'] as const)('what was sent is in the metadata of tier %s', async (tier) => {
  const { output } = await run({ tier, ...GIVEN });
  expect(output.metadata).toMatchObject(GIVEN);
  expect(output.evidence).toMatchObject({ copyright_holder: { basis: 'given' } });
  if (tier === 'standard') expect(output.fields).toEqual(Object.keys(output.metadata));
});

test.each([{}, { title: 'Two Mountains' }, { context: 'Two hills.' }])(
  'without a model nothing has seen the picture, and it is said: %j',
  async (sent) => {
    const { output, warnings } = await run(sent);
    expect(output).toMatchObject({
      degraded: true,
      degraded_reason: expect.stringContaining('VISION_MODEL'),
    });
    expect(warnings).toEqual([expect.stringContaining('does not know what is depicted')]);
  },
);

test('who asks for the analyst, or has a model, gets what was asked for', async () => {
  expect((await run({ engine: 'built_in' })).output.degraded).toBe(false);
  expect((await run({}, { hasModel: true })).output).not.toHaveProperty('degraded_reason');
});

test.each([
  ['creation_year', '18x3', 'must be a year of 4 digits'],
  ['creation_year', '184', 'must be a year of 4 digits'],
  ['creation_year', '0000', 'must be a year from 0001 on'],
  ['soul_whisper', { message: 'x'.repeat(1001) }, '<=1000 characters'],
  ['tier', 'gold', 'standard'],
])('%s %j is refused', (field, value, words) => {
  const { error } = enrichMetadata.input.safeParse({ image: ORIGINAL_PNG_B64, [field]: value });
  expect(error?.message).toContain(words);
});

test('networks that look are heard, named, and left out where the analyst alone is asked for', async () => {
  const parts = { eyes: async () => ({ faces: network('yunet'), writing: network('ppocrv3_det') }) };
  const { output, warnings } = await run({}, {}, parts);
  expect(output.evidence.alt_text).toMatchObject({ basis: 'model', by: 'yunet' });
  expect(output.degraded_reason).toContain('Networks have looked for faces and lines of writing alone.');
  expect(warnings).toEqual([
    expect.stringContaining('networks have looked for faces and lines of writing alone'),
  ]);
  expect((await run({ engine: 'built_in' }, {}, parts)).output.evidence.alt_text).toMatchObject({
    basis: 'measured',
  });
});

test('the edition names every network, and the analyst alone names none', async () => {
  const { enrichment } = await run(
    {},
    {},
    { eyes: async () => ({ faces: network('yunet'), tagger: network('tags') }) },
  );
  expect(await enrichment.edition('default')).toMatch(/^atelier-analyst\/\d+ yunet\/f00d tags\/f00d$/);
  expect(await enrichment.edition('built_in')).toMatch(/^atelier-analyst\/\d+$/);
});

const KITTEN = { term: 'kitten', broader: ['cat'], kind: 'thing', confidence: 0.95, by: 'tags' };

test('what networks have named is not degraded; what they were sure of nothing in, is', async () => {
  const parts = { eyes: async () => ({ tagger: network('tags') }) };
  const named = await run({}, {}, parts, { subjects: [KITTEN] });
  expect([named.output.degraded, named.warnings]).toEqual([false, []]);
  const unnamed = await run({}, {}, parts, { subjects: [] });
  expect(unnamed.output).toMatchObject({
    degraded: true,
    degraded_reason: expect.stringContaining('were sure of none'),
  });
});

const foretold = async (eyes: object, sent: object = {}, { hasModel = false, isUncalibrated = false } = {}) =>
  enrichMetadata.outlook!(
    enrichMetadata.input.parse({ image: ORIGINAL_PNG_B64, ...sent }) as never,
    {
      enrichment: {
        hasModel,
        eyes: async () => eyes,
        modelRefusal: async () => undefined,
        isUncalibrated: async () => isUncalibrated,
      } as never,
    },
    {} as never,
  );

test.each([{}, { title: 'Two Mountains', context: 'Two hills.' }])(
  'a dry run says what the answer will say of itself: %j',
  async (sent) => {
    const { output } = await run(sent);
    const { degraded, degraded_reason } = output as { degraded: boolean; degraded_reason?: string };
    expect(await foretold({}, sent)).toEqual({ degraded, degraded_reason });
    expect(degraded_reason).toContain('"atelier models pull vision"');
    expect(await foretold({ faces: network('yunet') }, sent)).toMatchObject({ degraded: true });
    expect(await foretold({}, { ...sent, engine: 'built_in' })).toEqual({ degraded: false });
    expect(await foretold({}, sent, { hasModel: true })).toEqual({ degraded: false });
  },
);

test('before networks have looked a dry run promises neither, and says what would be said', async () => {
  const { output } = await run({}, {}, { eyes: async () => ({ tagger: network('tags') }) }, { subjects: [] });
  const { degraded_reason } = output as { degraded_reason?: string };
  const foreseen = await foretold({ tagger: network('tags') }, { title: 'Two Mountains' });
  expect(foreseen).toEqual({
    pending: { check: 'sight', detail: expect.stringContaining(degraded_reason!) },
  });
});

test('where encoders wait to be measured, the command that measures them is named', async () => {
  expect(await foretold({}, {}, { isUncalibrated: true })).toMatchObject({
    degraded_reason: expect.stringContaining('"atelier models calibrate"'),
  });
});

test.each(['standard', 'premium'] as const)('a hint at nudity is reported in tier %s', async (tier) => {
  const rating = { hint: 'nudity or sexual content', confidence: 0.8, by: 'nsfw_mobilenet_v2' };
  const { output, warnings } = await run(
    { tier },
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

async function run(
  wanted: Record<string, unknown>,
  more: object = {},
  parts: object = {},
  seen: object = { faces: [FACE] },
) {
  const warnings: string[] = [];
  const pixels = { run: async (engine: string) => (engine === 'see' ? seen : analysed) };
  const enrichment = {
    ...createEnrichment({ pixels: pixels as never, ...parts }),
    keyOf: async () => '',
    answeredBefore: async () => undefined,
    sweep: async () => 0,
    ...more,
  };
  const call = { signal: AbortSignal.timeout(20_000), warn: (text: string) => warnings.push(text) };
  const input = enrichMetadata.input.parse({ image: ORIGINAL_PNG_B64, ...wanted });
  const output = await enrichMetadata.run({ ...input, image }, { enrichment }, call as never);
  return { output, warnings, enrichment };
}
