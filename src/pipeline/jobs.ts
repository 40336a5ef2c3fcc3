import { AtelierError } from '../errors/atelier_error.ts';
import { MILLICREDITS_PER_CREDIT } from '../limits.ts';
import { jobAnswer, jobPath } from '../operations/jobs/job_answer.ts';
import type { SourceImage } from '../services/images/contract.ts';
import type { NewJob, JobWork } from '../services/jobs/contract.ts';
import { JOB_HOLD_LIFETIME_MS } from '../services/jobs/limits.ts';
import { imageFieldsOf } from '../tools/fields.ts';
import { handleIn } from '../tools/handle_in.ts';
import type { AnyTool, Outlook } from '../tools/tool.ts';
import type { KeepAnswer } from './idempotency.ts';
import { withinBudget, holdCredits, heldCredits } from './billing/credits.ts';
import { repeatOf } from './billing/repeats.ts';
import { broughtSourceOf, freeCall, releaseOnFailure, requireCredits, type ComposedAnswer, dueOf, settle } from './billing/payment.ts';
import { type Answer, type CallKit, type Payment, type Caller, type Principal, deadlinesOf } from './types.ts';
import { loadPictures, recordDuration, type Remarks, runTool, whenThereIsRoom } from './execute.ts';
import { countingKeyOf } from './rate_limit.ts';
import { priceCall } from './steps/price_steps.ts';
import { type ToolCall, findTool } from './receive.ts';
import type { SignedReceipt } from '../services/receipts/contract.ts';
import { requireReach, requireCpu } from './admission.ts';
import { auditRefusals, observeCall } from './observe.ts';
import { chargeOf } from './billing/price.ts';
import { walletLocked } from './errors.ts';
import { parseInput } from './validate_input.ts';
import { runSteps } from './steps/run_steps.ts';
import { isCpuRefusal } from '../services/cpu_budget/cpu_refusal.ts';
import { CPU_JOB_RETRY_SECONDS_MAX } from '../services/cpu_budget/limits.ts';

/** Retry-After of an accepted job. */
const JOB_RETRY_SECONDS = 2;

/**
 * The first half of a call whose caller does not wait: pictures are loaded, the price is held, everything is written down.
 * `runJob` is the second half. @throws AtelierError as a call that waits would, before anything runs; busy, too_many_jobs
 */
export async function acceptJob(kit: CallKit, call: ToolCall, keep: KeepAnswer): Promise<ComposedAnswer> {
  const { tool, raw, input, warnings, principal, caller } = call;
  const { jobs, images } = kit.services;
  const { wallet } = principal;
  const { price } = await priceCall(kit, call);
  if (price > 0 && broughtSourceOf(kit, caller)) throw onlyCredits();
  requireCredits(kit, call, price);
  const counted = await countingKeyOf(kit, caller.address, principal);
  await jobs.requireRoom({ countedAs: counted, address: caller.address });
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(kit.deadlineMs)]);
  const { expected } = call.controls;
  const loaded = await loadPictures(images, tool, input, { wallet, signal, expected });
  const id = jobs.newId();
  const terms = { id, lifetimeMs: JOB_HOLD_LIFETIME_MS };
  const isRepeat = (await repeatOf(kit, tool, { loaded, wallet })) !== undefined;
  const payment =
    price > 0 && wallet !== undefined && !isRepeat
      ? await holdCredits(withinBudget(kit, call), tool, { price, wallet }, terms)
      : freeCall(kit);
  return releaseOnFailure(payment, async () => {
    const job: NewJob = {
      id,
      tool: tool.name,
      caller: {
        countedAs: counted,
        ...principal,
        address: caller.address,
        requestId: caller.requestId,
        trace: kit.telemetry.traceContext(),
      },
      ...withoutPictures(tool, raw, loaded),
      warnings,
      ...(payment.receipt && { held: price * MILLICREDITS_PER_CREDIT }),
    };
    const body = jobAnswer(kit.services, await jobs.preview(job));
    await jobs.accept(job, await keep({ body }));
    return { body };
  });
}

/** 202, and where to look. */
export function asAccepted(answer: Answer): Answer {
  return {
    ...answer,
    status: 202,
    headers: {
      ...answer.headers,
      Location: jobPath(String(answer.body.job_id)),
      'Preference-Applied': 'respond-async',
      'Retry-After': String(JOB_RETRY_SECONDS),
      'Cache-Control': 'no-store',
    },
  };
}

/** What stands in an image field while its picture lies elsewhere. */
const ELSEWHERE = 'kept';

/** The input as it was sent, in known fields only, and the pictures apart from it: of those only handles are kept in it. */
function withoutPictures(
  { input: { shape } }: AnyTool,
  raw: unknown,
  loaded: Record<string, unknown>,
): Pick<NewJob, 'input' | 'pictures'> {
  const sent = raw as Record<string, unknown>;
  const fields = imageFieldsOf(shape).filter((name) => loaded[name] !== undefined);
  const known = Object.keys(shape).filter((name) => Object.hasOwn(sent, name));
  return {
    input: Object.fromEntries(
      known.map((name) => [name, fields.includes(name) ? (handleIn(sent[name]) ?? ELSEWHERE) : sent[name]]),
    ),
    pictures: Object.fromEntries(fields.map((name) => [name, loaded[name] as SourceImage])),
  };
}

