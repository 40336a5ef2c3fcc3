import { unknownTool } from '../catalogue/unknown_tool.ts';
import type { Answers } from '../services/answers/contract.ts';
import type { Audit } from '../services/audit/contract.ts';
import type { Services } from '../services/contract.ts';
import type { Disk } from '../services/disk/contract.ts';
import type { Limiter } from '../services/limiter/contract.ts';
import type { Visits } from '../services/visits/contract.ts';
import type { X402 } from '../services/x402/contract.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import { acceptJob, asAccepted } from './accept_job.ts';
import { requireHandles, requireReach, requireToolAllowed } from './access.ts';
import { audited } from './audited.ts';
import { withinBudget } from './budget.ts';
import type { Answer, Caller } from './caller.ts';
import { chargeOf } from './charge_of.ts';
import { chargedOnce, repeatGone, type Turns } from './charged_once.ts';
import { isDryRun, withoutDryRun } from './dry_run.ts';
import type { Durations } from './durations.ts';
import { envelope } from './envelope.ts';
import { refuseForeignPage } from './foreign_page.ts';
import { identify, nameVisitor, type Principal } from './identify.ts';
import { loadImages } from './load_images.ts';
import { orRelease } from './or_release.ts';
import { parseInput } from './parse_input.ts';
import { freeCall, holdPayment, type Payment, type Purse, requirePayment } from './payment.ts';
import { quote } from './quote.ts';
import { toolRateLimited } from './rate_limit.ts';
import { type KeepAnswer, replayed } from './replay.ts';
import { type Remarks, runTool } from './run_tool.ts';
import { type ComposedAnswer, signAnswer } from './sign_answer.ts';
import { timed } from './timed.ts';
import { asPayer, oncePerPayment, readX402 } from './x402_payment.ts';

/** What surrounds every call, beside the services tools may ask for. */
export interface CallKit {
  readonly services: Services;
  readonly limiter: Limiter;
  readonly answers: Answers;
  readonly audit: Audit;
  readonly visits: Visits;
  readonly disk: Disk;
  readonly durations: Durations;
  readonly turns: Turns;
  /** Absent where payments by x402 are off. */
  readonly x402?: X402;
  /** Calls per limit name, from the settings; they replace what a tool or operation names itself. */
  readonly rates: Readonly<Record<string, number | undefined>> & {
    readonly 'free-tools': number;
    readonly 'paid-tools': number;
    readonly mcp: number;
  };
  /** How many times the limit of one caller all callers of one address may use together. */
  readonly addressFactor: number;
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
  return audited(kit.audit, { about: tool.name, caller, raw }, async () => {
    refuseForeignPage(caller);
    return answered(kit, tool, raw, caller);
  });
}

async function answered(kit: CallKit, tool: AnyTool, raw: unknown, caller: Caller): Promise<Answer> {
  const x402 = readX402(kit, tool, raw, caller);
  const mustPay = highestPrice(tool.price) > 0 && x402 === undefined;
  const principal = await asPayer(kit, await identify(kit, caller, { mustPay }), x402);
  const { wallet } = principal;
  nameVisitor(kit, wallet);
  const purse = { caller, wallet, x402 };
  await requireToolAllowed(kit, tool, { principal, caller, isDryRun: isDryRun(raw) });
  await requirePayment(kit, tool, raw, purse);
  const { input, warnings } = parseInput(tool.input, withoutDryRun(raw));
  await requireReach(kit, tool.reaches, { principal, wallet: input.wallet, about: tool.name });
  await requireHandles(kit, input, { principal, about: tool.name });
  const call: Call = { input, warnings, principal, purse };
  const route = `POST /api/tools/${tool.name}`;

  const isJob = caller.respondAsync === true && !isDryRun(raw);
  const answer = await toolRateLimited(kit, tool, { caller, principal }, async () => {
    if (isDryRun(raw)) return { body: await quote(kit, tool, { ...call, raw, caller }), headers: {} };
    return oncePerPayment(kit, tool, { raw, purse }, (payer) =>
      replayed(kit.answers, { route, raw, caller: payer, principal }, (keep) =>
        isJob ? acceptJob(kit, tool, { ...call, raw, caller }, keep) : heldRun(kit, tool, call, keep),
      ),
    );
  });
  return (answer.status ?? (isJob ? 202 : 200)) === 202 ? asAccepted(answer) : answer;
}

