import { readClaims } from '@atelier/imaging/metadata/read_metadata.ts';
import { infuse } from '@atelier/imaging/metadata/write_metadata.ts';
import { expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { rightsField } from '../../definitions/rights_fields.ts';
import { policyIn } from '../../provenance/evidence/evidence.ts';
import { type Rights, wordRights } from './infuse_metadata.ts';

const PNG = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const URL = 'https://example.org/a.jpg';
const words = (rights: object) => wordRights(rightsField.parse(rights) as Rights);

/** Summary of PLUS, TDMRep, RSL and CAWG. */
function inShort(rights: object) {
  const { fields, policy, training } = words({ terms: 'Ask', url: URL, ...rights });
  const { permits = [], prohibits = [] } = policy.rsl ?? {};
  return [
    fields.data_mining,
    policy.tdm?.reservation,
    [...permits.map((term) => `+${term}`), ...prohibits.map((term) => `-${term}`)].join(' '),
    Object.entries(training)
      .map(([name, { use }]) => `${name.slice('cawg.'.length)}:${use}`)
      .join(' '),
  ];
}

test.each([
  [{ holder: 'Ann' }, undefined, undefined, '', ''],
  [
    { ai_training: 'not_allowed' },
    'PROHIBITED-AIMLTRAINING',
    1,
    '-ai-train',
    'ai_training:notAllowed ai_generative_training:notAllowed',
  ],
  [
    { ai_training: 'no_generative' },
    'PROHIBITED-GENAIMLTRAINING',
    1,
    '',
    'ai_generative_training:notAllowed',
  ],
  [
    { ai_training: 'allowed' },
    undefined,
    undefined,
    '+ai-train',
    'ai_training:allowed ai_generative_training:allowed',
  ],
  [
    { ai_training: 'allowed', ai_mining: 'allowed' },
    'ALLOWED',
    0,
    '+ai-train',
    'data_mining:allowed ai_training:allowed ai_generative_training:allowed',
  ],
  [{ ai_mining: 'allowed' }, 'ALLOWED', 0, '', 'data_mining:allowed'],
  [
    { ai_mining: 'allowed', ai_training: 'not_allowed' },
    'PROHIBITED-AIMLTRAINING',
    1,
    '-ai-train',
    'data_mining:allowed ai_training:notAllowed ai_generative_training:notAllowed',
  ],
  [
    { ai_mining: 'not_allowed' },
    'PROHIBITED',
    1,
    '-all',
    'data_mining:notAllowed ai_training:notAllowed ai_generative_training:notAllowed',
  ],
  [
    { ai_mining: 'search_only' },
    'PROHIBITED-EXCEPTSEARCHENGINEINDEXING',
    1,
    '+search -ai-all',
    'data_mining:notAllowed ai_training:notAllowed ai_generative_training:notAllowed',
  ],
  [
    { ai_training: 'constrained', ai_mining: 'allowed' },
    'PROHIBITED-SEECONSTRAINT',
    1,
    '-ai-train',
    'data_mining:allowed ai_training:constrained ai_generative_training:constrained',
  ],
])('%j', (rights, plus, tdm, rsl, cawg) => {
  expect(inShort(rights)).toEqual([plus, tdm, rsl, cawg]);
});

/** Conflicts reported for a policy after it was written to a file and its manifest. */
function conflictsOf(rights: object): readonly string[] {
  const { fields, policy, training } = words(rights);
  const { bytes } = infuse({ bytes: PNG, fields, policy });
  const uses = Object.fromEntries(Object.entries(training).map(([name, { use }]) => [name, use]));
  const manifest = { state: 'valid' as const, problems: [], actions: [], training: uses };
  return policyIn({ claims: readClaims({ bytes }), manifest })!.conflicts;
}

test('no policy contradicts itself across the rights vocabularies', () => {
  const training = [undefined, 'allowed', 'no_generative', 'not_allowed', 'constrained'];
  const mining = [undefined, 'allowed', 'search_only', 'not_allowed', 'constrained'];
  const all = training.flatMap((one) => mining.map((other) => ({ ai_training: one, ai_mining: other })));
  const isWordable = ({ ai_training: one, ai_mining: other = '' }: (typeof all)[number]) =>
    !['search_only', 'not_allowed'].includes(other) || one === undefined || one === 'not_allowed';
  const wordable = all.filter(isWordable);
  expect(wordable).toHaveLength(19);
  for (const rights of wordable)
    expect([rights, conflictsOf({ holder: 'Ann', terms: 'Ask', url: URL, ...rights })]).toEqual([rights, []]);
});

test('a licence is a URL or text, a contact a URL or an e-mail address', () => {
  expect(words({ licence: 'https://example.org/l', contact: 'a@example.org', holder: 'Ann' })).toMatchObject({
    fields: { rights_url: 'https://example.org/l' },
    policy: { licensor: { name: 'Ann', email: 'a@example.org' } },
  });
  expect(words({ licence: 'CC BY 4.0', contact: 'https://example.org/c' })).toMatchObject({
    fields: { usage_terms: 'CC BY 4.0' },
    policy: { licensor: { url: 'https://example.org/c' } },
  });
});

test('without the URL of the image RSL is omitted, and the response states this', () => {
  const { policy, unsaid } = words({ ai_training: 'not_allowed' });
  expect([policy.rsl, unsaid]).toEqual([undefined, [expect.stringContaining('rights.url')]]);
});

test.each([
  [{}, 'rights'],
  [{ ai_mining: 'not_allowed', ai_training: 'allowed' }, 'rights.ai_training'],
  [{ ai_mining: 'search_only', ai_training: 'constrained', terms: 'Ask' }, 'rights.ai_training'],
  [{ ai_training: 'constrained' }, 'rights.terms'],
  [{ policy_url: 'https://example.org/p' }, 'rights.policy_url'],
  [{ policy_url: 'https://example.org/p', ai_mining: 'allowed' }, 'rights.policy_url'],
])('%j is rejected', (rights, field) => {
  expect(() => words(rights)).toThrow(
    expect.objectContaining({ details: { errors: [expect.objectContaining({ field })] } }),
  );
});

test.each([
  { holder: 5 },
  { holder: '' },
  { holder: 'x'.repeat(2001) },
  { ai_training: 'yes' },
  { contact: 'nobody' },
  { policy_url: 'javascript:1' },
  { url: `https://example.org/${'x'.repeat(500)}` },
  { unknown: 1 },
  'x',
])('%j is invalid input', (rights) => {
  expect(rightsField.safeParse(rights).success).toBe(false);
});
