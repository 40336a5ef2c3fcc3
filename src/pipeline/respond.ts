import type { CatalogueIndex } from '../catalogue/contract.ts';
import { nextSteps } from '../catalogue/next_steps.ts';
import { costOf } from '../tools/price.ts';
import type { AnyTool, Charge } from '../tools/tool.ts';
import { LongText } from './request_json.ts';

interface Finished {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  /** Who called, where that is known. */
  readonly wallet?: string | undefined;
  readonly warnings: readonly string[];
  readonly cost: {
    /** In credits, as charged. */
    readonly price: number;
    /** What the run found it to cost, and why. */
    readonly found?: Charge | undefined;
  };
  /** What a paid call paid. */
  readonly receipt?: Record<string, unknown> | undefined;
}

/** By method; credits speak for themselves. */
const PAID_WITHOUT_CREDITS: Record<string, string> = {
  card: 'Paid by card: no credits were taken.',
  x402: 'Paid by x402: no credits were taken.',
};

/** The flat answer: the tool's own fields, then cost, payment, next_steps, warnings. */
export function envelope(
  catalogue: CatalogueIndex,
  tool: AnyTool,
  finished: Finished,
): Record<string, unknown> {
  const { input, output, wallet, cost } = finished;
  const note = noteOf(finished);
  return {
    ...output,
    cost: { ...costOf(cost.price), ...(note && { note }) },
    ...(finished.receipt && { payment: finished.receipt }),
    next_steps: nextSteps(catalogue, tool.next?.(output, input, { wallet }) ?? []),
    ...(finished.warnings.length > 0 && { warnings: finished.warnings }),
  };
}

function noteOf({ cost: { price, found }, receipt }: Finished): string {
  const changed = found && found.credits > price && 'What it found changed before it ran, so less was taken.';
  return [found?.why, changed, PAID_WITHOUT_CREDITS[String(receipt?.method)]].filter(Boolean).join(' ');
}

/** The longest input repeated in a next step. */
const NEXT_STEP_CHARACTERS_MAX = 2000;

/** The input for a next step that repeats a call; undefined where it is too long to be sent back, as a picture is in base64. */
export function sendable(input: Record<string, unknown>): Record<string, unknown> | undefined {
  if (Object.values(input).some((value) => value instanceof LongText)) return undefined;
  return JSON.stringify(input).length <= NEXT_STEP_CHARACTERS_MAX ? input : undefined;
}
