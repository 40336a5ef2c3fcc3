import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, expect, test } from 'vitest';
import {
  captionVocabulary,
  standInDecoder,
  standInEncoder,
  standInVision,
  standInWords,
} from '../../../tests/fixtures/stand_in_captioner.ts';
import { NOTHING_GIVEN } from '../../../tests/support/nothing_given.ts';
import { createEnrichment } from '../../features/enrichment/service.ts';
import { createModels } from '../../features/models/service.ts';
import { createPixels } from './workers.ts';

/** A substitute for Florence-2 with the same interface, from files that an operator adds, up to the response of enrich_metadata. */

const folder = mkdtempSync(join(tmpdir(), 'atelier-caption-'));
const models = createModels({ folder, provider: 'cpu', fetch });
const pool = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 });
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});
const FILES = {
  'vision_encoder.onnx': standInVision(),
  'embed_tokens.onnx': standInWords(),
  'encoder_model.onnx': standInEncoder(),
  'decoder_model_merged.onnx': standInDecoder(),
  'tokenizer.json': captionVocabulary(),
};
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .composite([
      { input: { create: { width: 60, height: 10, channels: 3, background: '#600' } }, left: 0, top: 0 },
    ])
    .png()
    .toBuffer();
const enrichment = createEnrichment({ pixels: pool, captioner: () => models.captioner() });
const enrich = async (language: 'en' | 'de') => {
  const image = { bytes: await picture(), format: 'png', width: 60, height: 40 } as const;
  const asked = { image, tier: 'premium', engine: 'default', language, given: NOTHING_GIVEN } as const;
  return enrichment.enrich(asked, { signal: AbortSignal.timeout(60_000) });
};

test('each model file is recognised, and captions work in English once all five are installed', async () => {
  const names: string[] = [];
  for (const [file, bytes] of Object.entries(FILES)) {
    expect(await models.captioner()).toBeUndefined();
    expect(await enrichment.canDescribe('default', 'en')).toBe(false);
    writeFileSync(join(folder, file), bytes);
    names.push((await models.add(join(folder, file), { accept: true })).name);
  }
  expect(names).toEqual([
    'florence_vision',
    'florence_words',
    'florence_encoder',
    'florence_decoder',
    'florence_tokenizer',
  ]);
  expect(await enrichment.canDescribe('default', 'en')).toBe(true);
  expect(await enrichment.canDescribe('default', 'de')).toBe(false);
  expect(await enrichment.canDescribe('built_in', 'en')).toBe(false);
  const { metadata, evidence, engine } = await enrich('en');
  expect(metadata).toMatchObject({ title: 'Red picture', alt_text: 'A red picture.' });
  expect(metadata.keywords).toContain('car');
  expect(evidence).toMatchObject({ title: { basis: 'model' }, alt_text: { basis: 'model' } });
  expect(engine.name).toBe('florence_2');
  expect(await enrichment.edition('default')).toContain(`florence_2/${engine.version}`);
  expect((await enrich('de')).measured).toBeDefined();
});

test('a file with a different interface is refused, and mismatched graphs are named', async () => {
  await expect(
    models.add(join(folder, 'embed_tokens.onnx'), { name: 'florence_vision', accept: true }),
  ).rejects.toThrow('inputs and outputs of florence_vision');
  const captioner = (await models.captioner())!;
  const mixed = { ...captioner, vision: captioner.words };
  await expect(
    pool.run(
      'caption',
      { bytes: await picture(), captioner: mixed },
      { pixels: 2400, signal: AbortSignal.timeout(60_000) },
    ),
  ).rejects.toThrow('are from different exports');
});
