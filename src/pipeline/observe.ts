import { REFUSALS_PER_MINUTE } from '../config/limits.ts';
import type { Audit, Refusal } from '../core/audit/audit.ts';
import { AtelierError, type ErrorCode } from '../core/errors/atelier_error.ts';
import type { JobCaller } from '../core/queue/types.ts';
import type { Policy } from '../core/rate_limits/rate_limited.ts';
import type { Attributes, Span } from '../core/telemetry/types.ts';
import type { EventName } from '../features/webhooks/routes/events.ts';
import { asAtelierError } from './errors.ts';
import type { Client, ComposedResponse, PipelineContext, ToolCall } from './types.ts';

interface Audited {
  /** Tool or operation. */
  readonly about: string;
  readonly client: Client;
  readonly raw: unknown;
  /** It moves money or grants access: every refusal is audited, including invalid input. */
  readonly isAboutMoney?: boolean;
}

/**
 * Runs a call and writes one audit line when a payment, proof, page or host was refused, or a limit was reached. All interfaces use
 * it, so refusals are logged only here.
 */
export async function auditRefusals<T>(audit: Audit, call: Audited, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AtelierError && isAudited(error, call)) writeLine(audit, call, error);
    throw error;
  }
}

/** Refusals at a limit, of one client or of the server. */
const BOUNDS: readonly ErrorCode[] = [
  'storage_full',
  'too_much_kept',
  'busy',
  'too_many_jobs',
  'body_too_slow',
  'rate_limited',
];
const written = new WeakSet<AtelierError>();

/** The same line for a refusal at a limit before the call. */
export function auditBound(
  audit: Audit,
  error: AtelierError,
  at: Pick<Refusal, 'about' | 'requestId' | 'address'>,
): void {
  const { code, status, message: detail } = error;
  if (isAtBound(error) && !written.has(error) && !error.details.isRehearsed)
    audit.recordRefusal({ ...at, code, status, detail });
}

/** A limit that is reached is logged once a window: a line for every further call would let a client fill the disk. */
const isAtBound = ({ code, details }: AtelierError): boolean =>
  BOUNDS.includes(code) && !(code === 'rate_limited' && details.isRepeat === true);

/**
 * 401 to 403 concern payment and access; a call without any payment did not try to pay. Refusals at a limit
 * are logged as well: they show the operator which client saturates the server.
 */
function isAudited(error: AtelierError, { client, isAboutMoney = false }: Audited): boolean {
  const { code, status, details } = error;
  if (details.isRehearsed) return false;
  if (BOUNDS.includes(code)) return isAtBound(error);
  const { bearer, paymentIntent, x402Payment, mppCredential } = client;
  const brought = paymentIntent ?? x402Payment ?? mppCredential;
  if (code === 'payment_required') return (bearer ?? brought) !== undefined;
  if (status >= 401 && status <= 403) return true;
  const isMoney = isAboutMoney || brought !== undefined;
  return isMoney && status >= 400 && status < 500 && status !== 429;
}

function writeLine(audit: Audit, { about, client, raw }: Audited, error: AtelierError): void {
  written.add(error);
  const { code, status, message, details } = error;
  const { requestId, address, bearer, paymentIntent, x402Payment, mppCredential } = client;
  const fields = details.errors?.map(({ field }) => field.slice(0, 100));
  audit.recordRefusal({
    code,
    status,
    about,
    requestId,
    address,
    bearer,
    paymentIntent,
    x402Payment,
    mppCredential,
    wallet: typeof raw === 'object' && raw !== null && 'wallet' in raw ? raw.wallet : undefined,
    // Messages about a field often repeat its value.
    ...(fields ? { fields } : { detail: message }),
  });
}

const policyOf = ({ rates }: PipelineContext): Policy => ({
  name: 'refusals',
  calls: rates.refusals ?? REFUSALS_PER_MINUTE,
  perSeconds: 60,
});

/** Checks without counting. @throws AtelierError rate_limited where this address had too many client errors in the last minute */
export const requireFewClientErrors = (context: PipelineContext, address: string): Promise<void> =>
  context.limiter.look(policyOf(context), `ip:${address}`);

/** Counts a client error, for the metrics and against its address, and audits a refusal at a limit. */
export async function recordClientError(
  context: PipelineContext,
  error: AtelierError,
  at: Pick<Refusal, 'about' | 'requestId' | 'address'>,
): Promise<void> {
  const { code, status, details } = error;
  auditBound(context.audit, error, at);
  if (!details.isRehearsed) context.telemetry.count('atelier_refusals_total', { code });
  if (details.isRehearsed || status < 400 || status >= 500 || status === 429) return;
  // A request over the limit does not count as another error.
  await context.limiter.take(policyOf(context), `ip:${at.address}`).catch(() => {});
}

interface Observed {
  readonly tool: string;
  /** Absent: the client waits for the response. */
  readonly job?: Pick<JobCaller, 'trace'>;
}

/**
 * Counts a call by its outcome and records it as a span. The span of a job belongs to the trace of the call
 * that created it, in any process.
 */
export function observeCall<T>(
  { telemetry }: Pick<PipelineContext, 'telemetry'>,
  { tool, job }: Observed,
  work: () => Promise<T>,
): Promise<T> {
  const way = job ? 'job' : 'waited';
  const count = (outcome: string) => telemetry.count('atelier_calls_total', { tool, way, outcome });
  const name = `call ${tool}`;
  const attributes: Attributes = { 'atelier.tool': tool, 'atelier.way': way };
  const observed = async (span: Span) => {
    try {
      const answer = await work();
      count('ok');
      return answer;
    } catch (error) {
      const { code, status } = asAtelierError(error);
      span.set({ 'error.type': code });
      count(status < 500 ? 'refused' : 'failed');
      throw error;
    }
  };
  return job
    ? telemetry.enter({ ...job.trace, isTrusted: true, by: 'job' }, name, attributes, observed)
    : telemetry.span(name, attributes, observed);
}

/**
 * Emits the webhook events that no table records: a call without a charge has succeeded, or a call has failed. For a paid call the
 * event follows from its receipt, in the transaction that charges it.
 */
export async function emitOutcome(
  context: PipelineContext,
  { tool: { name: tool }, principal: { wallet }, client }: ToolCall,
  work: () => Promise<ComposedResponse>,
): Promise<ComposedResponse> {
  if (wallet === undefined) return work();
  const emit = (type: EventName, data: Record<string, unknown>) =>
    context.services.webhooks.tell({ wallet, type, data: { tool, ...data, job_id: null } });
  try {
    const answer = await work();
    // A job has events of its own.
    if (!answer.receipt && answer.status !== 202)
      await emit('tool.completed', { credits: 0, receipt_id: null });
    return answer;
  } catch (error) {
    await emit('tool.failed', { code: asAtelierError(error).code, request_id: client.requestId });
    throw error;
  }
}
