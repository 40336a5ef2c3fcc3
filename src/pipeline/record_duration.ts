import { priceOf } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { CallKit } from './kit.ts';
import { megapixelsIn } from './load_pictures.ts';

interface Timed {
  readonly input: Record<string, unknown>;
  readonly loaded: Record<string, unknown>;
  readonly deadline: AbortSignal;
}

/** Remembers how long a run took, for the metrics and for the estimates of dry runs: also of one that its deadline has ended. */
export async function recordDuration<T>(
  kit: CallKit,
  tool: AnyTool,
  { input, loaded, deadline }: Timed,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const record = (isStopped: boolean) => {
    const ms = performance.now() - started;
    const credit = priceOf(tool.price, input);
    kit.durations.record({ tool: tool.name, credit, megapixels: megapixelsIn(loaded), ms, isStopped });
  };
  try {
    const output = await kit.telemetry.timeCall(tool.name, work);
    record(false);
    return output;
  } catch (error) {
    if (deadline.aborted) record(true);
    throw error;
  }
}
