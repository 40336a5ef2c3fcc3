import type { PlacedAct } from '../features/workspaces/types.ts';
import {
  choosePaymentMethod,
  reachOf,
  refuseCallInMaintenance,
  refuseForeignPage,
  requireAssetAccess,
  requireCpu,
  requireOwnerOfCall,
  requireToolAllowed,
  requireWalletAccess,
} from './admission.ts';
import { authenticate } from './authenticate.ts';
import { holdPayment, readPayments, releaseOnFailure, requirePayment, settle } from './billing/payment.ts';
import { chargeOnce, guardPaymentReplay } from './billing/repeats.ts';
import { readSignIn } from './billing/sign_in.ts';
import { dryRun } from './dry_run.ts';
import { withWholeTry } from './errors.ts';
import { loadImages, type RunNotes, recordDuration, releaseImages, runTool } from './execute.ts';
import { withIdempotency } from './idempotency.ts';
import { acceptJob, asAccepted } from './jobs.ts';
import { orAsJob, servicesOf, waitMsOf } from './long_calls.ts';
import { auditRefusals, emitOutcome, observeCall } from './observe.ts';
import { previewTool } from './preview.ts';
import { limitPreview, limitTool } from './rate_limit.ts';
import { applyPayerField, readControls, receiveCall, withoutCallFlags } from './receive.ts';
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
import { validateInput } from './validate_input.ts';
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
  await requireOwnerOfCall(context, { tool, input }, principal);
  await requireWalletAccess(context, reachOf(tool, input), {
    principal,
    wallet: input.wallet,
    about: tool.name,
  });
  await requireAssetAccess(context, input, { principal, about: tool.name });
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
