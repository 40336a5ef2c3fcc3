import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { highestPrice } from '../../../features/definitions/price.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import type { Visit } from '../types.ts';

/** Estimate of a run before it starts. */
export interface Expected {
  /** Whole credits; undefined if fields that determine the price are still empty. */
  readonly credits: number | undefined;
  /** Queued jobs. */
  readonly ahead: number;
  readonly seconds: number | undefined;
  /** Sentences: reasons for a lower price, an expected rejection or a degraded result. */
  readonly remarks: readonly string[];
}

/** The visit and the image size if known: runs of similar size predict the duration. */
type Asking = Visit & { readonly megapixels: number | undefined };

/**
 * Price and duration of a call: for a paid tool by a dry run, which counts as a call; for a free tool from earlier runs.
 * Invalid input is not an error: the form is still being filled in.
 */
export async function expectRun(
  tool: AnyTool,
  params: Record<string, unknown>,
  visit: Asking,
): Promise<Expected> {
  const { context } = visit.studio;
  const roughly = await expectRoughly(tool, params, visit);
  const isSold = highestPrice(tool.price) > 0 || tool.price.kind === 'steps';
  if (!isSold || !tool.input.safeParse(params).success) return roughly;
  try {
    const { body } = await callTool(context, tool.name, { ...params, dry_run: true }, visit.caller);
    return { ...roughly, ...quoted(body as unknown as DryRun, context.jobDeadlineMs) };
  } catch (error) {
    if (error instanceof AtelierError) return roughly;
    throw error;
  }
}

/** The same estimate without a dry run, for pages that refresh. */
export async function expectRoughly(
  tool: AnyTool,
  params: Record<string, unknown>,
  { studio: { context }, megapixels }: Asking,
): Promise<Expected> {
  const waiting = await context.services.jobs.waiting();
  const credits = listedPrice(tool, params);
  const like = { tool: tool.name, megapixels };
  const { typical_ms: typical } = context.durations.estimate({ ...like, credit: credits ?? 0 });
  return {
    credits,
    ahead: waiting.reduce((sum, { count }) => sum + count, 0),
    // Jobs that ran before this process started, or on another server.
    seconds: secondsOf(typical) ?? (await context.services.jobs.typicalSeconds(like)) ?? undefined,
    remarks: [],
  };
}

/** Response of a dry run. */
interface DryRun {
  readonly quote: {
    readonly credit: number;
    readonly note?: string;
    readonly degraded_reason?: string;
    readonly estimated_seconds?: number;
  };
  readonly checks: readonly { readonly check: string; readonly state: string; readonly detail: string }[];
  readonly estimate: { readonly typical_ms?: number | null };
}

function quoted({ quote, checks, estimate }: DryRun, deadlineMs: number): Omit<Expected, 'ahead'> {
  const { estimated_seconds: seconds = 0 } = quote;
  // The page reports payer problems itself, with a next step. It runs jobs, which have a longer time limit.
  const isSaid = (check: string) =>
    check !== 'payer' && check !== 'funds' && !(check === 'time' && seconds * 1000 <= deadlineMs);
  const failed = checks.filter(({ check, state }) => state === 'failed' && isSaid(check));
  return {
    credits: quote.credit,
    seconds: quote.estimated_seconds ?? secondsOf(estimate.typical_ms),
    remarks: [quote.note, quote.degraded_reason, ...failed.map(({ detail }) => detail)].flatMap(
      (remark) => remark ?? [],
    ),
  };
}

const secondsOf = (ms: number | null | undefined): number | undefined =>
  ms === null || ms === undefined ? undefined : ms / 1000;

/** List price in whole credits for the value of the field it depends on; undefined if steps determine it. */
export function listedPrice({ price, input }: AnyTool, params: Record<string, unknown>): number | undefined {
  if (price.kind === 'free') return 0;
  if (price.kind === 'flat') return price.credits;
  if (price.kind === 'steps') return undefined;
  const value = params[price.field] ?? input.shape[price.field].safeParse(undefined).data;
  return price.credits[String(value)];
}
