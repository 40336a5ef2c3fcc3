import { schemaWithout } from '../../tools/recipes/schema_without.ts';
import type { Course, Step } from '../../tools/tool.ts';
import { requireHandles, requireReach, requireToolAllowed } from '../access.ts';
import type { Caller, Principal } from '../caller.ts';
import { readControls } from '../controls.ts';
import type { CallKit } from '../kit.ts';
import { mendInput } from '../mend_input.ts';
import { parseInput } from '../parse_input.ts';
import { readCall, type ToolCall } from '../tool_call.ts';
import { fillStep, type Outputs } from './fill_step.ts';

interface Entering {
  readonly caller: Caller;
  readonly principal: Principal;
  readonly course: Course;
  readonly step: Step;
  readonly outputs: Outputs;
  /** It is priced only. */
  readonly isDryRun?: boolean;
}

/** A step as the call of its tool. */
export interface StepCall extends ToolCall {
  /** Fields that wait for an answer; none where the whole input is there. */
  readonly open: readonly string[];
}

/**
 * A step, admitted as a call of its tool by itself would be: may the caller, is the input right as far as it is known.
 * @throws AtelierError as that call would
 */
export async function enterStep(
  kit: CallKit,
  { caller, principal, course, step, outputs, isDryRun = false }: Entering,
): Promise<StepCall> {
  const { requestId, address, signal, onProgress } = caller;
  const own: Caller = { requestId, address, signal, ...(onProgress && { onProgress }) };
  const sent = readCall(kit, step.tool, undefined, own);
  const { tool } = sent;
  const { params, open, warnings: notes } = fillStep(tool, step, course, outputs);
  await requireToolAllowed(kit, { ...sent, mustPay: sent.mustPay && !isDryRun }, principal);
  const schema = open.length === 0 ? tool.input : schemaWithout(tool.input, open);
  // What a model wrote is read in a step as it is by itself.
  const { sent: read, warnings: mended } = caller.isModel
    ? mendInput(schema, params)
    : { sent: params, warnings: [] };
  const { controls, rest } = readControls(tool, read, {});
  const { input, warnings: noted } = parseInput(schema, rest);
  await requireReach(kit, tool.reaches, { principal, wallet: input.wallet, about: tool.name });
  await requireHandles(kit, input, { principal, about: tool.name });
  return {
    ...sent,
    raw: read,
    principal,
    x402: undefined,
    mpp: undefined,
    controls,
    input,
    warnings: [...notes, ...mended, ...noted],
    open,
  };
}
