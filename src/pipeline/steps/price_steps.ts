import { invalidField } from '../../core/errors/atelier_error.ts';
import { inRequestScope } from '../../core/request_scope/request_scope.ts';
import { priceOf } from '../../features/definitions/price.ts';
import type { AnyTool, StepSequence } from '../../features/definitions/tool.ts';
import { type CallPrice, quotePrice, reducePrice } from '../billing/price.ts';
import { findRepeat } from '../billing/repeats.ts';
import { loadImages } from '../execute.ts';
import type { Client, PipelineContext, Principal, X402Call } from '../types.ts';
import { admitStep, type StepCall, type StepPrice, stepError } from './prepare_step.ts';
import { cacheKeyOf, findCachedStep } from './step_cache.ts';

interface Asking {
  readonly client: Client;
  readonly principal: Principal;
  readonly isDryRun: boolean;
}

const KEPT = 'Result of an earlier run with the same image: free.';

/**
 * Validates and prices every step before the hold. The result of an earlier step is not known yet and not priced.
 * @throws AtelierError of the first step that could not run, with its name
 */
export async function priceSteps(
  context: PipelineContext,
  tool: AnyTool,
  input: Record<string, unknown>,
  asking: Asking,
): Promise<StepPrice[]> {
  const sequences = await tool.steps!(input, context.services);
  const prices: StepPrice[] = [];
  for (const [at, course] of sequences.entries())
    prices.push(...(await priceSequence(context, { at, course, asking })));
  return prices;
}

async function priceSequence(
  context: PipelineContext,
  { at, course, asking }: { at: number; course: StepSequence; asking: Asking },
): Promise<StepPrice[]> {
  const outputs = new Map<string, Record<string, unknown>>();
  const prices: StepPrice[] = [];
  for (const step of course.steps) {
    try {
      const call = await admitStep(context, { ...asking, course, step, outputs });
      const { output, ...price } = await priceStep(context, call);
      if (output) outputs.set(step.save_as, output);
      prices.push({ course: at, step, ...price });
    } catch (error) {
      throw stepError(error, course, step);
    }
  }
  return prices;
}

async function priceStep(
  context: PipelineContext,
  call: StepCall,
): Promise<Pick<StepPrice, 'credits' | 'note'> & { output?: Record<string, unknown> }> {
  const { tool, input, open, client, principal } = call;
  const { wallet } = principal;
  if (open.length > 0) {
    if (tool.price.kind === 'by' && open.includes(tool.price.field)) throw unpriced(tool.price.field);
    const listed = priceOf(tool.listPrice ?? tool.price, input);
    return { credits: await reducePrice(context, tool, listed, { wallet }) };
  }
  return inRequestScope(context.requestScopes, { address: client.address, wallet }, async () => {
    const { expected } = call.controls;
    const options = { wallet, signal: client.signal, expected, fromOtherServers: false };
    const loaded = await loadImages(context.services.images, tool, input, options);
    const kept = await findCachedStep(context, await cacheKeyOf(context, tool, loaded, { wallet }));
    if (kept) return { credits: 0, note: KEPT, output: kept.output };
    const { price: credits, why } = await quotePrice(context, tool, input, { wallet });
    const waived = credits > 0 ? await findRepeat(context, tool, { loaded, wallet }) : undefined;
    if (waived !== undefined) return { credits: 0, note: waived };
    return { credits, ...(why !== undefined && { note: why }) };
  });
}

const unpriced = (field: string) =>
  invalidField(field, `${field} determines the price, so it must be a value or come from inputs.`);

interface Priced {
  readonly tool: AnyTool;
  readonly input: Record<string, unknown>;
  readonly client: Client;
  readonly principal: Principal;
  /** Dry run: price only. */
  readonly isDryRun: boolean;
  readonly x402?: X402Call | undefined;
}

/** The price of a call and, where it has steps, the plan of each. @throws AtelierError as the run would */
export async function priceCall(
  context: PipelineContext,
  { tool, input, x402, ...asking }: Priced,
): Promise<CallPrice & { readonly steps?: readonly StepPrice[] }> {
  const { wallet } = asking.principal;
  if (!tool.steps) return quotePrice(context, tool, input, { wallet, x402 });
  const steps = await priceSteps(context, tool, input, asking);
  const price = steps.reduce((sum, { credits }) => sum + credits, 0);
  return { listed: price, price, steps };
}
