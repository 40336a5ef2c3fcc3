import type { AtelierError } from '../../errors/atelier_error.ts';
import type { AnyTool, Course, Step, StepOutcome } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import { asAtelierError } from '../problem.ts';
import { abortError } from '../run_tool.ts';
import type { Progress, StepsRun } from './contract.ts';
import { runStep } from './run_step.ts';
import { stepProblem } from './step_problem.ts';

/**
 * Runs the steps of a call one after the other and leaves in `remarks` what those that were done cost together. A step that fails
 * ends its course; the others go on.
 * @throws AtelierError where the caller has gone; of the first step that failed, where nothing at all was done
 */
export async function runSteps(
  kit: CallKit,
  tool: AnyTool,
  input: Record<string, unknown>,
  run: StepsRun,
): Promise<readonly StepOutcome[]> {
  const courses = await tool.steps!(input, kit.services);
  const progress: Progress = { spent: 0, paidKeys: new Set(), isUnsure: false };
  const outcomes: StepOutcome[] = [];
  let firstProblem: AtelierError | undefined;
  for (const [at, course] of courses.entries()) {
    const outputs = new Map<string, Record<string, unknown>>();
    let hasFailed = false;
    for (const step of course.steps) {
      if (run.caller.signal.aborted) throw abortError(run.caller.signal);
      if (hasFailed || run.deadline.aborted) {
        outcomes.push({ ...NOTHING, course: at, step, state: 'skipped' });
        continue;
      }
      try {
        const done = await runStep(kit, withProgress(run, courses, { done: outcomes.length, step }), {
          ...{ course, step, outputs, progress },
        });
        outputs.set(step.save_as, done.output);
        outcomes.push({ course: at, step, state: 'done', ...done });
      } catch (thrown) {
        const error = asAtelierError(thrown);
        // What is our fault ends the call, is told to whoever runs this server, and costs nothing.
        if (run.caller.signal.aborted || error.code === 'internal_error') throw thrown;
        if (progress.isUnsure) throw stepProblem(error, course, step);
        firstProblem ??= stepProblem(error, course, step) as AtelierError;
        outcomes.push({ ...NOTHING, course: at, step, state: 'failed', error: inShort(error) });
        hasFailed = true;
      }
    }
  }
  const done = outcomes.filter(({ state }) => state === 'done');
  if (done.length === 0 && firstProblem) throw firstProblem;
  if (run.deadline.aborted) run.remarks.warnings.push(OUT_OF_TIME);
  const kept = done.filter((outcome) => outcome.kept).length;
  run.remarks.sum = {
    credits: progress.spent,
    why: sumInWords({ done: done.length, of: outcomes.length, kept }),
  };
  return outcomes;
}

const NOTHING = { kept: false, credits: 0 } as const;

const OUT_OF_TIME =
  'The time of the call was over before all steps had run. Send it again: pictures that were made are kept, and only the rest is run; with Prefer: respond-async it has more time.';

const inShort = ({ code, message, details: { retryAfterSeconds } }: AtelierError) => ({
  code,
  detail: message,
  ...(retryAfterSeconds !== undefined && { retry_after_s: retryAfterSeconds }),
});

function sumInWords({ done, of, kept }: { done: number; of: number; kept: number }): string {
  const again = kept > 0 ? `; ${kept} kept from before cost nothing` : '';
  return `The sum of ${done === of ? `${of}` : `${done} of ${of}`} ${of === 1 ? 'step' : 'steps'}${again}.`;
}

/** The same run, whose progress is told as part of the whole. */
function withProgress(
  run: StepsRun,
  courses: readonly Course[],
  { done, step }: { done: number; step: Step },
): StepsRun {
  const all = courses.reduce((sum, { steps }) => sum + steps.length, 0);
  const tell = (fraction: number, message: string) =>
    run.caller.onProgress?.((done + fraction) / all, `Step ${done + 1} of ${all}, ${step.tool}: ${message}`);
  tell(0, 'begins');
  return { ...run, caller: { ...run.caller, onProgress: tell } };
}
