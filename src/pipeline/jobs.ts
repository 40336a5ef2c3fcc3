import { MILLICREDITS_PER_CREDIT } from '../config/limits.ts';
import { isCpuRefusal } from '../core/cpu_budget/cpu_budget.ts';
import { CPU_JOB_RETRY_SECONDS_MAX } from '../core/cpu_budget/limits.ts';
import { AtelierError } from '../core/errors/atelier_error.ts';
import { JOB_HOLD_LIFETIME_MS } from '../core/queue/limits.ts';
import type { JobWork, NewJob } from '../core/queue/types.ts';
import type { IssuedReceipt } from '../features/billing/receipts/types.ts';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { handleIn, imagesIn, isSourceImage, withImages } from '../features/definitions/images_in.ts';
import { isFree } from '../features/definitions/price.ts';
import type { AnyTool, CallEstimate } from '../features/definitions/tool.ts';
import { jobAnswer, jobPath } from '../features/jobs/routes/job_answer.ts';
import { isOwnPayment, reachOf, requireCpu, requireWalletAccess } from './admission.ts';
import { heldCredits, holdCredits } from './billing/credits.ts';
import { amountDue, releaseOnFailure, requireCredits, settle } from './billing/payment.ts';
import { quotePrice } from './billing/price.ts';
import { findRepeat } from './billing/repeats.ts';
import { walletLocked } from './errors.ts';
import {
  loadImages,
  megapixelsIn,
  type RunNotes,
  recordDuration,
  retryWhileBusy,
  runTool,
} from './execute.ts';
import { auditRefusals, observeCall } from './observe.ts';
import { countingKeyOf } from './rate_limit.ts';
import { findTool, validateInput } from './receive.ts';
import { respondFree } from './respond.ts';
import { priceCall } from './steps/price_steps.ts';
import { runSteps } from './steps/run_steps.ts';
import {
  type CallResponse,
  type Client,
  type ComposedResponse,
  deadlinesOf,
  type Payment,
  type PipelineContext,
  type Principal,
  type StoreResponse,
  type ToolCall,
} from './types.ts';
import {
  beginAct,
  finishAct,
  type OpenAct,
  placedOf,
  placeResults,
  resumeAct,
  withAct,
} from './workspace.ts';

/** Retry-After of an accepted job. */
const JOB_RETRY_SECONDS = 2;

/**
 * Lifetime of an activity until its job is stored and sets a new one: if the process crashes in between, it
 * soon counts as interrupted.
 */
const ACCEPT_LIFETIME_MS = 5_000;

/** State of a call that becomes a job after it was received. */
interface BecomesJob {
  /** The input with its images. */
  readonly loaded: Record<string, unknown>;
  /** Seconds it is expected to take. */
  readonly seconds?: number | undefined;
  /** The activity in a workspace, which has started. */
  readonly act: OpenAct | undefined;
}

/**
 * The first half of an asynchronous call: loads the images, holds the price and stores the job.
 * `runJob` is the second half. @throws AtelierError as a synchronous call would, before anything runs; busy,
 * too_many_jobs
 */
export async function acceptJob(
  context: PipelineContext,
  call: ToolCall,
  store: StoreResponse,
  known?: BecomesJob,
): Promise<ComposedResponse> {
  if (known) return acceptLoaded(context, call, store, known);
  const { images } = context.services;
  const { wallet } = call.principal;
  const signal = AbortSignal.any([call.client.signal, AbortSignal.timeout(context.deadlineMs)]);
  const { expected } = call.controls;
  if (!call.isFree) await priceJob(context, call);
  await requireJobRoom(context, call);
  const loaded = await loadImages(images, call.tool, call.input, { wallet, signal, expected });
  const act = call.workspace
    ? await beginAct(context, call, { by: call.workspace, loaded, lifetimeMs: ACCEPT_LIFETIME_MS })
    : undefined;
  return withAct(context, act, () => acceptLoaded(context, call, store, { loaded, act }));
}

