import { AtelierError } from '../../core/errors/atelier_error.ts';
import { JOB_HOLD_LIFETIME_MS } from '../../core/queue/limits.ts';
import { inRequestScope } from '../../core/request_scope/request_scope.ts';
import type { AnyTool, Step, StepOutcome, StepSequence } from '../../features/definitions/tool.ts';
import { isDiscounted } from '../billing/payment.ts';
import { quotePrice } from '../billing/price.ts';
import { chargeOnce } from '../billing/repeats.ts';
import { asAtelierError } from '../errors.ts';
import {
  abortError,
  loadImages,
  type RunNotes,
  recordDuration,
  retryWhileBusy,
  runTool,
} from '../execute.ts';
import { limitTool } from '../rate_limit.ts';
import { deadlinesOf, type PipelineContext } from '../types.ts';
import { waiveSteps, withStepAct } from '../workspace.ts';
import {
  admitStep,
  type Outputs,
  type Progress,
  type StepCall,
  type StepsRun,
  stepError,
} from './prepare_step.ts';
import { cacheKeyOf, findCachedStep, keepAnswer, type StepCacheKey } from './step_cache.ts';

/**
 * Runs the steps of a call sequentially and records in `remarks` the total price of the completed ones. A
 * failed step ends its sequence; other sequences continue.
 * @throws AtelierError if the client has disconnected; of the first failed step if none was completed
 */
export async function runSteps(
  context: PipelineContext,
  tool: AnyTool,
  input: Record<string, unknown>,
  run: StepsRun,
): Promise<readonly StepOutcome[]> {
  try {
    return await runAllSteps(context, tool, input, run);
  } catch (error) {
    await waiveSteps(context, run.act);
    throw error;
  }
}

async function runAllSteps(
  context: PipelineContext,
  tool: AnyTool,
  input: Record<string, unknown>,
  run: StepsRun,
): Promise<readonly StepOutcome[]> {
  const sequences = await tool.steps!(input, context.services);
  const progress: Progress = { spent: 0, paidKeys: new Set(), isUnsure: false, isBilled: false };
  const outcomes: StepOutcome[] = [];
  let firstProblem: AtelierError | undefined;
  for (const [at, course] of sequences.entries()) {
    const outputs = new Map<string, Record<string, unknown>>();
    let hasFailed = false;
    for (const step of course.steps) {
      const isLeft = run.client.signal.aborted;
      if (isLeft && !progress.isBilled) throw abortError(run.client.signal);
      if (hasFailed || isLeft || run.deadline.aborted) {
        outcomes.push({ ...NOTHING, course: at, step, state: 'skipped' });
        continue;
      }
      try {
        const done = await runStep(context, withProgress(run, sequences, { done: outcomes.length, step }), {
          course,
          step,
          outputs,
          progress,
        });
        outputs.set(step.save_as, done.output);
        outcomes.push({ course: at, step, state: 'done', ...done });
      } catch (thrown) {
        const error = asAtelierError(thrown);
        // An internal error ends the call, is reported to the operator, and costs nothing.
        if ((run.client.signal.aborted && !progress.isBilled) || error.code === 'internal_error')
          throw thrown;
        if (progress.isUnsure) throw stepError(error, course, step);
        firstProblem ??= stepError(error, course, step) as AtelierError;
        outcomes.push({ ...NOTHING, course: at, step, state: 'failed', error: inShort(error) });
        hasFailed = true;
      }
    }
  }
  const done = outcomes.filter(({ state }) => state === 'done');
  if (done.length === 0 && firstProblem) throw firstProblem;
  if (run.deadline.aborted) run.notes.warnings.push(OUT_OF_TIME);
  const kept = done.filter((outcome) => outcome.kept).length;
  run.notes.sum = {
    credits: progress.spent,
    why: sumInWords({ done: done.length, of: outcomes.length, kept }),
  };
  return outcomes;
}

const NOTHING = { kept: false, credits: 0 } as const;

const OUT_OF_TIME =
  'The time limit was reached before all steps had run. Send the call again: finished images are kept, and only the other steps run. With async: true it has more time.';

const inShort = ({ code, message, details: { retryAfterSeconds } }: AtelierError) => ({
  code,
  detail: message,
  ...(retryAfterSeconds !== undefined && { retry_after_s: retryAfterSeconds }),
});

function sumInWords({ done, of, kept }: { done: number; of: number; kept: number }): string {
  const again = kept > 0 ? `; ${kept} reused from earlier runs are free` : '';
  return `The sum of ${done === of ? `${of}` : `${done} of ${of}`} ${of === 1 ? 'step' : 'steps'}${again}.`;
}

