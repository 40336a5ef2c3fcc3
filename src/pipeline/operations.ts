import { createHash } from 'node:crypto';
import { type AnyOperation, type FileAnswer, isFileAnswer, isFileType, isStreamAnswer, type OperationCall, type StreamAnswer, type Tag } from '../operations/operation.ts';
import type { Rehearsal } from '../operations/rehearsal.ts';
import { limitsOf, type AnyTool } from '../tools/tool.ts';
import { requireOwner, requireReach, refuseForeignUse, refuseUseInMaintenance, requireCpu } from './admission.ts';
import { answerOncePerKey, isReplay } from './idempotency.ts';
import { auditRefusals } from './observe.ts';
import type { Answer, Caller, Principal, CallKit } from './types.ts';
import { callerKey, identify, nameVisitor, isOperator, requireOperator } from './authenticate.ts';
import { parseInput } from './validate_input.ts';
import { limitRate, generalLimit, policyOf } from './rate_limit.ts';
import { strictSchema, stoppedInTime } from './execute.ts';
import { AtelierError, invalidField } from '../errors/atelier_error.ts';
import { rateLimited } from '../services/limiter/rate_limited.ts';
import { memoryIsTaken } from '../services/visits/visits.ts';
import { highestPrice, usd } from '../tools/price.ts';
import { likelyPrice } from './billing/price.ts';
import { requirePayment } from './billing/payment.ts';

/** What a way in knows about the request beside its input. */
export interface OperationRequest {
  readonly method: string;
  readonly body?: OperationCall['body'];
  readonly stream?: OperationCall['stream'];
  header(name: string): string | undefined;
}

export type OperationAnswer =
  | Answer
  | { readonly file: FileAnswer; readonly headers: Record<string, string> }
  | { readonly stream: StreamAnswer; readonly headers: Record<string, string> };

/** The path of an endpoint that is not a tool: parse → limit → run → check → answer. Nothing here costs credits. */
export function callOperation(
  kit: CallKit,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  caller: Caller,
  request: OperationRequest,
): Promise<OperationAnswer> {
  const isAboutMoney =
    operation.tag === 'payment' || operation.ownerOnly === true || operation.operator !== undefined;
  return auditRefusals(kit.audit, { about: operation.name, caller, raw, isAboutMoney }, () =>
    admitAndAnswer(kit, operation, raw, { caller, request }),
  );
}

async function admitAndAnswer(
  kit: CallKit,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { caller, request }: { caller: Caller; request: OperationRequest },
): Promise<OperationAnswer> {
  refuseForeignUse(operation, { caller, method: request.method, isPrivate: isPrivate(operation) });
  refuseUseInMaintenance(kit, operation, request.method);
  const principal = await principalOf(kit, operation, caller);
  if (isCountedInCpu(operation)) await requireCpu(kit, principal);
  if (operation.ownerOnly) await requireOwner(kit, principal);
  const { input, warnings } = parseInput(operation.input, raw);
  const { reaches, name: about } = operation;
  await requireReach(kit, reaches, { principal, wallet: input.wallet, about });
  const { wallet } = principal;
  nameVisitor(kit, wallet);
  if (operation.methods.includes('POST') && ADDS_ROWS.includes(operation.tag)) await kit.disk.requireRoom();
  const { force_error: failure, ...sample } = input;
  const run = () =>
    operation.rehearses && failure
      ? rehearse(kit, failure as Rehearsal, { tool: operation.rehearses, raw: sample, caller })
      : runOperation(kit, operation, input, { caller, principal, request, warnings });
  const work = () => answerOf(kit, operation, raw, { caller, principal, request, run });
  const counts = (answer: OperationAnswer) =>
    'file' in answer ||
    'stream' in answer ||
    (!isReplay(answer) && ((operation.limit?.counts ?? operation.counts)?.(answer.body) ?? true));
  return limitRate(kit, limitsOf(operation.limit), { caller, principal, counts }, work);
}

/** Documents, public keys and health are open to every client, and an operator can act where the address has no CPU time left. */
export const isCountedInCpu = ({ tag, path, operator }: AnyOperation): boolean =>
  tag !== 'discovery' && !path.startsWith('/.well-known/') && operator === undefined;

/** Discovery looks at no credentials: a client whose key has ended still has to find out what to do. */
async function principalOf(
  kit: CallKit,
  { operator, tag }: AnyOperation,
  caller: Caller,
): Promise<Principal> {
  if (operator) return { operator: await requireOperator(kit, caller, operator) };
  return tag === 'discovery' ? {} : identify(kit, caller, { mustPay: false });
}

/** What is written to the database alone. Money and whatever ends or deletes something goes on with a disk that is almost full. */
const ADDS_ROWS: readonly Tag[] = ['community', 'recipes', 'webhooks'];

type Ran = Record<string, unknown> | FileAnswer | StreamAnswer;

