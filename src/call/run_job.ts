import { AtelierError } from '../errors/atelier_error.ts';
import { MILLICREDITS_PER_CREDIT } from '../limits.ts';
import type { JobWork } from '../services/jobs/contract.ts';
import type { IssuedReceipt } from '../services/receipts/contract.ts';
import type { AnyTool } from '../tools/tool.ts';
import { requireReach } from './access.ts';
import { auditRefusals } from './audit_refusals.ts';
import type { Caller, Principal } from './caller.ts';
import type { CallKit } from './kit.ts';
import { reasonAgainst } from './lacking_tools.ts';
import { observeCall } from './observe_call.ts';
import { walletLocked } from './ownership_problems.ts';
import { parseInput } from './parse_input.ts';
import { chargeOf } from './pay/charge_of.ts';
import type { Payment } from './pay/contract.ts';
import { heldCredits } from './pay/credits.ts';
import { freeCall } from './pay/payment.ts';
import { recordDuration } from './record_duration.ts';
import { requireCpu } from './require_cpu.ts';
import { type Remarks, runTool } from './run_tool.ts';
import { dueOf, settle } from './settle.ts';
import { runSteps } from './steps/run_steps.ts';
import { findTool } from './tool_call.ts';
import { whenThereIsRoom } from './when_there_is_room.ts';

/** The second half of a call whose caller did not wait: run → check → compose → keep → settle. What it throws fails the job. */
export function runJob(kit: CallKit, work: JobWork): Promise<void> {
  const { requestId, address } = work.caller;
  const caller: Caller = { requestId, address, signal: work.signal, onProgress: work.onProgress };
  const { tool: about, input: raw } = work;
  const visit = kit.visits.begin(address);
  visit.wallet = work.caller.wallet;
  return visit
    .run(async () => {
      // A job waits in the queue, and no place for jobs is held, until its address has CPU time again. An answer that is kept only settles.
      if (work.answer === undefined) await requireCpu(kit, principalOf(work));
      await auditRefusals(kit.audit, { about, caller, raw }, () =>
        observeCall(kit, { tool: about, job: work.caller }, () => finishJob(kit, work, caller)),
      );
    })
    .finally(visit.close);
}

async function finishJob(kit: CallKit, work: JobWork, caller: Caller): Promise<void> {
  const tool = findTool(kit, work.tool);
  const payment = paymentOf(kit, tool, work);
  if (work.answer !== undefined) return settleKept(tool, payment, work);
  const { input } = parseInput(tool.input, work.input);
  await requireStillAllowed(kit, tool, work, input);
  const { wallet, proof } = work.caller;
  const deadlineMs = kit.jobDeadlineMs;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([work.signal, deadline]);
  const remarks: Remarks = { warnings: [...work.warnings] };
  const loaded = { ...input, ...work.pictures };
  if (work.mayPassOn) await refuseLesser(kit, tool, loaded);
  const principal = principalOf(work);
  const held = payment.receipt ? (work.held ?? 0) / MILLICREDITS_PER_CREDIT : 0;
  const steps = {
    ...{ caller, principal, hold: payment.hold, held, remarks },
    ...{ signal, deadline, endsAt: Date.now() + deadlineMs, isJob: true },
  };
  const output = await whenThereIsRoom({ signal, onProgress: work.onProgress }, () =>
    recordDuration(kit, tool, { input, loaded, deadline }, () =>
      runTool(kit.services, tool, loaded, {
        ...{ caller, wallet, proof, hold: payment.hold, remarks },
        // Who cancels pays nothing, and what was changed is undone with the hold: no run has to be awaited.
        ...{ signal, deadline: signal, deadlineMs },
        ...(tool.steps && { runSteps: () => runSteps(kit, tool, input, steps) }),
      }),
    ),
  );
  const price = payment.receipt || tool.steps ? held : (await chargeOf(kit, tool, input)).price;
  await settle(kit, tool, { input, output, wallet, remarks, price, payment }, async ({ body, text }) => {
    const due = dueOf(remarks, price);
    const terms = due < price ? { taken: due * MILLICREDITS_PER_CREDIT } : {};
    await work.keep(text ?? JSON.stringify(body), terms);
    return undefined;
  });
}

/** @throws AtelierError model_unavailable where this process would answer worse than is meant, and another may not */
async function refuseLesser(kit: CallKit, tool: AnyTool, input: Record<string, unknown>): Promise<void> {
  const reason = await reasonAgainst(kit, tool, input);
  if (reason !== undefined) throw new AtelierError('model_unavailable', reason);
}

/** What is left of a run that ended after its answer was kept. A paid answer without a receipt had its price waived. */
async function settleKept(tool: AnyTool, payment: Payment, { id, answer, held }: JobWork): Promise<void> {
  const receipt = receiptIn(answer!, { tool: tool.name, job_id: id });
  if (payment.receipt && !receipt) return payment.release();
  // What is held by now is what the answer was found to cost, which may be less than was set aside.
  const part = held === undefined ? undefined : payment.part?.(held / MILLICREDITS_PER_CREDIT);
  await (part ?? payment).settle(undefined, receipt);
}

/** The receipt that an earlier run has signed into its answer. */
function receiptIn(answer: string, job: { tool: string; job_id: string }): IssuedReceipt | undefined {
  const { payment, cost } = JSON.parse(answer) as {
    payment?: { receipt_id?: string; receipt?: string };
    cost?: { credit: number };
  };
  const { receipt_id: id, receipt: jws } = payment ?? {};
  if (id === undefined || jws === undefined || !cost) return undefined;
  return { id, jws, completed: { ...job, credits: cost.credit, receipt_id: id } };
}

/** What is held goes back when the job ends without success, and a job may be run more than once before that. */
function paymentOf(kit: CallKit, tool: AnyTool, { id, held, caller }: JobWork): Payment {
  if (held === undefined || caller.wallet === undefined) return freeCall(kit);
  return heldCredits(kit, { id, wallet: caller.wallet, amount: held, tool: tool.name });
}

/** Between the acceptance and the run an owner may have locked the wallet or revoked the key: that stops what was queued. */
async function requireStillAllowed(
  kit: CallKit,
  tool: AnyTool,
  work: JobWork,
  input: Record<string, unknown>,
): Promise<void> {
  const { ownership } = kit.services;
  const { wallet, proof } = work.caller;
  if (wallet !== undefined && !proof && (await ownership.lockedAt(wallet)))
    throw walletLocked(wallet, 'run what was queued before');
  if (wallet !== undefined && proof?.key) {
    const key = (await ownership.keys(wallet)).find(({ id }) => id === proof.key?.id);
    if (key?.revokedAt || (key?.expiresAt && key.expiresAt <= new Date()))
      throw new AtelierError('invalid_token', 'The key that made this job has expired or was revoked.');
  }
  await requireReach(kit, tool.reaches, {
    principal: principalOf(work),
    wallet: input.wallet,
    about: tool.name,
  });
}

const principalOf = ({ caller: { wallet, proof } }: JobWork): Principal => ({
  ...(wallet && { wallet }),
  ...(proof && { proof }),
});
