import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { readClaims } from '@atelier/imaging/metadata/read_metadata.ts';
import { labelProperties } from '@atelier/imaging/metadata/rights/ai_label.ts';
import { writeMetadata } from '@atelier/imaging/metadata/write_metadata.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  certificateOf,
  FILLED,
  MAKERS,
  OPENED,
  PLACED,
  type Signing,
  signAs,
} from '../../../../tests/support/foreign_manifests.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { runReadManifest } from '../../../core/workers/run_c2pa.ts';
import { markedAsAi } from './evidence.ts';
import { writeAiMark } from './layers.ts';
import type { Readings } from './types.ts';

const jpeg = await sharp(await scene(5, 256, 192))
  .jpeg()
  .toBuffer();
const read = async (bytes: Uint8Array, trustAnchors?: string) =>
  markedAsAi({ claims: readClaims({ bytes }), manifest: await runReadManifest({ bytes, trustAnchors }) });
const withSource = (bytes: Uint8Array, term: string) =>
  writeMetadata(bytes, { digital_source_type: term }, []).bytes;

describe('manifests of other vendors', needs('OpenSSL'), () => {
  let openai: Signing;
  let google: Signing;
  let adobe: Signing;
  let leica: Signing;
  beforeAll(() => {
    openai = certificateOf('OpenAI', 'Truepic Lens CLI in Sora');
    google = certificateOf('Google LLC', 'Google Media Processing Services');
    adobe = certificateOf('Adobe Inc.', 'Adobe Firefly C2PA');
    leica = certificateOf('Leica Camera AG', 'Leica M11-P');
  });

  test('OpenAI: the source is found in the manifest of an earlier version', async () => {
    const made = await signAs(openai, jpeg, MAKERS.openai);
    const ingredient = { bytes: made, relationship: 'parentOf' } as const;
    const bytes = await signAs(openai, jpeg, { generator: 'ChatGPT', actions: [OPENED], ingredient });
    expect(await read(bytes)).toEqual({
      verdict: 'yes',
      statements: [
        {
          layer: 'c2pa',
          isAi: true,
          says: 'trainedAlgorithmicMedia',
          who: 'OpenAI',
          software: 'GPT-4o',
          place: 'c2pa.created of an earlier version',
          signature: 'holds',
          trust: 'not_checked',
        },
      ],
    });
    expect((await runReadManifest({ bytes }))?.origin?.sourceType).toBe('trainedAlgorithmicMedia');
  });

  test.each([
    ['google', () => google, 'Google LLC', 'Google C2PA Core Generator Library'],
    ['firefly', () => adobe, 'Adobe Inc.', 'Adobe Firefly'],
  ] as const)(
    '%s: the action, its organisation and software are reported',
    async (maker, by, who, software) => {
      const { verdict, statements } = await read(await signAs(by(), jpeg, MAKERS[maker]));
      expect(verdict).toBe('yes');
      expect(statements).toHaveLength(1);
      expect(statements[0]).toMatchObject({ who, software, place: 'c2pa.created', signature: 'holds' });
    },
  );

  test('Leica: a camera manifest shows no trace of AI, and its serial number is omitted', async () => {
    const { verdict, statements } = await read(await signAs(leica, jpeg, MAKERS.leica));
    expect(verdict).toBe('no_trace');
    expect(statements).toMatchObject([
      { isAi: false, says: 'digitalCapture', who: 'Leica Camera AG', software: 'M11-P/2.0.2 lc_c2pa/v1.6.1' },
    ]);
  });

  test('Photoshop: a photograph edited with generative fill is an edit history, not a contradiction', async () => {
    const ingredient = { bytes: await signAs(leica, jpeg, MAKERS.leica), relationship: 'parentOf' } as const;
    const actions = [OPENED, FILLED];
    const bytes = await signAs(adobe, jpeg, { generator: 'Adobe Photoshop', actions, ingredient });
    const { verdict, statements } = await read(bytes);
    expect(verdict).toBe('yes');
    expect(statements.map(({ says, place }) => `${says}, ${place}`)).toEqual([
      'compositeWithTrainedAlgorithmicMedia, c2pa.edited',
      'digitalCapture, c2pa.created of an earlier version',
    ]);
  });

  test('a component made by AI marks the whole image', async () => {
    const made = await signAs(openai, jpeg, MAKERS.openai);
    const ingredient = { bytes: made, relationship: 'componentOf' } as const;
    const actions = [...MAKERS.leica.actions, PLACED];
    const { verdict, statements } = await read(
      await signAs(adobe, jpeg, { generator: 'Adobe Photoshop', actions, ingredient }),
    );
    expect(verdict).toBe('yes');
    expect(statements).toContainEqual(
      expect.objectContaining({ isAi: true, who: 'OpenAI', place: 'c2pa.created of a component' }),
    );
  });

  test('a signed camera manifest contradicts XMP that declares AI', async () => {
    const marked = withSource(jpeg, 'trainedAlgorithmicMedia');
    const { verdict, statements } = await read(await signAs(leica, marked, MAKERS.leica));
    expect(verdict).toBe('contradictory');
    expect(statements.map(({ layer, isAi, signature }) => [layer, isAi, signature])).toEqual([
      ['c2pa', false, 'holds'],
      ['iptc', true, 'none'],
    ]);
  });

  test('a manifest that does not match the file is reported as invalid', async () => {
    const bytes = await signAs(openai, jpeg, MAKERS.openai);
    bytes[bytes.length - 100]! ^= 1;
    expect(await read(bytes)).toMatchObject({ verdict: 'yes', statements: [{ signature: 'broken' }] });
  });

  test('a signer is trusted when its certificate chains to the trust list', async () => {
    const bytes = await signAs(google, jpeg, MAKERS.google);
    const trust = async (anchors?: string) => (await read(bytes, anchors)).statements[0]?.trust;
    expect([await trust(), await trust(google.anchor), await trust(adobe.anchor)]).toEqual([
      'not_checked',
      'trusted',
      'untrusted',
    ]);
    expect(await runReadManifest({ bytes, trustAnchors: adobe.anchor })).toMatchObject({
      state: 'valid',
      problems: [],
    });
  });

  test('a manifest corrupted anywhere is read or rejected and never throws', async () => {
    const whole = await signAs(google, jpeg, MAKERS.google);
    const verdicts = new Set<string>();
    for (let at = 20; at < 3_000; at += 37) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1 << (at % 8);
      verdicts.add((await read(bytes)).verdict);
    }
    expect([...verdicts].toSorted()).toEqual(['no_trace', 'yes']);
  });
});

