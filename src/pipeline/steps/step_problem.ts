import { AtelierError } from '../../errors/atelier_error.ts';
import type { Course, Step } from '../../tools/tool.ts';

/** What is wrong with a step, told so that its place in the call is plain. Anything that is no AtelierError stays as it is. */
export function stepProblem(error: unknown, { steps }: Pick<Course, 'steps'>, step: Step): unknown {
  if (!(error instanceof AtelierError)) return error;
  const at = steps.indexOf(step);
  // What would mend the step alone is not the body of this call.
  const { errors, try: _, ...details } = error.details;
  return new AtelierError(error.code, `Step ${at + 1}, ${step.save_as} (${step.tool}): ${error.message}`, {
    ...details,
    ...(errors && {
      errors: errors.map((problem) => ({ ...problem, field: `steps.${at}.params.${problem.field}` })),
    }),
  });
}
