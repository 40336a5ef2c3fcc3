import { describe, expect, test } from 'vitest';
import { get } from './api.ts';

const MODELS = {
  realesrgan_x2plus: 2,
  realesrgan_x4plus: 4,
  realesrgan_x4plus_anime: 4,
  realesr_general_x4v3: 4,
  realesr_animevideov3: 4,
};
const keys = (body: object) => Object.keys(body).sort();

describe('sandbox', () => {
  test.each([
    'compliance_manifest',
    'enrich_metadata',
    'search_artworks',
    'upscale_image',
    'verify_provenance',
  ])('%s says it is a sandbox and costs nothing', async (name) => {
    const { status, body } = await get(`/api/sandbox/${name}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      _sandbox: true,
      _note: expect.any(String),
      cost: { credit: 0, usd: 0 },
      next_steps: expect.any(Array),
    });
  });

  test('every next step names action, cost, endpoint and why', async () => {
    const { body } = await get('/api/sandbox/search_artworks');
    for (const step of body.next_steps)
      expect(step).toMatchObject({
        action: expect.any(String),
        cost: expect.any(String),
        endpoint: expect.any(String),
        why: expect.any(String),
      });
  });

  test('compliance_manifest has both manifests', async () => {
    const { body } = await get('/api/sandbox/compliance_manifest');
    expect(keys(body)).toEqual([
      '_note',
      '_sandbox',
      'cost',
      'dataset_id',
      'manifests',
      'next_steps',
      'regulation',
    ]);
    expect(keys(body.manifests.ab2013)).toEqual([
      'consent_mechanism',
      'data_types',
      'dataset_name',
      'generated_at',
      'license_summary',
      'public_domain_pct',
      'regulation',
      'sources',
      'total_works',
    ]);
    expect(keys(body.manifests.eu_ai_act)).toEqual([
      'copyright_policy',
      'data_governance',
      'generated_at',
      'opt_out_mechanism',
      'regulation',
      'transparency_summary',
    ]);
  });

  test('enrich_metadata standard', async () => {
    const { body } = await get('/api/sandbox/enrich_metadata?tier=standard');
    expect(keys(body)).toEqual(['_note', '_sandbox', 'cost', 'fields', 'metadata', 'next_steps', 'tier']);
    expect(body).toMatchObject({
      tier: 'standard',
      fields: ['title', 'description', 'keywords', 'alt_text'],
    });
    expect(keys(body.metadata)).toEqual(['alt_text', 'description', 'keywords', 'title']);
  });

  test('enrich_metadata premium', async () => {
    const { body } = await get('/api/sandbox/enrich_metadata?tier=premium');
    expect(keys(body)).toEqual([
      '_note',
      '_sandbox',
      'cost',
      'fields_count',
      'metadata',
      'next_steps',
      'tier',
    ]);
    expect(keys(body.metadata)).toEqual([
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
    expect(body.metadata.color_palette[0]).toEqual({
      hex: expect.stringMatching(/^#/),
      name: expect.any(String),
    });
  });

  test('search_artworks', async () => {
    const { body } = await get('/api/sandbox/search_artworks');
    expect(keys(body)).toEqual([
      '_note',
      '_sandbox',
      'cost',
      'dataset',
      'next_steps',
      'query',
      'results',
      'total_results',
    ]);
    expect(body.results[0].credit_id).toMatch(/^AETR-\d+$/);
    expect(keys(body.results[0])).toEqual([
      'artist',
      'credit_id',
      'date',
      'image_available',
      'medium',
      'museum',
      'title',
    ]);
  });

  test.each(Object.entries(MODELS))('upscale_image with %s is %i×', async (model, scale) => {
    const { body } = await get(`/api/sandbox/upscale_image?model=${model}`);
    expect(keys(body)).toEqual([
      '_note',
      '_sandbox',
      'available_models',
      'cost',
      'image_b64',
      'image_b64_note',
      'model',
      'next_steps',
      'original_size_bytes',
      'scale',
      'upscaled_size_bytes',
    ]);
    expect(body).toMatchObject({ model, scale });
    expect(body.available_models[model]).toEqual({ best_for: expect.any(String), scale });
  });

  test('verify_provenance', async () => {
    const { body } = await get('/api/sandbox/verify_provenance');
    expect(keys(body)).toEqual([
      '_note',
      '_sandbox',
      'best_match',
      'computed_hash',
      'confidence',
      'cost',
      'match_found',
      'next_steps',
      'total_matches',
    ]);
    expect(body.computed_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(keys(body.best_match)).toEqual(['artist', 'credit_id', 'provenance_uri', 'similarity', 'title']);
  });

  test('a value it does not know is refused by name', async () => {
    const { status, body } = await get('/api/sandbox/enrich_metadata?tier=gold');
    expect(status).toBe(400);
    expect(body.errors[0].field).toBe('tier');
  });
});
