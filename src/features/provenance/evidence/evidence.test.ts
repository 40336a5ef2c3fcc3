import type { PolicyStatement } from '@atelier/imaging/metadata/rights/policy.ts';
import { describe, expect, test } from 'vitest';
import { policyIn, sheetFor } from './evidence.ts';
import { readAiMark, writeAiMark } from './layers.ts';
import type { Known, Readings } from './types.ts';

const claims = (more: Partial<Readings['claims']> = {}): Readings['claims'] => ({
  fields: {},
  statements: [],
  problems: [],
  ...more,
});
const says = (place: string, more: Partial<PolicyStatement>): PolicyStatement => ({
  dialect: 'plus',
  place,
  value: place,
  uses: {},
  ...more,
});
const ALL = { mining: 'allowed', ai_training: 'allowed', generative_training: 'allowed' } as const;

describe('contradictions', () => {
  test.each<[string, Partial<PolicyStatement>, Partial<PolicyStatement>, RegExp | undefined]>([
    ['yes and no', { uses: ALL }, { uses: { ai_training: 'not_allowed' } }, /training AI on it/],
    ['yes and perhaps', { uses: ALL }, { uses: { mining: 'constrained' } }, /data mining/],
    ['no and perhaps', { uses: { mining: 'not_allowed' } }, { uses: { mining: 'constrained' } }, undefined],
    ['all free and something reserved', { uses: ALL }, { reserves: true }, /anything is reserved/],
    ['part free and something reserved', { uses: { mining: 'allowed' } }, { reserves: true }, undefined],
    ['two holders', { holder: 'Ann' }, { holder: 'Bob' }, /whose rights/],
    ['one holder, written twice', { holder: 'Ann ' }, { holder: 'ANN' }, undefined],
  ])('%s', (_what, one, other, words) => {
    const { conflicts } = policyIn({ claims: claims({ statements: [says('a', one), says('b', other)] }) })!;
    expect(conflicts).toEqual(words ? [expect.stringMatching(words)] : []);
  });

  test('the manifest is one of the sources', () => {
    const manifest = {
      state: 'valid' as const,
      problems: [],
      actions: [],
      training: { 'cawg.ai_training': 'notAllowed', odd: 'x' },
    };
    const { statements, conflicts } = policyIn({
      manifest,
      claims: claims({ statements: [says('a', { uses: ALL })] }),
    })!;
    expect(statements.at(-1)).toMatchObject({ dialect: 'cawg', uses: { ai_training: 'not_allowed' } });
    expect(conflicts).toHaveLength(1);
  });

  test('a file without statements has no policy', () => {
    expect(policyIn({ claims: claims() })).toBeUndefined();
  });
});

const FACTS = {
  system: 'Example',
  version: '3',
  provider: 'Example Ltd',
  at: '2026-11-20T09:11:12Z',
  id: 'b30c',
};
const ORIGIN = { sourceType: 'trainedAlgorithmicMedia', ...FACTS };

test('an AI mark round-trips, and no other text is read as one', () => {
  expect(readAiMark(writeAiMark(FACTS).payload)).toEqual(FACTS);
  for (const other of ['Ada, 17', 'AI|a|b|c|no time|d', 'AI|a|b|c|2026|d|e', 'AI||||2026|d'])
    expect(readAiMark(other)).toBeUndefined();
});

const known: Known = { isRegistered: true, detector: { name: 'check', isFree: true } };
const { at, ...others } = FACTS;
const soulmark = (more: Partial<NonNullable<Readings['soulmark']>> = {}): Readings['soulmark'] => ({
  signer: { kid: 'k', issuer: 'https://here', signedAtUnixS: 1_700_000_000 },
  isOurs: true,
  codexIs: 'agree',
  pixelsAre: 'agree',
  codex: { ai: { ...others, generated_at: at } },
  ...more,
});
const watermark = (text?: string): Readings['watermark'] => ({
  text,
  isLookedUp: false,
  falsePositiveProbability: 2.3e-13,
});
const marked = watermark(writeAiMark(FACTS).payload);
const whole: Readings = { claims: claims({ origin: ORIGIN }), soulmark: soulmark(), watermark: marked };

/** Status by measure; the worst one for a measure with several rows. */
const statuses = (readings: Readings, more: Partial<Known> = {}) => {
  const rows = sheetFor(readings, { ...known, ...more })!;
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ measure }) => measure)].map(([measure, group]) => [
      measure,
      group.find(({ status }) => status === 'not_met')?.status ?? group[0]!.status,
    ]),
  );
};

