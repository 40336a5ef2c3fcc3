import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { imageFieldsOf } from '../../definitions/fields.ts';
import type { OperationCall } from '../../definitions/operation.ts';
import type { AnyTool, CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { FAILURE_AGE_MS, SAMPLE_MS_MAX, SAMPLES_AGE_MS_MAX } from './limits.ts';

export interface Sample {
  readonly answer: Record<string, unknown>;
  /** What the caller of such a call should know: the tool's warnings, and why it did less than it can. */
  readonly warnings: readonly string[];
}

interface Kept {
  readonly at: number;
  readonly sample: Promise<Sample>;
}

/** Samples of one service, by tool and query. Queries are enums, so there are no more than a few dozen. */
const KEPT = new WeakMap<Services, Map<string, Kept>>();

/**
 * What the tool itself answers to its sample. Made once, for all who ask while it is made too, and again once it is older than a cache
 * may keep it. A failure is told for a minute too, unless it was only full here: others may be asked for a sample, and want money
 * for each. @throws AtelierError busy, timed_out, model_unavailable as the tool does
 */
export function runSample(
  tool: AnyTool,
  query: Record<string, string>,
  services: Services,
  call: OperationCall,
): Promise<Sample> {
  const samples = KEPT.get(services) ?? new Map<string, Kept>();
  KEPT.set(services, samples);
  const key = JSON.stringify([tool.name, query]);
  const known = samples.get(key);
  if (known && performance.now() - known.at < SAMPLES_AGE_MS_MAX) return known.sample;
  const sample = makeSample(tool, query, services, call);
  samples.set(key, { at: performance.now(), sample });
  sample.catch((error: unknown) => {
    const isFull = error instanceof AtelierError && error.code === 'busy';
    setTimeout(() => samples.delete(key), isFull ? 0 : FAILURE_AGE_MS).unref();
  });
  return sample;
}

/** Works in the turn of whoever asked first, and is not stopped should it leave: others may be waiting. */
async function makeSample(
  tool: AnyTool,
  query: Record<string, string>,
  services: Services,
  { requestId, address, callerKey }: OperationCall,
): Promise<Sample> {
  const sandbox = tool.sandbox!;
  const warnings: string[] = [];
  const context: CallContext = {
    ...{ requestId, address, callerKey, deadlineMs: SAMPLE_MS_MAX },
    signal: AbortSignal.timeout(SAMPLE_MS_MAX),
    onProgress: () => {},
    warn: (message) => warnings.push(message),
    waive: () => {},
    charge: () => {},
  };
  const among = (await sandbox.among?.(services, context)) ?? services;
  const input = tool.input.parse(sandbox.input(query)) as Record<string, unknown>;
  for (const field of imageFieldsOf(tool.input.shape))
    if (input[field] !== undefined)
      input[field] = await services.images.open(input[field] as string, field, context);
  const answer = tool.output.strict().parse(await tool.run(input, among, context)) as Record<string, unknown>;
  if (typeof answer.degraded_reason === 'string') warnings.push(answer.degraded_reason);
  const shown = { ...answer, ...sandbox.shown?.(answer) };
  return { answer: sandbox.answer.parse(shown) as Record<string, unknown>, warnings };
}
