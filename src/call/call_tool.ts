import { AtelierError } from '../errors.ts';
import type { Answers } from '../services/answers/index.ts';
import type { Limiter } from '../services/limiter/index.ts';
import type { Services } from '../services/services.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import { acceptJob, asAccepted } from './accept_job.ts';
import { requireHandles, requireReach, requireToolAllowed } from './access.ts';
import { withinBudget } from './budget.ts';
import type { Answer, Caller } from './caller.ts';
import { isDryRun, withoutDryRun } from './dry_run.ts';
import { envelope } from './envelope.ts';
import { identify } from './identify.ts';
import { loadImages } from './load_images.ts';
import { parseInput } from './parse_input.ts';
import { holdCredits, type Payment, requirePayment } from './payment.ts';
import { quote } from './quote.ts';
import { toolRateLimited } from './rate_limit.ts';
import { replayed } from './replay.ts';
import { runTool } from './run_tool.ts';

/** What surrounds every call, beside the services tools may ask for. */
export interface CallKit {
  readonly services: Services;
  readonly limiter: Limiter;
  readonly answers: Answers;
  /** Calls per limit name, from the settings; they replace what a tool or operation names itself. */
  readonly rates: Readonly<Record<string, number | undefined>> & {
    readonly 'free-tools': number;
    readonly 'paid-tools': number;
    readonly mcp: number;
  };
  readonly deadlineMs: number;
  /** Of a job, which nobody's connection waits for. */
  readonly jobDeadlineMs: number;
}

/**
 * The one path of a call, whichever way it came in: who? → parse → payment → hold → run → settle → answer.
 * A failed call costs nothing. @throws AtelierError for everything a caller can be told
 */
export async function callTool(
  kit: CallKit,
  toolName: string,
  raw: unknown,
  caller: Caller,
): Promise<Answer> {
  const tool = findTool(kit, toolName);
  const principal = await identify(caller, kit.services.ownership, { mustPay: highestPrice(tool.price) > 0 });
  const { wallet, proof } = principal;
  await requireToolAllowed(kit, tool, { principal, caller, isDryRun: isDryRun(raw) });
  requirePayment(kit, tool, raw, caller, wallet);
  const { input, warnings } = parseInput(tool.input, withoutDryRun(raw));
  await requireReach(kit, tool.reaches, { principal, wallet: input.wallet, about: tool.name });
  await requireHandles(kit, input, { principal, about: tool.name });
  const route = `POST /api/tools/${tool.name}`;

  const isJob = caller.respondAsync === true && !isDryRun(raw);
  const answer = await toolRateLimited(kit, tool, caller, wallet, () =>
    replayed(kit.answers, { route, raw, caller, wallet }, async (keep) => {
      if (isDryRun(raw)) return quote(kit, tool, input, warnings, wallet);
      if (isJob) return acceptJob(kit, { tool, raw, input, warnings, principal, caller }, keep);
      const deadline = AbortSignal.any([caller.signal, AbortSignal.timeout(kit.deadlineMs)]);
      const loaded = await loadImages(kit.services.images, tool, input, { wallet, signal: deadline });
      const paying = withinBudget(kit, tool, { principal, input, warnings });
      const payment = await holdCredits(paying, tool, input, wallet);
      return payment.releaseOnFailure(async () => {
        const output = await runTool(kit.services, tool, loaded, {
          caller,
          wallet,
          proof,
          signal: deadline,
          warnings,
        });
        return settled(kit, tool, { input, output, warnings, payment }, keep);
      });
    }),
  );
  return (answer.status ?? (isJob ? 202 : 200)) === 202 ? asAccepted(answer) : answer;
}

type Outcome = {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  warnings: string[];
  payment: Payment;
};
type Keep = (body: Record<string, unknown>) => Promise<Parameters<Payment['settle']>[0]>;

/** The answer is composed and, under an Idempotency-Key, on the disk before the money moves. */
export async function settled(
  kit: CallKit,
  tool: AnyTool,
  outcome: Outcome,
  keep: Keep,
): Promise<Record<string, unknown>> {
  const body = envelope(kit.services.catalogue, tool, { ...outcome, receipt: outcome.payment.receipt });
  await outcome.payment.settle(await keep(body));
  return body;
}

export function findTool({ services: { catalogue } }: CallKit, name: string): AnyTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const similar = catalogue.similar(name);
  const hint =
    similar.length > 0
      ? ` Did you mean ${similar.slice(0, 3).join(' or ')}?`
      : ' Call search_tools to see all.';
  throw new AtelierError('unknown_tool', `There is no tool "${name.slice(0, 100)}".${hint}`, {
    members: { did_you_mean: similar.slice(0, 3) },
  });
}