describe('the evidence sheet', () => {
  test('an image with both layers meets every readable requirement', () => {
    expect(statuses(whole)).toMatchObject({
      '1.1': 'met',
      '1.1.1': 'met',
      '1.1.2': 'met',
      '1.1.3': 'met',
      '1.2': 'met',
      '1.3': 'met',
      '1.4': 'not_said',
      '2.1': 'met',
      '2.3': 'met',
      '3.3': 'not_said',
      '3.4': 'not_met',
      '22757.2(a)': 'met',
      '22757.3(a)': 'not_said',
      '22757.3(b)(1)': 'met',
      '22757.3(b)(2)': 'met',
      '22757.3(b)(3)': 'met',
      '22757.3(b)(4)': 'not_said',
    });
  });

  test('a file without AI statements has no evidence sheet', () => {
    expect(sheetFor({ claims: claims(), watermark: watermark('Ada') }, known)).toBeUndefined();
  });

  test.each<[string, Partial<Readings>, object]>([
    ['metadata that nothing signs', { soulmark: undefined }, { '1.1': 'not_met', '1.1.1': 'not_met' }],
    ['pixels changed since', { soulmark: soulmark({ pixelsAre: 'changed' }) }, { '1.1.1': 'not_met' }],
    ['a codex changed since', { soulmark: soulmark({ codexIs: 'changed' }) }, { '1.1.1': 'not_met' }],
    [
      'a mark made for another picture',
      { watermark: { ...marked!, judged: { standing: 'moved', sentence: 'Moved.', isExact: false } } },
      { '1.1': 'not_met', '1.1.2': 'not_met' },
    ],
    ['a mark of ours that is gone', { watermark: watermark() }, { '1.1.2': 'not_met', '1.2': 'not_said' }],
    [
      'no mark, and none of ours expected',
      { watermark: watermark(), soulmark: undefined },
      { '1.1.2': 'not_said' },
    ],
    [
      'metadata taken out',
      { claims: claims(), soulmark: undefined },
      { '1.2': 'not_met', '1.1.2': 'met', '22757.3(b)(1)': 'met', '22757.3(b)(3)': 'not_met' },
    ],
    [
      'metadata that names a camera',
      { claims: claims({ fields: { digital_source_type: 'digitalCapture' } }), soulmark: undefined },
      { '1.2': 'not_met', '1.1.2': 'met' },
    ],
    [
      'layers that disagree',
      { claims: claims({ origin: { ...ORIGIN, provider: 'Other' } }) },
      { '1.2': 'not_met', '22757.3(b)(1)': 'not_met' },
    ],
    [
      'a manifest without a time stamp',
      {
        soulmark: undefined,
        manifest: { state: 'valid', problems: [], actions: [], origin: ORIGIN, signer: { name: 'X' } },
      },
      { '1.1.1': 'not_met' },
    ],
    [
      'a manifest with one',
      {
        soulmark: undefined,
        manifest: {
          state: 'valid',
          problems: [],
          actions: [],
          origin: ORIGIN,
          timeStamp: { time: '2026-01-01', authority: 'A', status: 'trusted' },
        },
      },
      { '1.1.1': 'met' },
    ],
    [
      'a manifest that does not hold',
      {
        claims: claims(),
        soulmark: undefined,
        watermark: watermark(),
        manifest: { state: 'invalid', problems: [], actions: [], origin: ORIGIN },
      },
      { '1.1': 'not_met', '1.1.1': 'not_met', '22757.3(b)(2)': 'not_met' },
    ],
  ])('%s', (_what, more, expected) => {
    expect(statuses({ ...whole, ...more })).toMatchObject(expected);
  });

  test('watermark robustness is reported only for tested attacks', () => {
    const tried = (attacks: Record<string, 'payload' | 'lost'>) =>
      statuses({ ...whole, watermark: { ...marked!, attacks } });
    expect(tried({ jpeg_50: 'payload' })).toMatchObject({ '22757.3(b)(4)': 'met' });
    expect(tried({ jpeg_50: 'payload', blur_1: 'lost' })).toMatchObject({ '22757.3(b)(4)': 'not_met' });
  });

  test('a watermark lost only to a harder attack is robust; the attack is named', () => {
    const attacks = { jpeg_50: 'payload', avif_50: 'lost' } as const;
    const given = { ...whole, watermark: { ...marked!, attacks } };
    expect(statuses(given)).toMatchObject({ '22757.3(b)(4)': 'met' });
    expect(sheetFor(given, known)).toContainEqual(
      expect.objectContaining({ measure: '22757.3(b)(4)', by: 'The watermark is lost after avif_50.' }),
    );
  });

  test('an unregistered image and a paid detector are reported as unmet', () => {
    expect(statuses(whole, { isRegistered: false })).toMatchObject({ '1.1.3': 'not_met' });
    const detector = { name: 'check', isFree: false };
    expect(statuses(whole, { detector })).toMatchObject({ '2.1': 'not_met', '22757.2(a)': 'not_met' });
  });

  test('every measure of the code of practice names the responsible party', () => {
    const rows = sheetFor(whole, known)!.filter(({ law }) => law === 'eu_code_of_practice');
    const measures = (coverage: string) => [
      ...new Set(rows.filter((row) => row.coverage === coverage).map(({ measure }) => measure)),
    ];
    expect(measures('operator')).toEqual([
      '1.2',
      '2.4',
      '3.1',
      '3.2',
      '4.1',
      '4.2',
      '4.3',
      '4.4',
      'Section 2',
    ]);
    expect(measures('not_covered')).toEqual(['2.2', '3.4', '3.5']);
    // No file can show what the operator does.
    expect(rows.filter(({ coverage, status }) => coverage === 'operator' && status !== 'not_said')).toEqual(
      [],
    );
  });

  test('a label declared in the file counts as met', () => {
    const region = { x: 8, y: 8, width: 40, height: 20 };
    const label = { words: 'AI-generated', style: 'text', language: 'en', region };
    expect(statuses({ ...whole, claims: claims({ origin: ORIGIN, label }) })).toMatchObject({
      '1.4': 'met',
      '22757.3(a)': 'met',
    });
  });

  test('untrusted text is quoted on one line', () => {
    const origin = { ...ORIGIN, provider: `Evil\n\u202eLtd${'x'.repeat(300)}` };
    const rows = sheetFor({ claims: claims({ origin }) }, known)!;
    const { by } = rows.find(({ title }) => title === 'Name of the provider')!;
    expect(by).toMatch(/^“Evil Ltdx+…” \(metadata\)\.$/);
  });
});