/** The same run, with its progress scaled to the whole call. */
function withProgress(
  run: StepsRun,
  sequences: readonly StepSequence[],
  { done, step }: { done: number; step: Step },
): StepsRun {
  const all = sequences.reduce((sum, { steps }) => sum + steps.length, 0);
  const emit = (fraction: number, message: string) =>
    run.client.onProgress?.((done + fraction) / all, `Step ${done + 1} of ${all}, ${step.tool}: ${message}`);
  emit(0, 'begins');
  return { ...run, client: { ...run.client, onProgress: emit } };
}

interface StepInput {
  readonly course: StepSequence;
  readonly step: Step;
  readonly outputs: Outputs;
  readonly progress: Progress;
}

interface FinishedStep {
  readonly output: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly credits: number;
  readonly kept: boolean;
}

/**
 * Runs one step as a call of its tool: admits, counts, runs and caches it. Its price is charged with the
 * others.
 */
export async function runStep(
  context: PipelineContext,
  run: StepsRun,
  { progress, ...turn }: StepInput,
): Promise<FinishedStep> {
  const { client, principal, signal, hold } = run;
  const { wallet } = principal;
  const call = await admitStep(context, { client, principal, ...turn });
  return inRequestScope(context.requestScopes, { address: client.address, wallet }, async () => {
    const { expected } = call.controls;
    const options = { wallet, signal, expected };
    const loaded = await loadImages(context.services.images, call.tool, call.input, options);
    const shown = {
      whole: run.act,
      call,
      loaded,
      step: turn.step.save_as,
      lifetimeMs: Math.max(1, run.endsAt - Date.now()),
    };
    return withStepAct(context, shown, async () => {
      const cacheKey = await cacheKeyOf(context, call.tool, loaded, { wallet, hold });
      const found = await findCachedStep(context, cacheKey);
      if (found) {
        const isToPay = found.isUnpaid && !progress.paidKeys.has(cacheKey!.key);
        return count(progress, cacheKey, { ...found, credits: isToPay ? found.credits : 0, kept: !isToPay });
      }
      const work = () =>
        limitTool(context, call, async () => ({
          headers: {},
          body: await runPaid(context, run, { call, loaded, place: cacheKey, progress }),
        }));
      const { body } = await (run.isJob ? retryWhileBusy({ signal, ...onProgressOf(run) }, work) : work());
      return count(progress, cacheKey, body);
    });
  });
}

const onProgressOf = ({ client: { onProgress } }: StepsRun) => (onProgress ? { onProgress } : {});

function count(
  progress: Progress,
  cacheKey: StepCacheKey | undefined,
  { output, warnings, credits, kept }: FinishedStep,
): FinishedStep {
  progress.spent += credits;
  if (cacheKey) progress.paidKeys.add(cacheKey.key);
  return { output, warnings, credits, kept };
}

interface Ready {
  readonly call: StepCall;
  readonly loaded: Record<string, unknown>;
  readonly place: StepCacheKey | undefined;
  readonly progress: Progress;
}

type Ran = FinishedStep & Record<string, unknown>;

async function runPaid(
  context: PipelineContext,
  run: StepsRun,
  { call, loaded, place: cacheKey, progress }: Ready,
): Promise<Ran> {
  const { tool, input } = call;
  const { hold, signal, deadline, endsAt, principal } = run;
  return chargeOnce(context, call, { loaded, signal }, async (repeats) => {
    const payer = { wallet: principal.wallet, quotedMs: JOB_HOLD_LIFETIME_MS };
    const quoted = repeats === undefined ? await quotePrice(context, tool, input, payer) : { price: 0 };
    const { price } = quoted;
    if (progress.spent + price > run.held) throw tooLittleHeld();
    const notes: RunNotes = { warnings: [...call.warnings] };
    const left = Math.max(1, endsAt - Date.now());
    const { jobDeadlineMs } = deadlinesOf(context);
    progress.isUnsure = false;
    const output = await recordDuration(context, tool, { input, loaded, deadline }, () =>
      runTool(context.services, tool, loaded, {
        // Cached results of steps serve any client.
        client: { ...call.client, isModel: false },
        wallet: principal.wallet,
        proof: principal.proof,
        hold,
        signal,
        notes,
        // A canceled job is free, and its changes are undone with the hold: the run need not be awaited.
        deadline: run.isJob ? signal : deadline,
        deadlineMs: left,
        ...(!run.isJob && { jobDeadlineMs }),
      }),
    ).catch((error: unknown) => {
      progress.isUnsure = !tool.effects.readOnly && asAtelierError(error).status >= 500;
      throw error;
    });
    if (tool.needs !== undefined) progress.isBilled = true;
    const credits = isDiscounted(notes, quoted) ? 0 : price;
    const { warnings } = notes;
    await keepAnswer(context, tool, cacheKey, { output, warnings, credits });
    return { output, warnings, credits, kept: false };
  });
}

/** A discount in the quote no longer applies. */
const tooLittleHeld = (): AtelierError =>
  new AtelierError(
    'insufficient_credits',
    'The result that this step would have repeated for free has expired, and no credits were held for it. Send the call again.',
  );
