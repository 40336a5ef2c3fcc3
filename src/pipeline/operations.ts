import { AtelierError, invalidField } from '../core/errors/atelier_error.ts';
import { rateLimited } from '../core/rate_limits/rate_limited.ts';
import { memoryUnavailable } from '../core/request_scope/request_scope.ts';
import {
  type AnyOperation,
  type FileAnswer,
  isFileAnswer,
  isFileType,
  isStreamAnswer,
  type OperationCall,
  type StreamAnswer,
  type Tag,
} from '../features/definitions/operation.ts';
import { highestPrice, usd } from '../features/definitions/price.ts';
import type { Rehearsal } from '../features/definitions/rehearsal.ts';
import { type AnyTool, limitsOf } from '../features/definitions/tool.ts';
import {
  refuseForeignOperation,
  refuseOperationInMaintenance,
  requireCpu,
  requireOwner,
  requireWalletAccess,
} from './admission.ts';
import { attributeToWallet, callerKey, identify, isOperator, requireOperator } from './authenticate.ts';
import { requirePayment } from './billing/payment.ts';
import { expectedPrice } from './billing/price.ts';
import { strictSchema, timedOutError } from './execute.ts';
import { isReplay, withIdempotency } from './idempotency.ts';
import { auditRefusals } from './observe.ts';
import { generalLimit, limitRate, policyOf } from './rate_limit.ts';
import { validateInput } from './receive.ts';
import type { CallResponse, Client, PipelineContext, Principal } from './types.ts';

/** Request data of an interface besides the input. */
export interface OperationRequest {
  readonly method: string;
  readonly body?: OperationCall['body'];
  readonly file?: OperationCall['file'];
  readonly stream?: OperationCall['stream'];
  header(name: string): string | undefined;
}

export type OperationAnswer =
  | CallResponse
  | { readonly file: FileAnswer; readonly headers: Record<string, string> }
  | { readonly stream: StreamAnswer; readonly headers: Record<string, string> };

/** The path of an endpoint that is not a tool: validate → limit → run → check → respond. Nothing here costs credits. */
export function callOperation(
  context: PipelineContext,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  client: Client,
  request: OperationRequest,
): Promise<OperationAnswer> {
  const isAboutMoney =
    operation.tag === 'payment' || operation.ownerOnly === true || operation.operator !== undefined;
  return auditRefusals(context.audit, { about: operation.name, client, raw, isAboutMoney }, () =>
    admitAndAnswer(context, operation, raw, { client, request }),
  );
}

async function admitAndAnswer(
  context: PipelineContext,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { client, request }: { client: Client; request: OperationRequest },
): Promise<OperationAnswer> {
  refuseForeignOperation(operation, { client, method: request.method, isPrivate: isPrivate(operation) });
  refuseOperationInMaintenance(context, operation, request.method);
  const principal = await principalOf(context, operation, client);
  if (isCountedInCpu(operation)) await requireCpu(context, principal);
  if (operation.ownerOnly) await requireOwner(context, principal);
  const { input, warnings } = validateInput(operation.input, raw);
  const { reaches, name: about } = operation;
  await requireWalletAccess(context, reaches, { principal, wallet: input.wallet, about });
  const { wallet } = principal;
  attributeToWallet(context, wallet);
  if (operation.methods.includes('POST') && ADDS_ROWS.includes(operation.tag))
    await context.disk.requireRoom();
  const { force_error: failure, ...sample } = input;
  const run = () =>
    operation.rehearses && failure
      ? simulateFailure(context, failure as Rehearsal, { tool: operation.rehearses, raw: sample, client })
      : runOperation(context, operation, input, { client, principal, request, warnings });
  const work = () => answerOf(context, operation, raw, { client, principal, request, run });
  const counts = (answer: OperationAnswer) =>
    'file' in answer ||
    'stream' in answer ||
    (!isReplay(answer) && ((operation.limit?.counts ?? operation.counts)?.(answer.body) ?? true));
  return limitRate(context, limitsOf(operation.limit), { client, principal, counts }, work);
}

/**
 * Documents, public keys and health are open to every client, and an operator can act even if the address has
 * no CPU time left.
 */
export const isCountedInCpu = ({ tag, path, operator }: AnyOperation): boolean =>
  tag !== 'discovery' && !path.startsWith('/.well-known/') && operator === undefined;

/** Discovery ignores credentials: a client with an expired key must still be able to read it. */
async function principalOf(
  context: PipelineContext,
  { operator, tag }: AnyOperation,
  client: Client,
): Promise<Principal> {
  if (operator) return { operator: await requireOperator(context, client, operator) };
  return tag === 'discovery' ? {} : identify(context, client, { mustPay: false });
}

/** Operations that only add rows. Money, and operations that end or delete something, continue on an almost full disk. */
const ADDS_ROWS: readonly Tag[] = ['community', 'recipes', 'webhooks', 'workspaces'];

type Ran = Record<string, unknown> | FileAnswer | StreamAnswer;

interface OperationCallScope {
  readonly client: Client;
  readonly principal: Principal;
  readonly request: OperationRequest;
}

