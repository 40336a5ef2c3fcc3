import { createHash } from 'node:crypto';
import {
  type AnyOperation,
  type FileAnswer,
  isFileAnswer,
  isFileType,
  type OperationCall,
} from '../operations/operation.ts';
import type { CallKit } from './call_tool.ts';
import type { Answer, Caller } from './caller.ts';
import { callerKey, identify } from './identify.ts';
import { parseInput } from './parse_input.ts';
import { rateLimited } from './rate_limit.ts';
import { isReplay, replayed } from './replay.ts';

/** What a way in knows about the request beside its input. */
export interface OperationRequest {
  readonly method: string;
  readonly body?: OperationCall['body'];
  header(name: string): string | undefined;
}

export type OperationAnswer =
  | Answer
  | { readonly file: FileAnswer; readonly headers: Record<string, string> };

/** The path of an endpoint that is not a tool: parse → limit → run → check → answer. Nothing here costs credits. */
export async function callOperation(
  kit: CallKit,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  caller: Caller,
  request: OperationRequest,
): Promise<OperationAnswer> {
  const wallet = identify(caller, { mustPay: false });
  const { input, warnings } = parseInput(operation.input, raw);
  const run = () => runOperation(kit, operation, input, { caller, wallet, request, warnings });
  const work = () => answerOf(kit, operation, raw, { caller, wallet, request, run });
  if (!operation.limit) return work();
  const counts = (answer: OperationAnswer) =>
    'file' in answer || (!isReplay(answer) && (operation.counts?.(answer.body) ?? true));
  return rateLimited(kit, operation.limit, caller, wallet, work, { counts });
}

interface Context {
  readonly caller: Caller;
  readonly wallet: string | undefined;
  readonly request: OperationRequest;
}

/** JSON answers to POST honour Idempotency-Key; files and reads have no use for it. */
async function answerOf(
  kit: CallKit,
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { caller, wallet, request, run }: Context & { run: () => Promise<Record<string, unknown> | FileAnswer> },
): Promise<OperationAnswer> {
  if (request.method !== 'POST' || isFileType(operation.answer)) {
    const answer = await run();
    return isFileAnswer(answer) ? { file: answer, headers: {} } : { body: answer, headers: {} };
  }
  const route = `POST ${operation.path}`;
  const sent = request.body ? { ...raw, ...fingerprint(request.body) } : raw;
  return replayed(kit.answers, { route, raw: sent, caller, wallet }, async (keep) => {
    const body = (await run()) as Record<string, unknown>;
    const kept = await keep(body);
    if (kept) await kit.answers.keep(kept);
    return body;
  });
}

/** What tells one raw body from another. */
const fingerprint = ({ contentType, bytes }: NonNullable<OperationCall['body']>) => ({
  content_type: contentType,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

async function runOperation(
  kit: CallKit,
  operation: AnyOperation,
  input: Record<string, unknown>,
  { caller, wallet, request, warnings }: Context & { warnings: string[] },
): Promise<Record<string, unknown> | FileAnswer> {
  const answer = await operation.run(input, kit.services, {
    requestId: caller.requestId,
    ...(wallet && { wallet }),
    callerKey: callerKey(caller.address, wallet),
    address: caller.address,
    signal: caller.signal,
    onProgress: (fraction, message) => caller.onProgress?.(fraction, message),
    warn: (message) => warnings.push(message),
    ...request,
  });
  if (isFileAnswer(answer) || isFileType(operation.answer)) return answer as FileAnswer;
  const checked = operation.answer.strict().safeParse(answer);
  if (!checked.success) throw new Error(`${operation.name} broke its own contract: ${checked.error.message}`);
  return { ...checked.data, ...(warnings.length > 0 && { warnings }) };
}
