import { AtelierError } from '../errors/atelier_error.ts';
import { parseBoundedJson } from '../json/parse_bounded_json.ts';
import { CHAIN_ANSWER_BYTES_MAX, CHAIN_QUESTIONS_MAX, CHAIN_TIMEOUT_MS } from './limits.ts';

export interface JsonRpc {
  /** @throws Reverted, AtelierError chain_unavailable, busy */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** The contract that was called gave up: an answer about the signature, not a failure of the node. */
export class Reverted extends Error {}

/** JSON-RPC to the node of the operator: a deadline, an end to what it may answer, and a bound on questions at once. */
export function createJsonRpc({
  rpcUrl,
  timeoutMs = CHAIN_TIMEOUT_MS,
}: {
  rpcUrl: string;
  timeoutMs?: number;
}): JsonRpc {
  let running = 0;
  return {
    async ask(method, params) {
      if (running >= CHAIN_QUESTIONS_MAX) throw new AtelierError('busy', undefined, { retryAfterSeconds: 5 });
      running += 1;
      try {
        return resultIn(method, await post(rpcUrl, timeoutMs, { jsonrpc: '2.0', id: 1, method, params }));
      } finally {
        running -= 1;
      }
    },
  };
}

async function post(url: string, timeoutMs: number, body: object): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return parseBoundedJson(await textOf(response));
  } catch (error) {
    throw unavailable(error);
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > CHAIN_ANSWER_BYTES_MAX) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function resultIn(method: string, answer: unknown): unknown {
  const { result, error } = (answer ?? {}) as {
    result?: unknown;
    error?: { code?: unknown; message?: unknown };
  };
  // Code 3 is what nodes agreed on for a revert; some only say so in words.
  if (error && (error.code === 3 || /revert|invalid opcode|out of gas/i.test(String(error.message)))) {
    throw new Reverted();
  }
  if (error || result === undefined) throw unexpectedAnswer(method);
  return result;
}

/** @param method what the node gave no useful answer to */
export const unexpectedAnswer = (method: string): AtelierError =>
  unavailable(new Error(`no useful answer to ${method}`));

/** The address of the node may hold a password, so neither it nor the inner message is repeated. */
const unavailable = (cause: unknown): AtelierError =>
  new AtelierError('chain_unavailable', undefined, { cause, retryAfterSeconds: 30 });