/** JSON responses to POST honour Idempotency-Key; files and reads do not need it. */
async function answerOf(
  context: PipelineContext,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { client, principal, request, run }: OperationCallScope & { run: () => Promise<Ran> },
): Promise<OperationAnswer> {
  const isKept = request.method === 'POST' && !operation.answersSecret && !request.stream;
  if (!isKept || isFileType(operation.answer)) {
    const answer = await run();
    if (isStreamAnswer(answer)) return { stream: answer, headers: {} };
    if (isFileAnswer(answer)) return { file: answer, headers: {} };
    return { body: answer, headers: isPrivate(operation) ? { 'Cache-Control': 'private, no-store' } : {} };
  }
  const route = `POST ${operation.path}`;
  const bytes = request.body ?? request.file;
  const sent = bytes ? { ...raw, ...fingerprint(bytes) } : raw;
  return withIdempotency(context.answers, { route, raw: sent, client, principal }, async (store) => {
    const body = (await run()) as Record<string, unknown>;
    const kept = await store({ body });
    if (kept) await context.answers.keep(kept);
    return { body };
  });
}

/** Fingerprint of a raw body. */
const fingerprint = ({ contentType, sha256 }: { contentType: string; sha256: string }) => ({
  content_type: contentType,
  sha256,
});

const isPrivate = (operation: AnyOperation): boolean =>
  Boolean(
    operation.reaches ??
      operation.ownerOnly ??
      operation.operator ??
      operation.answersSecret ??
      operation.isPrivate,
  );

async function runOperation(
  context: PipelineContext,
  operation: AnyOperation,
  input: Record<string, unknown>,
  { client, principal, request, warnings }: OperationCallScope & { warnings: string[] },
): Promise<Ran> {
  const { wallet, proof, operator } = principal;
  const answer = await operation.run(input, context.services, {
    requestId: client.requestId,
    ...(wallet && { wallet }),
    ...(proof && { proof }),
    ...(operator && { operator }),
    ...(client.bearer !== undefined && { bearer: client.bearer }),
    isOperator: (scope) => isOperator(context, client, scope),
    callerKey: callerKey(client.address, wallet),
    address: client.address,
    signal: client.signal,
    onProgress: (fraction, message) => client.onProgress?.(fraction, message),
    warn: (message) => warnings.push(message),
    waive: () => {},
    charge: () => {},
    ...request,
  });
  if (isFileAnswer(answer) || isStreamAnswer(answer) || isFileType(operation.answer))
    return answer as FileAnswer;
  const checked = strictSchema(operation.answer).safeParse(answer);
  if (!checked.success) throw new Error(`${operation.name} broke its own contract: ${checked.error.message}`);
  return { ...checked.data, ...(warnings.length > 0 && { warnings }) };
}

interface SimulatedCall {
  readonly tool: AnyTool;
  /** Input of the tool, as far as its price depends on it. */
  readonly raw: Record<string, unknown>;
  readonly client: Client;
}

/**
 * The error that a call of the tool would get, from the same code, marked `_sandbox`. No limit is counted and no credit is held.
 * @throws AtelierError always; invalid_input for a tool that cannot fail this way
 */
export async function simulateFailure(
  context: PipelineContext,
  failure: Rehearsal,
  asked: SimulatedCall,
): Promise<never> {
  const isPaidOnly = failure === '402' || failure === 'refund';
  if (isPaidOnly && highestPrice(asked.tool.price) === 0) throw neverCharged(asked.tool);
  const { code, message, details } = await FAILURES[failure](context, asked);
  throw new AtelierError(code, message, {
    ...details,
    isRehearsed: true,
    members: { ...details.members, _sandbox: true },
  });
}

const FAILURES: Record<Rehearsal, (context: PipelineContext, asked: SimulatedCall) => Promise<AtelierError>> =
  {
    '402': simulatePaymentRequired,
    '429': async (context, { tool }) => {
      const policy = policyOf(context, generalLimit(context, tool));
      return rateLimited(policy, { remaining: 0, resetSeconds: policy.perSeconds }, false);
    },
    '503': async () => memoryUnavailable(),
    refund: async (_context, asked) => {
      const stopped = timedOutError();
      return new AtelierError(stopped.code, stopped.message, {
        ...stopped.details,
        members: ledgerOf(asked),
      });
    },
  };

/** As for a client that sends no payment. */
async function simulatePaymentRequired(
  context: PipelineContext,
  { tool, raw, client }: SimulatedCall,
): Promise<AtelierError> {
  const { requestId, address, signal } = client;
  const call = { tool, raw, client: { requestId, address, signal } };
  const refusal = await requirePayment(context, call, undefined).catch((error: unknown) => error);
  if (refusal instanceof AtelierError) return refusal;
  throw refusal;
}

/**
 * The journal of a simulated call. Its two entries cancel each other out, so a statement, which lists
 * movements, shows neither.
 */
function ledgerOf({ tool, raw }: SimulatedCall) {
  const credit = expectedPrice(tool, raw);
  const amount = { credit, usd: usd(credit) };
  return {
    ledger: {
      journal: [
        { phase: 'pending', code: 'tool_call', tool: tool.name, ...amount },
        { phase: 'void', code: 'tool_call', tool: tool.name, ...amount },
      ],
      statement: [],
      charged: { credit: 0, usd: 0 },
    },
  };
}

function neverCharged({ name }: AnyTool): AtelierError {
  const message = `${name} is free: it never returns 402, and there is nothing to refund. Simulate 429 or 503 here, or 402 and refund with a paid tool such as /api/sandbox/upscale_image.`;
  return invalidField('force_error', message, { expected: 'one of 429, 503' });
}
