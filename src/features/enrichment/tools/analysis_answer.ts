import {
  ANALYSIS_FIELDS,
  type FieldKind,
  SECTIONS,
  type Section,
} from '@atelier/imaging/analysis/analysis_fields.ts';
import { z } from 'zod';

const VALUES: Record<FieldKind, z.ZodType> = {
  text: z.string(),
  texts: z.array(z.string()),
  number: z.number(),
  colors: z.array(z.object({ hex: z.string(), name: z.string(), share_pct: z.number() })),
};

const basisField = z.enum(['measured', 'record', 'given', 'model', 'observed', 'unseen']);
const confidenceField = z.number().min(0).max(1);
const byField = z.string().optional().describe('Networks that detected it, other than the engine.');

const idsField = z
  .record(z.string(), z.object({ aat: z.string().optional(), wikidata: z.string().optional() }))
  .optional()
  .describe('AAT and Wikidata ids of its terms.');

const statementsField = z
  .array(basisField)
  .optional()
  .describe('For a text of several statements: the basis of each, in order.');

/** How a value in the response is known. */
export const evidenceAnswer = z
  .record(
    z.string(),
    z.object({
      basis: basisField,
      confidence: confidenceField,
      statements: statementsField,
      by: byField,
      ids: idsField,
    }),
  )
  .describe(
    'Source of each field of `metadata`: observed by the client, measured, given, from a museum record, by a model, or unseen.',
  );

/** One known fact and its basis. */
export const factAnswer = z.object({
  value: z.union(Object.values(VALUES)),
  basis: basisField,
  confidence: confidenceField,
  statements: statementsField,
  by: byField,
  ids: idsField,
});

/**
 * One entry per field, described in words instead of JSON Schema: 111 schemas would be longer than any
 * response.
 */
const sectionAnswer = (section: Section) =>
  z
    .record(z.string(), factAnswer)
    .refine((facts) => Object.entries(facts).every(([name, fact]) => fits(section, name, fact)), {
      error: `a field does not belong to section ${section}, or its type or basis differs from the table of fields`,
    })
    .describe(`Any of ${Object.keys(ANALYSIS_FIELDS[section]).join(', ')}.`);

function fits(section: Section, name: string, { value, basis }: z.output<typeof factAnswer>): boolean {
  const fields: Record<string, { kind: FieldKind; from: readonly string[] }> = ANALYSIS_FIELDS[section];
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field !== undefined && VALUES[field.kind].safeParse(value).success && field.from.includes(basis);
}

/** The 8 sections of a full analysis. Unknown facts are absent. */
export const sectionsAnswer = z.strictObject(
  Object.fromEntries(SECTIONS.map((section) => [section, sectionAnswer(section)])) as Record<
    Section,
    ReturnType<typeof sectionAnswer>
  >,
);

export const usageAnswer = z
  .object({
    input_tokens: z.int().min(0).max(1e9),
    output_tokens: z.int().min(0).max(1e9),
    cost_usd: z.number().min(0).max(1e6).optional(),
  })
  .optional()
  .describe('Tokens of the vision model; absent if none was used.');