/** @returns the key that the job counts against. @throws AtelierError busy, too_many_jobs */
async function requireJobRoom(context: PipelineContext, { client, principal }: ToolCall): Promise<string> {
  const counted = await countingKeyOf(context, client.address, principal);
  await context.services.jobs.requireRoom({ countedAs: counted, address: client.address });
  return counted;
}

async function acceptLoaded(
  context: PipelineContext,
  call: ToolCall,
  store: StoreResponse,
  { loaded, seconds, act }: BecomesJob,
): Promise<ComposedResponse> {
  const { tool, rest, input, warnings, principal, client } = call;
  const { jobs, workspaces } = context.services;
  const price = call.isFree ? 0 : await priceJob(context, call);
  const counted = await requireJobRoom(context, call);
  const id = jobs.newId();
  const payment = price === 0 ? undefined : await holdForJob(context, call, { id, price, loaded });
  return releaseOnFailure(payment, async () => {
    const job: NewJob = {
      id,
      tool: tool.name,
      caller: {
        countedAs: counted,
        ...principal,
        address: client.address,
        requestId: client.requestId,
        trace: context.telemetry.traceContext(),
      },
      ...withoutImages(tool, { raw: rest, input, loaded }),
      warnings,
      megapixels: megapixelsIn(loaded),
      ...(payment && { held: price * MILLICREDITS_PER_CREDIT }),
    };
    const view = await jobs.preview(job);
    const secondsLeft = seconds === undefined ? view.secondsLeft : Math.ceil(seconds);
    const answer = jobAnswer(context.services, { ...view, secondsLeft });
    const body = { ...answer, ...(act && { workspace: placedOf(context, act) }) };
    if (act) await workspaces.becomeJob(act.at, id, JOB_HOLD_LIFETIME_MS);
    await jobs.accept({ ...job, expectedSeconds: secondsLeft ?? undefined }, await store({ body }));
    return { status: 202, body };
  });
}

/** @throws AtelierError payment_required where the payment is not in credits */
async function priceJob(context: PipelineContext, call: ToolCall): Promise<number> {
  const { price } = await priceCall(context, call);
  if (price > 0 && isOwnPayment(call.method)) throw onlyCredits();
  requireCredits(context, call, price);
  return price;
}

/**
 * The hold of a job has the id of the job and outlives the connection. Undefined if the wallet has paid for
 * the same call before.
 */
async function holdForJob(
  context: PipelineContext,
  call: ToolCall,
  { id, price, loaded }: { id: string; price: number; loaded: Record<string, unknown> },
): Promise<Payment | undefined> {
  const { wallet } = call.principal;
  const isRepeat = (await findRepeat(context, call.tool, { loaded, wallet })) !== undefined;
  if (wallet === undefined || isRepeat) return undefined;
  return holdCredits(context, call, { price, wallet }, { id, lifetimeMs: JOB_HOLD_LIFETIME_MS });
}

/** 202, with the location of the job. */
export function asAccepted(answer: CallResponse): CallResponse {
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

/** Placeholder for an image that is stored beside the input. */
const ELSEWHERE = 'kept';

interface LoadedInput {
  readonly raw: unknown;
  readonly input: Record<string, unknown>;
  readonly loaded: Record<string, unknown>;
}

/** The known fields of the input as sent, and the images separately: the input holds only their handles. */
function withoutImages(
  { input: { shape } }: AnyTool,
  { raw, input, loaded }: LoadedInput,
): Pick<NewJob, 'input' | 'pictures'> {
  const sent = raw as Record<string, unknown>;
  const fields = imageFieldsOf(shape).filter((name) => loaded[name] !== undefined);
  const texts = new Set(imagesIn([], input).map(({ image }) => image));
  const known = Object.keys(shape).filter((name) => Object.hasOwn(sent, name));
  const images = imagesIn(fields, loaded).flatMap(({ name, image }) =>
    isSourceImage(image) ? [[name, image] as const] : [],
  );
  return {
    input: Object.fromEntries(
      known.map((name) => [
        name,
        fields.includes(name) ? (handleIn(sent[name]) ?? ELSEWHERE) : withoutTexts(sent[name], texts),
      ]),
    ),
    pictures: Object.fromEntries(images),
  };
}

/** A copy in which each of the texts that is not a handle is replaced by a placeholder. */
function withoutTexts(value: unknown, texts: ReadonlySet<unknown>): unknown {
  if (texts.size === 0) return value;
  if (typeof value === 'string') return texts.has(value) ? (handleIn(value) ?? ELSEWHERE) : value;
  if (Array.isArray(value)) return value.map((member) => withoutTexts(member, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutTexts(member, texts)]),
  );
}