interface Context {
  readonly caller: Caller;
  readonly principal: Principal;
  readonly request: OperationRequest;
}

/** JSON answers to POST honour Idempotency-Key; files and reads have no use for it. */
async function answerOf(
  kit: CallKit,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { caller, principal, request, run }: Context & { run: () => Promise<Ran> },
): Promise<OperationAnswer> {
  const isKept = request.method === 'POST' && !operation.answersSecret && !request.stream;
  if (!isKept || isFileType(operation.answer)) {
    const answer = await run();
    if (isStreamAnswer(answer)) return { stream: answer, headers: {} };
    if (isFileAnswer(answer)) return { file: answer, headers: {} };
    return { body: answer, headers: isPrivate(operation) ? { 'Cache-Control': 'private, no-store' } : {} };
  }
  const route = `POST ${operation.path}`;
  const sent = request.body ? { ...raw, ...fingerprint(request.body) } : raw;
  return answerOncePerKey(kit.answers, { route, raw: sent, caller, principal }, async (keep) => {
    const body = (await run()) as Record<string, unknown>;
    const kept = await keep({ body });
    if (kept) await kit.answers.keep(kept);
    return { body };
  });
}

/** What tells one raw body from another. */
const fingerprint = ({ contentType, bytes }: NonNullable<OperationCall['body']>) => ({
  content_type: contentType,
  sha256: createHash('sha256').update(bytes).digest('hex'),
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
  kit: CallKit,
  operation: AnyOperation,
  input: Record<string, unknown>,
  { caller, principal, request, warnings }: Context & { warnings: string[] },
): Promise<Ran> {
  const { wallet, proof, operator } = principal;
  const answer = await operation.run(input, kit.services, {
    requestId: caller.requestId,
    ...(wallet && { wallet }),
    ...(proof && { proof }),
    ...(operator && { operator }),
    ...(caller.bearer !== undefined && { bearer: caller.bearer }),
    isOperator: (scope) => isOperator(kit, caller, scope),
    callerKey: callerKey(caller.address, wallet),
    address: caller.address,
    signal: caller.signal,
    onProgress: (fraction, message) => caller.onProgress?.(fraction, message),
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

interface Rehearsed {
  readonly tool: AnyTool;
  /** What the tool would be called with, as far as its price depends on it. */
  readonly raw: Record<string, unknown>;
  readonly caller: Caller;
}

/**
 * The failure a call of the tool would be answered, made by what makes it there, and marked `_sandbox`. Nobody is refused, and nothing
 * taken or held. @throws AtelierError always; invalid_input of a tool that cannot fail so
 */
export async function rehearse(kit: CallKit, failure: Rehearsal, asked: Rehearsed): Promise<never> {
  const isPaidOnly = failure === '402' || failure === 'refund';
  if (isPaidOnly && highestPrice(asked.tool.price) === 0) throw neverCharged(asked.tool);
  const { code, message, details } = await FAILURES[failure](kit, asked);
  throw new AtelierError(code, message, {
    ...details,
    isRehearsed: true,
    members: { ...details.members, _sandbox: true },
  });
}

const FAILURES: Record<Rehearsal, (kit: CallKit, asked: Rehearsed) => Promise<AtelierError>> = {
  '402': unpaidCall,
  '429': async (kit, { tool }) => {
    const policy = policyOf(kit, generalLimit(kit, tool));
    return rateLimited(policy, { remaining: 0, resetSeconds: policy.perSeconds }, false);
  },
  '503': async () => memoryIsTaken(),
  refund: async (_kit, asked) => {
    const stopped = stoppedInTime();
    return new AtelierError(stopped.code, stopped.message, { ...stopped.details, members: ledgerOf(asked) });
  },
};

/** As it is answered to a caller that sends nothing to pay with. */
async function unpaidCall(kit: CallKit, { tool, raw, caller }: Rehearsed): Promise<AtelierError> {
  const { requestId, address, signal } = caller;
  const stranger: Caller = { requestId, address, signal };
  const call = {
    tool,
    raw,
    warnings: [],
    caller: stranger,
    isDryRun: false,
    isJob: false,
    isPriced: true,
    mustPay: true,
  };
  const refusal = await requirePayment(kit, call, {
    caller: stranger,
    wallet: undefined,
    x402: undefined,
  }).catch((error: unknown) => error);
  if (refusal instanceof AtelierError) return refusal;
  throw refusal;
}

/** What the journal keeps of such a call: the two lines cancel each other, and a statement, which is of what moved, has neither. */
function ledgerOf({ tool, raw }: Rehearsed) {
  const credit = likelyPrice(tool, raw);
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
  const message = `${name} is free: it is never answered 402, and there is nothing to give back. Rehearse 429 or 503 here, or 402 and refund at a paid tool such as /api/sandbox/upscale_image.`;
  return invalidField('force_error', message, { expected: 'one of 429, 503' });
}
