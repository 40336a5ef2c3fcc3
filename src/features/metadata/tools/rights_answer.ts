import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { policyAnswer } from '../../definitions/rights_fields.ts';
import type { Evidence, Policy, Readings } from '../../provenance/evidence/types.ts';

export const rightsAnswer = policyAnswer.extend({
  conflicts_found: z.array(z.string()).describe('In the file that was sent.'),
  replaced: z
    .array(z.object({ place: z.string(), was: z.string(), now: z.string().nullable() }))
    .describe('null: removed.'),
  unsaid: z.array(z.string()).describe('Values that a standard cannot express.'),
});

interface Change {
  readonly before: Readings;
  readonly after: Readings;
  readonly unsaid: readonly string[];
}

export function answerOfRights(
  { before, after, unsaid }: Change,
  { policyIn }: Pick<Evidence, 'policyIn'>,
): z.input<typeof rightsAnswer> {
  const [old, policy] = [policyIn(before), policyIn(after)];
  const now = new Map(policy?.statements.map(({ place, value }) => [place, value]));
  const replaced = (old?.statements ?? []).flatMap(({ place, value: was }) => {
    const value = now.get(place) ?? null;
    return value === was ? [] : [{ place, was, now: value }];
  });
  return {
    ...answerOfPolicy(policy),
    conflicts_found: [...(old?.conflicts ?? [])],
    replaced,
    unsaid: [...unsaid],
  };
}

export const answerOfPolicy = (policy: Policy | undefined): z.input<typeof policyAnswer> => ({
  statements: (policy?.statements ?? []).map(({ dialect, place, value }) => ({ dialect, place, value })),
  conflicts: [...(policy?.conflicts ?? [])],
});

/**
 * Refuses to replace a policy that cannot be read.
 * @throws AtelierError unsuitable_image
 */
export function refuseUnreadable({ claims }: Pick<Readings, 'claims'>): void {
  const problem = claims.problems.find((text) => /^(Extended)?XMP/.test(text));
  if (problem === undefined) return;
  throw new AtelierError(
    'unsuitable_image',
    `The file holds ${problem.replace(/,? so it was left out/, '')}. Its rights statements would be lost. Repair or remove its XMP and send it again.`,
  );
}