const onlyCredits = (): AtelierError =>
  new AtelierError(
    'payment_required',
    'Jobs accept credits only. You were not charged. Send Authorization: Bearer, or payer, with a wallet that has credits, without a payment for a single call (X-Payment-Intent, x402, Authorization: Payment). Or omit async and Prefer: respond-async.',
  );

/** The second half: run → check → compose → store → settle. An error it throws fails the job. */
export function runJob(context: PipelineContext, work: JobWork): Promise<void> {
  const { requestId, address } = work.caller;
  const client: Client = { requestId, address, signal: work.signal, onProgress: work.onProgress };
  const { tool: about, input: raw } = work;
  const scope = context.requestScopes.begin(address);
  scope.wallet = work.caller.wallet;
  return scope
    .run(async () => {
      // Without CPU budget of its address a job is requeued. A job with a stored response only settles.
      if (work.answer === undefined) await requireCpu(context, principalOf(work));
      await auditRefusals(context.audit, { about, client, raw }, () =>
        observeCall(context, { tool: about, job: work.caller }, () => finishJob(context, work, client)),
      );
    })
    .finally(scope.close);
}

async function finishJob(context: PipelineContext, work: JobWork, client: Client): Promise<void> {
  const tool = findTool(context, work.tool);
  const payment = paymentOf(context, tool, work);
  if (work.answer !== undefined) return settleStored(tool, payment, work);
  const { input } = validateInput(tool.input, work.input);
  await requireStillAllowed(context, tool, work, input);
  const { wallet, proof } = work.caller;
  const deadlineMs = context.jobDeadlineMs;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([work.signal, deadline]);
  const notes: RunNotes = { warnings: [...work.warnings] };
  const loaded = withImages(input, new Map(Object.entries(work.pictures)));
  const at = await context.services.workspaces.actOfJob(work.id);
  const act = at && resumeAct(at);
  if (work.mayRequeue) await refuseDegraded(context, tool, loaded);
  const principal = principalOf(work);
  const held = payment ? (work.held ?? 0) / MILLICREDITS_PER_CREDIT : work.isWaived ? UNLIMITED : 0;
  const steps = {
    client,
    principal,
    hold: payment?.hold,
    held,
    notes,
    signal,
    deadline,
    endsAt: Date.now() + deadlineMs,
    act,
    isJob: true,
  };
  const output = await retryWhileBusy({ signal, onProgress: work.onProgress }, () =>
    recordDuration(context, tool, { input, loaded, deadline }, () =>
      runTool(context.services, tool, loaded, {
        client,
        wallet,
        proof,
        hold: payment?.hold,
        notes,
        // A canceled job is free, and its changes are undone with the hold: the run need not be awaited.
        signal,
        deadline: signal,
        deadlineMs,
        ...(tool.steps && { runSteps: () => runSteps(context, tool, input, steps) }),
      }),
    ),
  );
  if (work.isWaived) waive(notes);
  const workspace = await placeResults(context, act, output, notes);
  const finished = { input, output, wallet, notes, workspace };
  const { body } = await settleFinished(context, { tool, work, payment, held, finished });
  if (act) await finishAct(context, act, body);
}

/** Steps of a free job may cost any amount, which is then waived. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/** A job that an operator has retried is free, whatever its price. */
function waive(notes: RunNotes): void {
  const why = 'The job failed on the server before, and the operator retried it.';
  notes.found = { credits: 0, why };
  if (notes.sum) notes.sum = notes.found;
}

