import { AtelierError } from '../core/errors/atelier_error.ts';
import { wrapPixels } from '../core/workers/wrap_pixels.ts';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { highestPrice, priceOf } from '../features/definitions/price.ts';
import type { PlacedAct } from '../features/workspaces/types.ts';
import {
  choosePaymentMethod,
  isOwnPayment,
  refuseCallInMaintenance,
  refuseForeignPage,
  requireCallAccess,
  requireCpu,
  requireToolAllowed,
} from './admission.ts';
import { authenticate, callerKey } from './authenticate.ts';
import {
  holdPayment,
  readPayments,
  readSignIn,
  releaseOnFailure,
  requirePayment,
  settle,
} from './billing/payment.ts';
import { chargeOnce, guardPaymentReplay } from './billing/repeats.ts';
import { dryRun } from './dry_run.ts';
import { withWholeTry } from './errors.ts';
import {
  loadImages,
  megapixelsIn,
  type RunNotes,
  recordDuration,
  releaseImages,
  runTool,
} from './execute.ts';
import { withIdempotency } from './idempotency.ts';
import { acceptJob, asAccepted } from './jobs.ts';
import { auditRefusals, emitOutcome, observeCall } from './observe.ts';
import { previewTool } from './preview.ts';
import { limitPreview, limitTool } from './rate_limit.ts';
import { applyPayerField, readControls, receiveCall, validateInput, withoutCallFlags } from './receive.ts';
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
  type ReceivedCall,
  type StoreResponse,
  type ToolCall,
} from './types.ts';
import { beginAct, type OpenAct, openWorkspace, placeResults, resolveItems, withAct } from './workspace.ts';

/**
 * One tool call, from any interface: authenticate → any payment present? → validate → idempotency → billing → execute → respond. A
 * free call never enters billing. A failed call costs nothing. @throws AtelierError for every error that clients receive
 */
export async function callTool(
  context: PipelineContext,
  toolName: string,
  raw: unknown,
  client: Client,
): Promise<CallResponse> {
  const received = receiveCall(context, toolName, raw, client);
  const { name: tool } = received.tool;
  const work = async () => {
    const call = await stagesOf(context)('admit', () => admit(context, received));
    const response = call.isPreview
      ? await limitPreview(context, call, () => previewTool(context, call))
      : await limitTool(context, call, () =>
          call.isDryRun ? dryRun(context, call) : respondOnce(context, call),
        );
    return response.status === 202 ? asAccepted(response) : response;
  };
  return auditRefusals(context.audit, { about: tool, client, raw }, () =>
    observeCall(context, { tool }, work),
  );
}

/** Decisions before a call is counted, charged or run. */
async function admit(context: PipelineContext, received: ReceivedCall): Promise<ToolCall> {
  const { tool, raw, isFree, isPriced, mustPay } = received;
  refuseForeignPage(received.client);
  refuseCallInMaintenance(context, received);
  const client = applyPayerField(tool, raw, received.client);
  const sent = { ...received, client };
  const presented = mustPay ? readPayments(context, sent) : NO_PAYMENTS;
  const signIn = mustPay ? await readSignIn(context, sent) : undefined;
  const principal = await authenticate(context, client, { isPriced, signIn, ...presented });
  const method = isFree ? undefined : choosePaymentMethod(context, client, principal.wallet);
  await requireCpu(context, principal);
  await requireToolAllowed(context, sent, { principal, method });
  // Without any payment the response is 402, before the input is validated.
  if (mustPay) await requirePayment(context, sent, method);
  const { controls, rest: read } = readControls(tool, withoutCallFlags(raw, tool), client);
  const onlyLooks = received.isDryRun || received.isPreview;
  const workspace = await openWorkspace(context, controls.workspace, { principal, client, onlyLooks });
  const rest = workspace ? await resolveItems(context, workspace, read) : read;
  const { input, warnings } = validateInput(tool.input, rest);
  await requireCallAccess(context, { tool, input }, principal);
  const said = [...sent.warnings, ...warnings];
  return { ...sent, ...presented, principal, method, controls, rest, input, workspace, warnings: said };
}

const NO_PAYMENTS = { x402: undefined, mpp: undefined };

/** A repeated Idempotency-Key, or a repeated payment, gets the first response again. */
function respondOnce(context: PipelineContext, call: ToolCall): Promise<CallResponse> {
  const { tool, raw, principal } = call;
  const route = `POST /api/tools/${tool.name}`;
  const respondAs = (paying: Client) => {
    // A secret is returned once and not stored.
    const client = tool.answersSecret ? { ...paying, idempotencyKey: undefined } : paying;
    return withIdempotency(context.answers, { route, raw, client, principal }, (store) =>
      call.isJob
        ? acceptJob(context, call, store)
        : emitOutcome(context, call, () => run(context, call, store)),
    );
  };
  return call.isFree ? respondAs(call.client) : guardPaymentReplay(context, call, respondAs);
}

