import { AtelierError } from '../errors.ts';
import type { Answers } from '../services/answers/index.ts';
import type { Limiter } from '../services/limiter/index.ts';
import type { Services } from '../services/services.ts';
import type { X402 } from '../services/x402/index.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
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
import { asPayer, holdX402, oncePerPayment, readX402 } from './x402_payment.ts';

/** What surrounds every call, beside the services tools may ask for. */
export interface CallKit {
  readonly services: Services;
  readonly limiter: Limiter;
  readonly answers: Answers;
  /** Absent where payments by x402 are off. */
  readonly x402?: X402;
  /** Calls per limit name, from the settings; they replace what a tool or operation names itself. */
  readonly rates: Readonly<Record<string, number | undefined>> & {
    readonly 'free-tools': number;
    readonly 'paid-tools': number;
    readonly mcp: number;
  };
  readonly deadlineMs: number;
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
  const x402 = readX402(kit, tool, raw, caller);
  const mustPay = highestPrice(tool.price) > 0 && !x402;
  const principal = await asPayer(kit, await identify(caller, kit.services.ownership, { mustPay }), x402);
  const { wallet, proof } = principal;
  await requireToolAllowed(kit, tool, { principal, caller, isFree: isDryRun(raw) || x402 !== undefined });
  if (!x402) requirePayment(kit, tool, raw, caller, wallet);
  const { input, warnings } = parseInput(tool.input, withoutDryRun(raw));
  await requireReach(kit, tool.reaches, { principal, wallet: input.wallet, about: tool.name });
  await requireHandles(kit, input, { principal, about: tool.name });
  const route = `POST /api/tools/${tool.name}`;

  return toolRateLimited(kit, tool, caller, wallet, () =>
    oncePerPayment(kit, tool, { raw, caller, x402 }, (payer) =>
      replayed(kit.answers, { route, raw, caller: payer, wallet }, async (keep) => {
        if (isDryRun(raw)) return quote(kit, tool, input, warnings, wallet);
        const deadline = AbortSignal.any([caller.signal, AbortSignal.timeout(kit.deadlineMs)]);
        const loaded = await loadImages(kit.services.images, tool, input, { wallet, signal: deadline });
        const paying = withinBudget(kit, tool, { principal, input, warnings });
        const payment = x402
          ? await holdX402(kit, tool, input, x402)
          : await holdCredits(paying, tool, input, wallet);
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
    ),
  );
}

type Outcome = {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  warnings: string[];
  payment: Payment;
};
type Keep = (body: Record<string, unknown>) => Promise<Parameters<Payment['settle']>[0]>;

/** The answer is composed and, under an Idempotency-Key, on the disk before the money moves. */
async function settled(
  kit: CallKit,
  tool: AnyTool,
  outcome: Outcome,
  keep: Keep,
): Promise<Record<string, unknown>> {
  const body = envelope(kit.services.catalogue, tool, { ...outcome, receipt: outcome.payment.receipt });
  await outcome.payment.settle(await keep(body));
  return body;
}

function findTool({ services: { catalogue } }: CallKit, name: string): AnyTool {
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