interface FinishedJob {
  readonly tool: AnyTool;
  readonly work: JobWork;
  readonly payment: Payment | undefined;
  /** Credits. */
  readonly held: number;
  readonly finished: Omit<Parameters<typeof settle>[2], 'price' | 'payment'>;
}

/** Composes and stores the response, and charges the hold. */
async function settleFinished(
  context: PipelineContext,
  { tool, work, payment, held, finished }: FinishedJob,
): Promise<ComposedResponse> {
  if (isFree(tool.price)) return respondFree(context, tool, finished, storeIn(work));
  const quoted =
    tool.steps || work.isWaived || (payment && !finished.notes.found)
      ? undefined
      : await quotePrice(context, tool, finished.input, {
          wallet: finished.wallet,
          quotedMs: JOB_HOLD_LIFETIME_MS,
        });
  const price = work.isWaived ? 0 : payment || !quoted ? held : quoted.price;
  const priced = { price, full: Math.max(price, quoted?.full ?? 0) };
  const terms = () => {
    const due = amountDue(finished.notes, priced);
    return due < price ? { taken: due * MILLICREDITS_PER_CREDIT } : {};
  };
  return settle(context, tool, { ...finished, ...priced, payment }, storeIn(work, terms));
}

/** Stores the response with the job, and the amount to charge. */
const storeIn =
  (work: JobWork, terms: () => { taken?: number } = () => ({})): StoreResponse =>
  async ({ body, text }) => {
    await work.keep(text ?? JSON.stringify(body), terms());
    return undefined;
  };

/** @throws AtelierError model_unavailable where the response of this process would be degraded, and that of another may not be */
async function refuseDegraded(
  context: PipelineContext,
  tool: AnyTool,
  input: Record<string, unknown>,
): Promise<void> {
  const reason = await degradationReason(context, tool, input);
  if (reason !== undefined) throw new AtelierError('model_unavailable', reason);
}

/** Settles a run that ended after its response was stored. A paid response without a receipt had its price waived. */
async function settleStored(
  tool: AnyTool,
  payment: Payment | undefined,
  { id, answer, held }: JobWork,
): Promise<void> {
  if (!payment) return;
  const receipt = receiptIn(answer!, { tool: tool.name, job_id: id });
  if (!receipt) return payment.release();
  // The current hold equals the actual price, which may be less than the initial hold.
  const part = held === undefined ? undefined : payment.part?.(held / MILLICREDITS_PER_CREDIT);
  await (part ?? payment).settle(undefined, receipt);
}

/** The receipt that an earlier run has signed. */
function receiptIn(answer: string, job: { tool: string; job_id: string }): IssuedReceipt | undefined {
  const { payment, cost } = JSON.parse(answer) as {
    payment?: { receipt_id?: string; receipt?: string };
    cost?: { credit: number };
  };
  const { receipt_id: id, receipt: jws } = payment ?? {};
  if (id === undefined || jws === undefined || !cost) return undefined;
  return { id, jws, completed: { ...job, credits: cost.credit, receipt_id: id } };
}

/** The hold is released when the job ends without success; before that, the job may run several times. */
function paymentOf(
  context: PipelineContext,
  tool: AnyTool,
  { id, held, caller }: JobWork,
): Payment | undefined {
  if (held === undefined || caller.wallet === undefined) return undefined;
  return heldCredits(context, { id, wallet: caller.wallet, amount: held, tool: tool.name });
}

/** Since the acceptance, the owner may have locked the wallet or revoked the key: that stops queued jobs. */
async function requireStillAllowed(
  context: PipelineContext,
  tool: AnyTool,
  work: JobWork,
  input: Record<string, unknown>,
): Promise<void> {
  const { ownership } = context.services;
  const { wallet, proof } = work.caller;
  if (wallet !== undefined && !proof && (await ownership.lockedAt(wallet)))
    throw walletLocked(wallet, 'run queued jobs');
  if (wallet !== undefined && proof?.key) {
    const key = (await ownership.keys(wallet)).find(({ id }) => id === proof.key?.id);
    if (key?.revokedAt || (key?.expiresAt && key.expiresAt <= new Date()))
      throw new AtelierError('invalid_token', 'The key that created this job has expired or was revoked.');
  }
  await requireWalletAccess(context, reachOf(tool, input), {
    principal: principalOf(work),
    wallet: input.wallet,
    about: tool.name,
  });
}

