import { acceptJob, asAccepted } from './jobs.ts';
import { requireHandles, requireReach, requireToolAllowed, refuseForeignPage, refuseCallInMaintenance, requireCpu } from './admission.ts';
import { answerOncePerKey, type KeepAnswer } from './idempotency.ts';
import { auditRefusals, observeCall, tellOutcome } from './observe.ts';
import { answerOncePerPayment, chargeOnce } from './billing/repeats.ts';
import { withinBudget } from './billing/credits.ts';
import { readMpp } from './billing/card.ts';
import { freeCall, holdPayment, releaseOnFailure, requirePayment, settle, type ComposedAnswer } from './billing/payment.ts';
import { actForPayer, readX402 } from './billing/x402.ts';
import { type Answer, type Caller, type CallKit, deadlinesOf } from './types.ts';
import { readControls, withPayer, readCall, type SentCall, type ToolCall, withoutDryRun } from './receive.ts';
import { identify, nameVisitor } from './authenticate.ts';
import { loadPictures, recordDuration, type Remarks, runTool } from './execute.ts';
import { parseInput } from './validate_input.ts';
import { quote } from './dry_run.ts';
import { limitTool } from './rate_limit.ts';
import { priceCall } from './steps/price_steps.ts';
import { runSteps } from './steps/run_steps.ts';

/**
 * The one path of a call, whichever way it came in. Read from top to bottom, each line is a stage in a file of its name; what stands
 * inside another stage runs within it. A failed call costs nothing. @throws AtelierError for everything a caller can be told
 */
export async function callTool(
  kit: CallKit,
  toolName: string,
  raw: unknown,
  caller: Caller,
): Promise<Answer> {
  const sent = readCall(kit, toolName, raw, caller);
  const { name: tool } = sent.tool;
  const stage = stagesOf(kit);
  const work = async () => {
    const call = await stage('admit', () => admit(kit, sent));
    const answer = await limitTool(kit, call, () =>
      call.isDryRun ? quote(kit, call) : answerOnce(kit, call),
    );
    return (answer.status ?? (call.isJob ? 202 : 200)) === 202 ? asAccepted(answer) : answer;
  };
  return auditRefusals(kit.audit, { about: tool, caller, raw }, () => observeCall(kit, { tool }, work));
}

/** Whatever is asked before anything is counted, taken or run: who calls, may they, can they pay, is the input right. */
async function admit(kit: CallKit, asSent: SentCall): Promise<ToolCall> {
  const { tool, raw } = asSent;
  refuseForeignPage(asSent.caller);
  refuseCallInMaintenance(kit, asSent);
  const caller = withPayer(tool, raw, asSent.caller);
  const sent = { ...asSent, caller };
  const x402 = readX402(kit, sent);
  const mpp = readMpp(kit, sent);
  const identified = await identify(kit, caller, { mustPay: sent.isPriced && (x402 ?? mpp) === undefined });
  const principal = await actForPayer(kit, identified, x402);
  nameVisitor(kit, principal.wallet);
  await requireCpu(kit, principal);
  await requireToolAllowed(kit, sent, principal);
  await requirePayment(kit, sent, { caller, wallet: principal.wallet, x402 });
  const { controls, rest } = readControls(tool, withoutDryRun(raw), caller);
  const { input, warnings } = parseInput(tool.input, rest);
  await requireReach(kit, tool.reaches, { principal, wallet: input.wallet, about: tool.name });
  await requireHandles(kit, input, { principal, about: tool.name });
  return { ...sent, principal, x402, mpp, controls, input, warnings: [...sent.warnings, ...warnings] };
}

/** Whoever repeats a payment or an Idempotency-Key gets the answer it got before. */
function answerOnce(kit: CallKit, call: ToolCall): Promise<Answer> {
  const { tool, raw, principal } = call;
  const route = `POST /api/tools/${tool.name}`;
  return answerOncePerPayment(kit, call, (paying) => {
    // What holds a secret is told once and not kept.
    const caller = tool.answersSecret ? { ...paying, idempotencyKey: undefined } : paying;
    return answerOncePerKey(kit.answers, { route, raw, caller, principal }, (keep) =>
      call.isJob ? acceptJob(kit, call, keep) : tellOutcome(kit, call, () => runPaid(kit, call, keep)),
    );
  });
}

/** From the pictures to the settled answer: the price is held before the tool runs and given back where anything fails. */
async function runPaid(kit: CallKit, call: ToolCall, keep: KeepAnswer): Promise<ComposedAnswer> {
  const { tool, caller, input, warnings } = call;
  const { wallet, proof } = call.principal;
  const deadline = AbortSignal.timeout(kit.deadlineMs);
  const endsAt = Date.now() + kit.deadlineMs;
  const signal = AbortSignal.any([caller.signal, deadline]);
  const { expected } = call.controls;
  const stage = stagesOf(kit);
  const loaded = await stage('load pictures', () =>
    loadPictures(kit.services.images, tool, input, { wallet, signal, expected }),
  );
  const costs = await priceCall(kit, call);
  return chargeOnce(kit, call, { loaded, signal }, async (repeats) => {
    const payment =
      repeats === undefined
        ? await stage('hold payment', () => holdPayment(withinBudget(kit, call), call, costs))
        : freeCall(kit);
    return releaseOnFailure(payment, async () => {
      const remarks: Remarks = { warnings };
      const { hold } = payment;
      const held = hold === undefined ? 0 : costs.price;
      const { principal } = call;
      const steps = { caller, principal, hold, held, signal, deadline, endsAt, remarks, isJob: false };
      const output = await recordDuration(kit, tool, { input, loaded, deadline }, () =>
        runTool(kit.services, tool, loaded, {
          ...{ caller, wallet, proof, hold, signal, deadline, remarks },
          ...deadlinesOf(kit),
          ...(tool.steps && { runSteps: () => runSteps(kit, tool, input, steps) }),
        }),
      );
      return stage('settle', () =>
        settle(kit, tool, { input, output, wallet, remarks, price: costs.price, payment }, keep),
      );
    });
  });
}

/** Stages of a call as spans of its trace. */
const stagesOf =
  ({ telemetry }: CallKit) =>
  <T>(name: string, work: () => Promise<T>): Promise<T> =>
    telemetry.span(name, {}, work);