interface Call {
  readonly input: Record<string, unknown>;
  readonly warnings: string[];
  readonly principal: Principal;
  readonly purse: Purse;
}

/** Holds the price, if there is one, runs the tool and settles; whatever fails gives the price back. */
async function heldRun(
  kit: CallKit,
  tool: AnyTool,
  { input, warnings, principal, purse }: Call,
  keep: KeepAnswer,
): Promise<ComposedAnswer> {
  const { wallet, proof } = principal;
  const { caller } = purse;
  const deadline = AbortSignal.timeout(kit.deadlineMs);
  const signal = AbortSignal.any([caller.signal, deadline]);
  const loaded = await loadImages(kit.services.images, tool, input, { wallet, signal });
  const paying = withinBudget(kit, tool, { principal, input, warnings });
  const costs = await chargeOf(kit, tool, input);
  const { price } = costs;
  const asked = { loaded, wallet, signal, callerSignal: caller.signal };
  return chargedOnce(kit, tool, asked, async (repeats) => {
    const payment = repeats === undefined ? await holdPayment(paying, tool, costs, purse) : freeCall(kit);
    const { hold } = payment;
    return orRelease(payment, async () => {
      const remarks: Remarks = { warnings };
      const output = await timed(kit, tool, { input, loaded, deadline }, () =>
        runTool(kit.services, tool, loaded, {
          ...{ caller, wallet, proof, hold, signal, deadline, remarks },
          ...deadlinesOf(kit),
        }),
      );
      return settled(kit, tool, { input, output, wallet, remarks, price, payment }, keep);
    });
  });
}

type Outcome = {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  wallet: string | undefined;
  remarks: Remarks;
  /** In credits; what is held. */
  price: number;
  payment: Payment;
};

/**
 * The answer is composed, signed and, under an Idempotency-Key, on the disk before the money moves. Where the tool has
 * found it to cost less than what is held, that is given back and the answer is kept as that of a free call.
 */
export async function settled(
  kit: CallKit,
  tool: AnyTool,
  outcome: Outcome,
  keep: KeepAnswer,
): Promise<ComposedAnswer> {
  const { catalogue, receipts } = kit.services;
  const { payment, remarks, input, output, wallet, price } = outcome;
  const isWaived = isFree(remarks, price);
  if (!isWaived && payment.receipt === undefined && price > 0) throw repeatGone();
  const paid = isWaived ? undefined : payment.receipt;
  const { warnings, found } = remarks;
  const cost = { price: isWaived ? 0 : price, found };
  const body = envelope(catalogue, tool, { input, output, wallet, warnings, cost, receipt: paid });
  const answer = signAnswer(receipts, tool, body, paid);
  const kept = await keep(answer);
  if (isWaived) await payment.release();
  await (isWaived ? freeCall(kit) : payment).settle(kept, answer.receipt);
  return answer;
}

/** What is held is of the moment before the run; where the run found less, the caller is not to pay for the difference in time. */
export const isFree = ({ found }: Remarks, price: number): boolean =>
  found !== undefined && found.credits < price;

/** Of a call somebody waits for. */
export const deadlinesOf = ({ deadlineMs, jobDeadlineMs }: CallKit) => ({ deadlineMs, jobDeadlineMs });

export function findTool({ services: { catalogue } }: CallKit, name: string): AnyTool {
  const tool = catalogue.find(name);
  if (!tool) throw unknownTool(catalogue, name);
  return tool;
}