const principalOf = ({ caller: { wallet, proof } }: JobWork): Principal => ({
  ...(wallet && { wallet }),
  ...(proof && { proof }),
});

/** Cache lifetime of the missing components, which may be installed while the process runs. */
const LACKS_REMEMBERED_MS = 60_000;

/**
 * Starts claiming and running jobs.
 * @param tools undefined for all
 */
export function processJobs(context: PipelineContext, tools: readonly string[] | undefined): Promise<void> {
  let last = { until: Number.NEGATIVE_INFINITY, lacks: [] as string[] };
  return context.services.jobs.work({
    run: (work) => runJob(context, work),
    tools,
    async lacks() {
      const now = performance.now();
      if (now < last.until) return last.lacks;
      const found = await findDegradedTools(context, tools);
      last = { until: now + LACKS_REMEMBERED_MS, lacks: found.map(({ tool }) => tool) };
      return last.lacks;
    },
    retriesAfterMs: (error) =>
      isCpuRefusal(error)
        ? 1000 * Math.min(error.details.retryAfterSeconds!, CPU_JOB_RETRY_SECONDS_MAX)
        : undefined,
    shouldRequeue: (error) => error instanceof AtelierError && error.code === 'model_unavailable',
  });
}

export interface DegradedTool {
  readonly tool: string;
  /** The missing component, and how to install it. */
  readonly reason: string;
}

/**
 * Tools that are degraded here, because a network or model is missing; determined by a dry run. Tools that are degraded for some
 * inputs only are not included.
 * @param names undefined for all tools
 */
export async function findDegradedTools(
  context: PipelineContext,
  names: readonly string[] | undefined,
): Promise<DegradedTool[]> {
  const asked = context.services.catalogue.tools.filter(({ name }) => names?.includes(name) ?? true);
  const found = await Promise.all(asked.map((tool) => degradationOf(context, tool)));
  return found.filter((lack) => lack !== undefined);
}

async function degradationOf(context: PipelineContext, tool: AnyTool): Promise<DegradedTool | undefined> {
  if (!tool.estimate) return undefined;
  const reasons = await Promise.all(
    usualInputs(tool).map((input) => degradationReason(context, tool, input)),
  );
  const isWhole = reasons.length === 0 || reasons.some((reason) => reason === undefined);
  return isWhole ? undefined : { tool: tool.name, reason: reasons.find((reason) => reason !== undefined)! };
}

/** The examples, and the first one reduced to required fields. Their images stay text and are not decoded. */
function usualInputs({ input, examples }: AnyTool): Record<string, unknown>[] {
  const [first = {}] = examples as Record<string, unknown>[];
  const needed = Object.keys(first).filter((name) => !input.shape[name]?.safeParse(undefined).success);
  const shortest = Object.fromEntries(needed.map((name) => [name, first[name]]));
  return [shortest, ...(examples as Record<string, unknown>[])].flatMap((example) => {
    const { data } = input.safeParse(example);
    return data ? [data as Record<string, unknown>] : [];
  });
}

/** @returns undefined where the response would not be degraded */
export async function degradationReason(
  context: PipelineContext,
  tool: AnyTool,
  input: Record<string, unknown>,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(context.deadlineMs);
  const asked = { ...deadlinesOf(context), address: '', callerKey: '', signal, isGeneral: true };
  try {
    const { degraded, degraded_reason: reason }: CallEstimate =
      (await tool.estimate?.(input, context.services, asked)) ?? {};
    return degraded ? (reason ?? `${tool.name} would be degraded.`) : undefined;
  } catch (error) {
    if (error instanceof AtelierError && error.code === 'model_unavailable') return error.message;
    return undefined; // Other input errors are reported by the run.
  }
}