/** A call whose images are loaded, with its time limits. */
interface LoadedCall {
  readonly call: ToolCall;
  /** The activity of the call in its workspace. */
  readonly act: OpenAct | undefined;
  /** The input with its images. */
  readonly loaded: Record<string, unknown>;
  /** Aborts at the deadline or when the client has disconnected. */
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

async function run(
  context: PipelineContext,
  call: ToolCall,
  store: StoreResponse,
): Promise<ComposedResponse> {
  const { tool, client, input, principal, controls } = call;
  const { isModel } = client;
  const { wallet } = principal;
  const waitMs = waitMsOf(context, call);
  const deadline = AbortSignal.timeout(waitMs);
  const endsAt = Date.now() + waitMs;
  const signal = AbortSignal.any([client.signal, deadline]);
  const { expected } = controls;
  const stage = stagesOf(context);
  const loaded = await stage('load pictures', () =>
    // Steps validate the input again, as calls of their own.
    loadImages(context.services.images, tool, input, { wallet, signal, expected, releasesText: !tool.steps }),
  );
  const act = call.workspace
    ? await beginAct(context, call, { by: call.workspace, loaded, lifetimeMs: waitMs })
    : undefined;
  const ready = { call, act, loaded, signal, deadline, endsAt };
  const becomeJob = (seconds?: number) => acceptJob(context, call, store, { loaded, seconds, act });
  const work = async () => {
    if (!call.isFree) return runPaid(context, ready, store);
    const { output, notes, workspace } = await execute(context, ready);
    return stage('settle', () =>
      respondFree(context, tool, { input, output, wallet, notes, isModel, workspace }, store),
    );
  };
  const response = await withAct(context, act, () =>
    orAsJob(context, { call, loaded, becomeJob }, work).catch((error: unknown) => {
      throw withWholeTry(error, call.raw);
    }),
  );
  // A job and an activity in a workspace may still use them.
  if (tool.releasesImages && !act && response.status !== 202) releaseImages(loaded);
  return response;
}

/** The price is held before the tool runs, charged with the response, and released on failure. */
async function runPaid(
  context: PipelineContext,
  ready: LoadedCall,
  store: StoreResponse,
): Promise<ComposedResponse> {
  const { call } = ready;
  const { tool, input, principal, client } = call;
  const { isModel } = client;
  const stage = stagesOf(context);
  const costs = await priceCall(context, call);
  return chargeOnce(context, call, ready, async (repeats) => {
    const payment =
      repeats === undefined
        ? await stage('hold payment', () => holdPayment(context, call, costs))
        : undefined;
    return releaseOnFailure(payment, async () => {
      const { price, full } = costs;
      const { output, notes, workspace } = await execute(context, ready, { payment, price });
      const { wallet } = principal;
      const outcome = { input, output, wallet, notes, price, full, payment, isModel, workspace };
      return stage('settle', () => settle(context, tool, outcome, store));
    });
  });
}

interface Executed {
  readonly output: Record<string, unknown>;
  readonly notes: RunNotes;
  readonly workspace: PlacedAct | undefined;
}

/** @param paid absent for a free call */
async function execute(
  context: PipelineContext,
  { call, act, loaded, signal, deadline, endsAt }: LoadedCall,
  { payment, price }: { payment: Payment | undefined; price: number } = { payment: undefined, price: 0 },
): Promise<Executed> {
  const { tool, client, input, warnings, principal } = call;
  const { wallet, proof } = principal;
  const notes: RunNotes = { warnings };
  const hold = payment?.hold;
  const held = hold === undefined ? 0 : price;
  const steps = { client, principal, hold, held, signal, deadline, endsAt, notes, act, isJob: false };
  const terms = { client, wallet, proof, hold, signal, deadline, notes };
  const output = await recordDuration(context, tool, { input, loaded, deadline }, () =>
    runTool(servicesOf(context, call), tool, loaded, {
      ...terms,
      ...deadlinesOf(context),
      deadlineMs: waitMsOf(context, call),
      ...(tool.steps && { runSteps: () => runSteps(context, tool, input, steps) }),
    }),
  );
  return { output, notes, workspace: await placeResults(context, act, output, notes) };
}

/** Stages of a call as spans of its trace. */
const stagesOf =
  ({ telemetry }: PipelineContext) =>
  <T>(name: string, work: () => Promise<T>): Promise<T> =>
    telemetry.span(name, {}, work);

/** A call that is expected to take longer becomes a job at once, where its client allows that. */
const LONG_CALL_SECONDS = 20;

interface LongCall {
  readonly call: ToolCall;
  /** The input with its images. */
  readonly loaded: Record<string, unknown>;
  /** @param seconds it is expected to take */
  becomeJob(seconds?: number): Promise<ComposedResponse>;
}

/**
 * Runs a call, or turns it into a job if its client allows that: at once if it is expected to be long or was
 * refused as too long for a synchronous call, both before any work; otherwise at its deadline. Its hold is
 * released before the job holds the price.
 */
async function orAsJob(
  context: PipelineContext,
  { call, loaded, becomeJob }: LongCall,
  run: () => Promise<ComposedResponse>,
): Promise<ComposedResponse> {
  if (!mayBecomeJob(call)) return run();
  const seconds = isForeseen(call) ? await expectedSeconds(context, call, loaded) : 0;
  if (seconds > LONG_CALL_SECONDS) return becomeJob(seconds);
  try {
    return await run();
  } catch (error) {
    const asJob = whyJob(call, error);
    if (!asJob) throw error;
    return becomeJob(asJob.seconds).catch((refusal: unknown) => {
      // If no more jobs are accepted, the call fails as it would have.
      throw error instanceof AtelierError ? error : refusal;
    });
  }
}

/**
 * A payment for one call cannot wait, a secret is shown once, and a tool that waits for jobs could wait for
 * itself.
 */
const mayBecomeJob = ({ tool, method, client }: Pick<ToolCall, 'tool' | 'method' | 'client'>): boolean =>
  client.longCalls !== undefined && !isOwnPayment(method) && !tool.answersSecret && !tool.isAboutJobs;

/** Whether the call becomes a job before it has run for long. */
const isForeseen = ({ client }: Pick<ToolCall, 'client'>): boolean => client.longCalls === 'when_expected';

/** Whether a failed call continues as a job, with its expected seconds if they are known. */
function whyJob(call: ToolCall, error: unknown): { seconds?: number } | undefined {
  if (error instanceof ExpectedLong) return { seconds: error.seconds };
  if (!(error instanceof AtelierError) || call.client.signal.aborted) return undefined;
  if (error.code === 'timed_out') return {};
  const { as_job: asJob, estimated_seconds: seconds } = error.details.members ?? {};
  if (!isForeseen(call) || asJob !== true) return undefined;
  return typeof seconds === 'number' ? { seconds } : {};
}

/** Thrown instead of starting an image operation that takes too long for a synchronous call. */
class ExpectedLong extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super('This operation is predicted to be long.');
    this.seconds = seconds;
  }
}

