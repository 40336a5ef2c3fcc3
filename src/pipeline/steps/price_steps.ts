import { invalidField } from '../../errors/atelier_error.ts';
import { priceOf } from '../../tools/price.ts';
import type { AnyTool, Course } from '../../tools/tool.ts';
import { chargeOf, type CallPrice } from '../billing/price.ts';
import { repeatOf } from '../billing/repeats.ts';
import type { Caller, Principal, CallKit } from '../types.ts';
import { loadPictures } from '../execute.ts';
import { type StepPrice, enterStep, type StepCall, inOwnVisit, stepProblem } from './prepare_step.ts';
import { findAnswer, placeOf } from './step_cache.ts';

interface Asking {
  readonly caller: Caller;
  readonly principal: Principal;
  readonly isDryRun: boolean;
}

const KEPT = 'Made before from the same picture, and kept: it costs nothing again.';

/**
 * Looks at every step of a call before anything of it is held: all that is known of it is checked, and what it will cost. What an
 * earlier step has yet to make is priced without it.
 * @throws AtelierError of the first step that could not run, naming it
 */
export async function priceSteps(
  kit: CallKit,
  tool: AnyTool,
  input: Record<string, unknown>,
  asking: Asking,
): Promise<StepPrice[]> {
  const courses = await tool.steps!(input, kit.services);
  const prices: StepPrice[] = [];
  for (const [at, course] of courses.entries())
    prices.push(...(await priceCourse(kit, { at, course, asking })));
  return prices;
}

async function priceCourse(
  kit: CallKit,
  { at, course, asking }: { at: number; course: Course; asking: Asking },
): Promise<StepPrice[]> {
  const outputs = new Map<string, Record<string, unknown>>();
  const prices: StepPrice[] = [];
  for (const step of course.steps) {
    try {
      const call = await enterStep(kit, { ...asking, course, step, outputs });
      const { output, ...price } = await priceStep(kit, call);
      if (output) outputs.set(step.save_as, output);
      prices.push({ course: at, step, ...price });
    } catch (error) {
      throw stepProblem(error, course, step);
    }
  }
  return prices;
}

async function priceStep(
  kit: CallKit,
  call: StepCall,
): Promise<Pick<StepPrice, 'credits' | 'note'> & { output?: Record<string, unknown> }> {
  const { tool, input, open, caller, principal } = call;
  const { wallet } = principal;
  if (open.length > 0) {
    if (tool.price.kind === 'by' && open.includes(tool.price.field)) throw unpriced(tool.price.field);
    return { credits: priceOf(tool.price, input) };
  }
  return inOwnVisit(kit, { address: caller.address, wallet }, async () => {
    const { expected } = call.controls;
    const options = { wallet, signal: caller.signal, expected, fromOtherServers: false };
    const loaded = await loadPictures(kit.services.images, tool, input, options);
    const kept = await findAnswer(kit, await placeOf(kit, tool, loaded, { wallet }));
    if (kept) return { credits: 0, note: KEPT, output: kept.output };
    const { price: credits, why } = await chargeOf(kit, tool, input);
    const waived = credits > 0 ? await repeatOf(kit, tool, { loaded, wallet }) : undefined;
    if (waived !== undefined) return { credits: 0, note: waived };
    return { credits, ...(why !== undefined && { note: why }) };
  });
}

const unpriced = (field: string) =>
  invalidField(field, `${field} decides the price, so it has to stand there in full or come from inputs.`);

interface Priced {
  readonly tool: AnyTool;
  readonly input: Record<string, unknown>;
  readonly caller: Caller;
  readonly principal: Principal;
  /** It asks for the price only. */
  readonly isDryRun: boolean;
}

/** What a call costs and, where it is made of several, what each of them does. @throws AtelierError as the run would */
export async function priceCall(
  kit: CallKit,
  { tool, input, ...asking }: Priced,
): Promise<CallPrice & { readonly steps?: readonly StepPrice[] }> {
  if (!tool.steps) return chargeOf(kit, tool, input);
  const steps = await priceSteps(kit, tool, input, asking);
  const price = steps.reduce((sum, { credits }) => sum + credits, 0);
  return { listed: price, price, steps };
}
