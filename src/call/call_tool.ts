import { acceptJob, asAccepted } from './accept_job.ts';
import { requireHandles, requireReach, requireToolAllowed } from './access.ts';
import { answerOncePerKey, type KeepAnswer } from './answer_once.ts';
import { auditRefusals } from './audit_refusals.ts';
import type { Answer, Caller } from './caller.ts';
import { readControls, withPayer } from './controls.ts';
import { refuseForeignPage } from './foreign_page.ts';
import { identify, nameVisitor } from './identify.ts';
import { type CallKit, deadlinesOf } from './kit.ts';
import { loadPictures } from './load_pictures.ts';
import { observeCall } from './observe_call.ts';
import { parseInput } from './parse_input.ts';
import { answerOncePerPayment } from './pay/answer_once_per_payment.ts';
import { withinBudget } from './pay/budget.ts';
import { chargeOnce } from './pay/charge_once.ts';
import { readMpp } from './pay/mpp.ts';
import { freeCall, holdPayment, releaseOnFailure, requirePayment } from './pay/payment.ts';
import { actForPayer, readX402 } from './pay/x402.ts';
import { quote } from './quote.ts';
import { limitTool } from './rate_limit.ts';
import { recordDuration } from './record_duration.ts';
import { refuseCallInMaintenance } from './refuse_in_maintenance.ts';
import { requireCpu } from './require_cpu.ts';
import { type Remarks, runTool } from './run_tool.ts';
import { settle } from './settle.ts';
import type { ComposedAnswer } from './sign_answer.ts';
import { priceCall } from './steps/price_call.ts';
import { runSteps } from './steps/run_steps.ts';
import { tellOutcome } from './tell_outcome.ts';
import { readCall, type SentCall, type ToolCall, withoutDryRun } from './tool_call.ts';

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
    loadPictures(kit.services.images, tool, input, {
      ...{ wallet, signal, expected },
      // Steps read the input again, as calls of their own.
      releasesText: !tool.steps,
    }),
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