/**
 * The services of a call that may become a job: an image operation that is expected to be long does not
 * start.
 * Steps of a call are excluded, because each fails or succeeds by itself.
 */
function servicesOf({ services }: PipelineContext, call: ToolCall): PipelineContext['services'] {
  if (!isForeseen(call) || !mayBecomeJob(call) || call.tool.steps) return services;
  const { pixels } = services;
  const run: typeof pixels.run = (engine, input, control) => {
    const seconds = control.estimatedSeconds ?? pixels.predict(engine, input, control);
    return seconds > LONG_CALL_SECONDS
      ? Promise.reject(new ExpectedLong(seconds))
      : pixels.run(engine, input, control);
  };
  return { ...services, pixels: wrapPixels(pixels, { run }) };
}

/** MCP clients wait for a minute, some for less; a call that becomes a job must answer before. */
const FORESEEN_DEADLINE_MS = 45_000;

/** How long a call may take while its client waits. */
const waitMsOf = ({ deadlineMs }: PipelineContext, call: ToolCall): number =>
  isForeseen(call) && mayBecomeJob(call) ? Math.min(deadlineMs, FORESEEN_DEADLINE_MS) : deadlineMs;

/** Seconds a call is expected to take, from its own forecast or from earlier calls; 0 where that is unknown. */
async function expectedSeconds(
  context: PipelineContext,
  call: ToolCall,
  loaded: Record<string, unknown>,
): Promise<number> {
  const { tool, input } = call;
  const forecast = imageFieldsOf(tool.input.shape).length > 0 ? await forecastOf(context, call, loaded) : 0;
  const credit = priceOf(tool.price, input);
  const measured = measuredSeconds(context, tool.name, { credit, megapixels: megapixelsIn(loaded) });
  return Math.max(forecast, measured, await secondsOfSteps(context, call));
}

/** The forecast of the tool itself for this input. */
async function forecastOf(
  context: PipelineContext,
  { tool, client: { address, signal }, principal: { wallet } }: ToolCall,
  loaded: Record<string, unknown>,
): Promise<number> {
  const asking = { address, signal, callerKey: callerKey(address, wallet) };
  try {
    const estimate = await tool.estimate?.(loaded, context.services, { ...deadlinesOf(context), ...asking });
    return estimate?.estimated_seconds ?? 0;
  } catch {
    return 0; // The run reports what is wrong.
  }
}

const measuredSeconds = (
  { durations }: PipelineContext,
  tool: string,
  like: { credit: number; megapixels?: number | undefined },
): number => (durations.estimate({ tool, ...like }).typical_ms ?? 0) / 1000;

/** Steps run one after another; a step of unknown duration counts as 0. */
async function secondsOfSteps(context: PipelineContext, { tool, input }: ToolCall): Promise<number> {
  const sequences = (await tool.steps?.(input, context.services)) ?? [];
  const each = sequences.flatMap(({ steps }) =>
    steps.map((step) => {
      const one = context.services.catalogue.find(step.tool);
      return one && !one.steps ? measuredSeconds(context, one.name, { credit: highestPrice(one.price) }) : 0;
    }),
  );
  return each.reduce((sum, seconds) => sum + seconds, 0);
}