const onlyCredits = (): AtelierError =>
  new AtelierError(
    'payment_required',
    'A job is paid with credits only, and nothing was taken: send Authorization: Bearer and no payment for a single call (X-Payment-Intent, x402, Authorization: Payment), or leave Prefer: respond-async out.',
  );

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
  if (work.answer !== undefined) return settleKept(payment, work);
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
async function settleKept(payment: Payment, { answer, held }: JobWork): Promise<void> {
  const receipt = receiptIn(answer!);
  if (payment.receipt && !receipt) return payment.release();
  // What is held by now is what the answer was found to cost, which may be less than was set aside.
  const part = held === undefined ? undefined : payment.part?.(held / MILLICREDITS_PER_CREDIT);
  await (part ?? payment).settle(undefined, receipt);
}

/** The receipt that an earlier run has signed into its answer. */
function receiptIn(answer: string): SignedReceipt | undefined {
  const { payment } = JSON.parse(answer) as { payment?: { receipt_id?: string; receipt?: string } };
  const { receipt_id: id, receipt: jws } = payment ?? {};
  return id !== undefined && jws !== undefined ? { id, jws } : undefined;
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

/** What is missing may be installed while the process runs; it is looked for no oftener. */
const LACKS_REMEMBERED_MS = 60_000;

/**
 * From now on this process takes jobs and runs them.
 * @param tools undefined for all
 */
export function workOnJobs(kit: CallKit, tools: readonly string[] | undefined): Promise<void> {
  let last = { until: Number.NEGATIVE_INFINITY, lacks: [] as string[] };
  return kit.services.jobs.work({
    run: (work) => runJob(kit, work),
    tools,
    async lacks() {
      const now = performance.now();
      if (now < last.until) return last.lacks;
      const found = await lackingTools(kit, tools);
      last = { until: now + LACKS_REMEMBERED_MS, lacks: found.map(({ tool }) => tool) };
      return last.lacks;
    },
    retriesAfterMs: (error) =>
      isCpuRefusal(error)
        ? 1000 * Math.min(error.details.retryAfterSeconds!, CPU_JOB_RETRY_SECONDS_MAX)
        : undefined,
    passesOn: (error) => error instanceof AtelierError && error.code === 'model_unavailable',
  });
}

export interface Lack {
  readonly tool: string;
  /** What is missing and how to get it. */
  readonly reason: string;
}

/**
 * Tools that would answer worse than meant here, because a network or model is missing, found out as a dry run does. One that does
 * some of its work as meant lacks nothing.
 * @param names undefined for all tools
 */
export async function lackingTools(kit: CallKit, names: readonly string[] | undefined): Promise<Lack[]> {
  const asked = kit.services.catalogue.tools.filter(({ name }) => names?.includes(name) ?? true);
  const found = await Promise.all(asked.map((tool) => lackOf(kit, tool)));
  return found.filter((lack) => lack !== undefined);
}

async function lackOf(kit: CallKit, tool: AnyTool): Promise<Lack | undefined> {
  if (!tool.outlook) return undefined;
  const reasons = await Promise.all(usualInputs(tool).map((input) => reasonAgainst(kit, tool, input)));
  const isWhole = reasons.length === 0 || reasons.some((reason) => reason === undefined);
  return isWhole ? undefined : { tool: tool.name, reason: reasons.find((reason) => reason !== undefined)! };
}

/** Its examples, and the first of them with nothing said that need not be. Their pictures stay text and are not looked at. */
function usualInputs({ input, examples }: AnyTool): Record<string, unknown>[] {
  const [first = {}] = examples as Record<string, unknown>[];
  const needed = Object.keys(first).filter((name) => !input.shape[name]?.safeParse(undefined).success);
  const shortest = Object.fromEntries(needed.map((name) => [name, first[name]]));
  return [shortest, ...(examples as Record<string, unknown>[])].flatMap((example) => {
    const { data } = input.safeParse(example);
    return data ? [data as Record<string, unknown>] : [];
  });
}

/** @returns undefined where it would answer as is meant */
export async function reasonAgainst(
  kit: CallKit,
  tool: AnyTool,
  input: Record<string, unknown>,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(kit.deadlineMs);
  const asked = { ...deadlinesOf(kit), address: '', callerKey: '', signal, isGeneral: true };
  try {
    const { degraded, degraded_reason: reason }: Outlook =
      (await tool.outlook?.(input, kit.services, asked)) ?? {};
    return degraded ? (reason ?? `${tool.name} would be degraded.`) : undefined;
  } catch (error) {
    if (error instanceof AtelierError && error.code === 'model_unavailable') return error.message;
    return undefined; // What else is wrong with the input is said by the run.
  }
}