test('a signed file that declares no source shows no trace of AI', async () => {
  const bytes = readFileSync(join(import.meta.dirname, '../../../../tests/fixtures/c2pa/signed.jpg'));
  expect(await read(bytes)).toEqual({ verdict: 'no_trace', statements: [] });
});

const claims = (fields: Parameters<typeof writeMetadata>[1], more: ReturnType<typeof labelProperties> = []) =>
  readClaims({ bytes: writeMetadata(jpeg, fields, more).bytes });

test.each([
  ['Made with Google AI', 'Made with Google AI'],
  ['Ann Able', undefined],
])('the credit line %j names %j', (credit, who) => {
  const { verdict, statements } = markedAsAi({
    claims: claims({ digital_source_type: 'compositeSynthetic', credit }),
  });
  expect([verdict, statements.length, statements[0]?.who]).toEqual(['yes', 1, who]);
});

test.each<[string, string, string]>([
  ['digitalCapture', 'AI system beside a camera', 'contradictory'],
  ['composite', 'a term that leaves it open', 'yes'],
  ['https://example.org/other', 'a term of another vocabulary', 'yes'],
])('%s: %s', (digital_source_type, _what, verdict) => {
  expect(markedAsAi({ claims: claims({ digital_source_type, ai_system: 'Painter' }) }).verdict).toBe(verdict);
});

test('a visible label is recognised by its text in the metadata', () => {
  const region = { x: 8, y: 8, width: 40, height: 20 };
  const label = { words: 'AI-generated', style: 'text', language: 'en', region };
  const labelled = claims({ title: 'Sea' }, labelProperties(label));
  expect(markedAsAi({ claims: labelled })).toMatchObject({
    verdict: 'yes',
    statements: [{ layer: 'visible_label', says: 'AI-generated', signature: 'none' }],
  });
});

const FACTS = { system: 'Painter', version: '2', provider: 'Example', at: '2026-11-20T09:11:12Z', id: 'b3' };
const watermark = (standing: 'bound' | 'moved' | 'plain'): Readings['watermark'] => ({
  text: writeAiMark(FACTS).payload,
  isLookedUp: false,
  falsePositiveProbability: 1e-12,
  judged: { standing, sentence: '', isExact: false },
});

test.each([
  ['bound', 'yes', 'holds'],
  ['plain', 'yes', 'none'],
  ['moved', 'contradictory', 'broken'],
] as const)('a watermark that is %s: %s', (standing, verdict, signature) => {
  expect(markedAsAi({ watermark: watermark(standing) })).toMatchObject({
    verdict,
    statements: [{ layer: 'watermark', who: 'Example', software: 'Painter 2', signature }],
  });
});

test('an unrelated watermark and an empty file show no trace of AI', () => {
  const text = { text: 'Ada, 17', isLookedUp: false, falsePositiveProbability: 1e-12 };
  expect(markedAsAi({ watermark: text })).toEqual({ verdict: 'no_trace', statements: [] });
  expect(markedAsAi({})).toEqual({ verdict: 'no_trace', statements: [] });
});
