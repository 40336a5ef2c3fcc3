import { AtelierError } from '../core/errors/atelier_error.ts';
import { wrapPixels } from '../core/workers/wrap_pixels.ts';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { highestPrice, priceOf } from '../features/definitions/price.ts';
import { isOwnPayment } from './admission.ts';
import { callerKey } from './authenticate.ts';
import { megapixelsIn } from './execute.ts';
import { type ComposedResponse, deadlinesOf, type PipelineContext, type ToolCall } from './types.ts';

/** A call that is expected to take longer becomes a job at once, where its client allows that. */
export const LONG_CALL_SECONDS = 20;

interface LoadedCall {
  readonly call: ToolCall;
  /** The input with its images. */
  readonly loaded: Record<string, unknown>;
  /** @param seconds it is expected to take */
  becomeJob(seconds?: number): Promise<ComposedResponse>;
}

/**
 * Runs a call, or turns it into a job if its client allows that: at once if it is expected to be long or was
 * refused as too long for a synchronous call, both before any work; otherwise at its deadline. Its hold is
 * released before the job holds the price.
 */
export async function orAsJob(
  context: PipelineContext,
  { call, loaded, becomeJob }: LoadedCall,
  run: () => Promise<ComposedResponse>,
): Promise<ComposedResponse> {
  if (!mayBecomeJob(call)) return run();
  const seconds = isForeseen(call) ? await expectedSeconds(context, call, loaded) : 0;
  if (seconds > LONG_CALL_SECONDS) return becomeJob(seconds);
  try {
    return await run();
  } catch (error) {
    const asJob = whyJob(call, error);
    if (!asJob) throw error;
    return becomeJob(asJob.seconds).catch((refusal: unknown) => {
      // If no more jobs are accepted, the call fails as it would have.
      throw error instanceof AtelierError ? error : refusal;
    });
  }
}

/**
 * A payment for one call cannot wait, a secret is shown once, and a tool that waits for jobs could wait for
 * itself.
 */
const mayBecomeJob = ({ tool, method, client }: Pick<ToolCall, 'tool' | 'method' | 'client'>): boolean =>
  client.longCalls !== undefined && !isOwnPayment(method) && !tool.answersSecret && !tool.isAboutJobs;

/** Whether the call becomes a job before it has run for long. */
const isForeseen = ({ client }: Pick<ToolCall, 'client'>): boolean => client.longCalls === 'when_expected';

/** Whether a failed call continues as a job, with its expected seconds if they are known. */
function whyJob(call: ToolCall, error: unknown): { seconds?: number } | undefined {
  if (error instanceof ExpectedLong) return { seconds: error.seconds };
  if (!(error instanceof AtelierError) || call.client.signal.aborted) return undefined;
  if (error.code === 'timed_out') return {};
  const { as_job: asJob, estimated_seconds: seconds } = error.details.members ?? {};
  if (!isForeseen(call) || asJob !== true) return undefined;
  return typeof seconds === 'number' ? { seconds } : {};
}

/** Thrown instead of starting an image operation that takes too long for a synchronous call. */
class ExpectedLong extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super('This operation is predicted to be long.');
    this.seconds = seconds;
  }
}

/**
 * The services of a call that may become a job: an image operation that is expected to be long does not
 * start.
 * Steps of a call are excluded, because each fails or succeeds by itself.
 */
export function servicesOf({ services }: PipelineContext, call: ToolCall): PipelineContext['services'] {
  if (!isForeseen(call) || !mayBecomeJob(call) || call.tool.steps) return services;
  const { pixels } = services;
  const run: typeof pixels.run = (engine, input, control) => {
    const seconds = control.estimatedSeconds ?? pixels.predict(engine, input, control);
    return seconds > LONG_CALL_SECONDS
      ? Promise.reject(new ExpectedLong(seconds))
      : pixels.run(engine, input, control);
  };
  return { ...services, pixels: wrapPixels(pixels, { run }) };
}

/** MCP clients wait for a minute, some for less; a call that becomes a job must answer before. */
const FORESEEN_DEADLINE_MS = 45_000;

/** How long a call may take while its client waits. */
export const waitMsOf = ({ deadlineMs }: PipelineContext, call: ToolCall): number =>
  isForeseen(call) && mayBecomeJob(call) ? Math.min(deadlineMs, FORESEEN_DEADLINE_MS) : deadlineMs;

/** Seconds a call is expected to take, from its own forecast or from earlier calls; 0 where that is unknown. */
async function expectedSeconds(
  context: PipelineContext,
  call: ToolCall,
  loaded: Record<string, unknown>,
): Promise<number> {
  const { tool, input } = call;
  const forecast = imageFieldsOf(tool.input.shape).length > 0 ? await forecastOf(context, call, loaded) : 0;
  const credit = priceOf(tool.price, input);
  const measured = measuredSeconds(context, tool.name, { credit, megapixels: megapixelsIn(loaded) });
  return Math.max(forecast, measured, await secondsOfSteps(context, call));
}

/** The forecast of the tool itself for this input. */
async function forecastOf(
  context: PipelineContext,
  { tool, client: { address, signal }, principal: { wallet } }: ToolCall,
  loaded: Record<string, unknown>,
): Promise<number> {
  const asking = { address, signal, callerKey: callerKey(address, wallet) };
  try {
    const outlook = await tool.outlook?.(loaded, context.services, { ...deadlinesOf(context), ...asking });
    return outlook?.estimated_seconds ?? 0;
  } catch {
    return 0; // The run reports what is wrong.
  }
}

const measuredSeconds = (
  { durations }: PipelineContext,
  tool: string,
  like: { credit: number; megapixels?: number | undefined },
): number => (durations.estimate({ tool, ...like }).typical_ms ?? 0) / 1000;

/** Steps run one after another; a step of unknown duration counts as 0. */
async function secondsOfSteps(context: PipelineContext, { tool, input }: ToolCall): Promise<number> {
  const courses = (await tool.steps?.(input, context.services)) ?? [];
  const each = courses.flatMap(({ steps }) =>
    steps.map((step) => {
      const one = context.services.catalogue.find(step.tool);
      return one && !one.steps ? measuredSeconds(context, one.name, { credit: highestPrice(one.price) }) : 0;
    }),
  );
  return each.reduce((sum, seconds) => sum + seconds, 0);
}
