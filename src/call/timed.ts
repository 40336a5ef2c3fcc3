import { priceOf } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { CallKit } from './call_tool.ts';
import { megapixelsIn } from './load_images.ts';

/** Remembers how long a run took, for the estimates of dry runs. */
export async function timed<T>(
  kit: CallKit,
  tool: AnyTool,
  { input, loaded }: { input: Record<string, unknown>; loaded: Record<string, unknown> },
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const output = await work();
  const ms = performance.now() - started;
  const credit = priceOf(tool.price, input);
  kit.durations.record({ tool: tool.name, credit, megapixels: megapixelsIn(loaded), ms });
  return output;
}
