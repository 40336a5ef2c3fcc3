import { LABEL_CORNERS, LABEL_LANGUAGES, LABEL_STYLES } from '@atelier/imaging/label/label_words.ts';
import { z } from 'zod';
import { momentField } from './fields.ts';
import { enumSynonyms, withAliases, withCoercion } from './spellings.ts';
import {
  AI_NAME_CHARACTERS_MAX,
  RIGHTS_ADDRESS_CHARACTERS_MAX,
  RIGHTS_TEXT_CHARACTERS_MAX,
} from './tool_limits.ts';

const text = (about: string) =>
  z.string().trim().min(1).max(RIGHTS_TEXT_CHARACTERS_MAX).optional().describe(about);
const address = (about: string) =>
  z
    .string()
    .max(RIGHTS_ADDRESS_CHARACTERS_MAX)
    .regex(/^https?:\/\/\S+$/i, 'must begin with https:// or http://')
    .optional()
    .describe(about);

const allowedInWords = enumSynonyms({
  prohibited: 'not_allowed',
  forbidden: 'not_allowed',
  disallowed: 'not_allowed',
  denied: 'not_allowed',
  no: 'not_allowed',
  yes: 'allowed',
  permitted: 'allowed',
});
const allowedOrNot = (sent: unknown): unknown =>
  typeof sent === 'boolean' ? (sent ? 'allowed' : 'not_allowed') : allowedInWords(sent);

/** A rights policy, written in every supported rights vocabulary. */
export const rightsField = z
  .strictObject({
    holder: withAliases(
      text('Rights holder.'),
      ...['copyright_holder', 'owner', 'rights_holder', 'copyright_owner', 'copyright'],
    ),
    licence: withAliases(text('Terms as text, or the URL of the licence.'), 'license'),
    ai_training: withCoercion(
      z
        .enum(['allowed', 'no_generative', 'not_allowed', 'constrained'])
        .optional()
        .describe('Training AI on it.'),
      allowedOrNot,
    ),
    ai_mining: withCoercion(
      z
        .enum(['allowed', 'search_only', 'not_allowed', 'constrained'])
        .optional()
        .describe('Data mining, which includes training.'),
      allowedOrNot,
    ),
    terms: text('Conditions, with constrained.'),
    policy_url: address('TDM policy for machines.'),
    contact: z
      .string()
      .max(RIGHTS_ADDRESS_CHARACTERS_MAX)
      .regex(/^(https?:\/\/\S+|[^\s@]+@[^\s@]+)$/i, 'must be an e-mail address or begin with https://')
      .optional()
      .describe('E-mail or page to ask for a licence.'),
    url: address('URL of the image, for RSL.'),
  })
  .optional()
  .describe('Rights policy, written as PLUS, IPTC, TDMRep, RSL and CAWG. Replaces the one in the file.')
  .meta({ title: 'Rights policy' });

/** A name in a watermark, whose parts are separated by `|`. */
const name = (about: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(AI_NAME_CHARACTERS_MAX)
    .regex(/^[^|\p{C}]*$/u, 'must be one line without |')
    .describe(about);

/** A visible label drawn into the image. */
const labelField = z
  .strictObject({
    style: z
      .enum(LABEL_STYLES)
      .default('icon')
      .describe('icon: "AI GENERATED" as in the EU icon; text: a phrase.'),
    corner: z.enum(LABEL_CORNERS).default('bottom_right'),
    language: z.enum(LABEL_LANGUAGES).default('en'),
  })
  .optional()
  .describe(
    'Draws a visible label into a corner, before the watermark: required of deployers for deep fakes.',
  );

/** The AI system that made an image, as disclosure laws require. */
export const aiField = z
  .strictObject({
    system: withAliases(
      name('Name of the AI system.'),
      ...['model', 'name', 'system_name', 'model_name', 'tool', 'generator'],
    ),
    version: withAliases(name('Its version.'), 'system_version', 'model_version'),
    provider: withAliases(
      name('Provider of the AI system.'),
      ...['vendor', 'company', 'organization', 'maker'],
    ),
    generated_at: withAliases(
      momentField.describe('When, ISO 8601.'),
      ...['date', 'created_at', 'timestamp', 'generation_date', 'when'],
    ),
    id: name('Identifier of the image. Default: the one in the file, or a new one.').optional(),
    label: labelField,
  })
  .optional()
  .describe('Marks the image as AI output: IPTC 2025.1, signed metadata and a watermark.')
  .meta({
    title: 'Made by AI',
    examples: [
      {
        system: 'Painter',
        version: '2',
        provider: 'Acme',
        generated_at: '2026-08-02T09:30:00Z',
        label: { style: 'text', language: 'de' },
      },
    ],
  });

const statementField = z.object({
  dialect: z.enum(['plus', 'iptc', 'tdmrep', 'rsl', 'cawg']),
  place: z.string(),
  value: z.string(),
});

export const policyAnswer = z.object({
  statements: z.array(statementField),
  conflicts: z.array(z.string()).describe('Statements that contradict each other.'),
});

export const evidenceAnswer = z.array(
  z.object({
    law: z.enum(['eu_code_of_practice', 'california_sb_942']),
    measure: z.string(),
    title: z.string(),
    coverage: z
      .enum(['here', 'operator', 'not_covered'])
      .describe('Responsible: this server, its operator, or neither.'),
    status: z.enum(['met', 'not_met', 'not_said']).describe('not_said: not stated in the file.'),
    by: z.string(),
    tested: z.string().nullable().describe('Method of the check.'),
  }),
);
