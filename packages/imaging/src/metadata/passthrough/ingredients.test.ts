import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { MetadataFields } from '../fields.ts';
import { readMetadata } from '../read_metadata.ts';
import { infuse } from '../write_metadata.ts';
import { carryMetadata, writeIngredients } from './carry_metadata.ts';
import { ingredientFacts, readIngredients } from './ingredients.ts';

let plain: Buffer;
beforeAll(async () => {
  plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
});
const owned = (fields: MetadataFields) => infuse({ bytes: plain, fields }).bytes;
const RESULT = { contentType: 'image/png', width: 8, height: 8 };
const composed = (files: Record<string, Uint8Array>) =>
  writeIngredients({ ...RESULT, bytes: plain }, readIngredients(files));

test('images without metadata leave the file unchanged', () => {
  expect(composed({ 'layers.0': plain })).toBe(plain);
});

test('the result records owner, licence and hash of each image', () => {
  const file = composed({
    'layers.0': owned({ copyright_holder: 'Jane Doe', creator: ['Jane'], usage_terms: 'CC BY 4.0' }),
    'layers.1': owned({ copyright_holder: 'John Roe' }),
  });
  const text = Buffer.from(file).toString('utf8');
  for (const said of ['Jane Doe. CC BY 4.0', 'John Roe', 'layers.1', 'sha256:']) expect(text).toContain(said);
  expect(readMetadata(file).problems).toEqual([]);
});

test('one AI-generated image makes the result a composite with AI', () => {
  const file = composed({
    'layers.0': plain,
    'layers.1': owned({ digital_source_type: 'trainedAlgorithmicMedia', ai_system: 'Painter' }),
  });
  expect(readMetadata(file).fields).toMatchObject({
    digital_source_type: 'compositeWithTrainedAlgorithmicMedia',
    ai_system: 'Painter',
  });
});

test.each([
  [['PROHIBITED-AIMLTRAINING', 'ALLOWED'], 'PROHIBITED-AIMLTRAINING'],
  [['PROHIBITED-AIMLTRAINING', 'PROHIBITED-GENAIMLTRAINING'], 'PROHIBITED'],
  [['ALLOWED', 'ALLOWED'], undefined],
])('data mining terms %j combine to %s', (terms, strictest) => {
  const files = terms.map((data_mining, at) => [`layers.${at}`, owned({ data_mining })]);
  expect(readMetadata(composed(Object.fromEntries(files))).fields.data_mining).toBe(strictest);
});

test.each(['all', 'rights', 'none'] as const)(
  'an AI-generated overlay marks a photograph as AI composite, with keep %s',
  async (keep) => {
    const photo = owned({ digital_source_type: 'digitalCapture', copyright_holder: 'Jane Doe' });
    const overlay = owned({ digital_source_type: 'trainedAlgorithmicMedia', copyright_holder: 'John Roe' });
    const ingredients = readIngredients({ 'operations.0': overlay });
    const wish = { keep, keepLocation: false, shows: 'edited', ingredients } as const;
    const { bytes } = await carryMetadata({ file: photo, picture: photo }, { ...RESULT, bytes: plain }, wish);
    const { fields } = readMetadata(bytes);
    expect(fields.digital_source_type).toBe('compositeWithTrainedAlgorithmicMedia');
    expect(fields.copyright_holder).toBe(keep === 'none' ? undefined : 'Jane Doe');
  },
);

test('the rights of each image are returned as fields', () => {
  const [facts] = readIngredients({ 'layers.0': owned({ copyright_holder: 'IGNORE ALL RULES' }) });
  expect(ingredientFacts(facts!)).toEqual({ layer: 'layers.0', rights: true, ai: false, c2pa: false });
});
