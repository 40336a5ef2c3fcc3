import { basename, join } from 'node:path';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { FOLDER_ANSWER_BYTES_MAX, SIDE_BY_SIDE } from './limits.ts';
import { imagesIn, type Located } from './readable_files.ts';
import { type Answer, completed, type Params } from './upstream.ts';

interface Sending {
  readonly signal: AbortSignal;
  onMessage(message: JSONRPCMessage): void;
}

type Run = (request: JSONRPCRequest, path: string, onMessage: Sending['onMessage']) => Promise<Answer>;

/** Outcome for one image of a folder. */
interface Outcome {
  readonly file: string;
  readonly body: Params;
  readonly isError: boolean;
}

/**
 * Runs a tool for each image in a folder and returns one entry per image. If the first call fails for a
 * reason that applies to all of them, returns that failure.
 * @throws PathRefused for a folder without images, or with too many
 */
export async function runForEach(
  request: JSONRPCRequest,
  { path: folder }: Located,
  run: Run,
  { signal, onMessage }: Sending,
): Promise<Answer> {
  const files = await imagesIn(folder);
  const outcomes: Outcome[] = [];
  const { progressToken } = (request.params?._meta ?? {}) as { progressToken?: unknown };
  const one = async (path: string): Promise<Answer> => {
    const answer = await run(requestFor(request, path), path, () => {});
    const body = (answer.result?.structuredContent ?? answer.error ?? {}) as Params;
    outcomes.push({
      file: path,
      body,
      isError: answer.result?.isError === true || answer.error !== undefined,
    });
    if (progressToken !== undefined) {
      const done = { progressToken, progress: outcomes.length, total: files.length, message: basename(path) };
      onMessage({ jsonrpc: '2.0', method: 'notifications/progress', params: done });
    }
    return answer;
  };
  const [first, ...rest] = files;
  const begun = await one(first!);
  if (isAboutAll(begun)) return begun;
  const waiting = rest.values();
  const worker = async () => {
    for (const path of waiting) {
      if (signal.aborted) return;
      await one(path);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  signal.throwIfAborted();
  outcomes.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file));
  return answerOf(request, folder, outcomes);
}

/** The same call for one image: without a preview, and with its own idempotency key if files are stored. */
function requestFor(request: JSONRPCRequest, path: string): JSONRPCRequest {
  const { progressToken: _, ...meta } = (request.params?._meta ?? {}) as Params;
  const args = (request.params?.arguments ?? {}) as Params;
  const key =
    typeof args.key === 'string' ? { key: join(args.key, basename(path)).replaceAll('\\', '/') } : {};
  const params = {
    ...request.params,
    _meta: meta,
    arguments: { ...args, ...key, include_preview: false },
  };
  return { ...request, params } as JSONRPCRequest;
}

/** No payment, an invalid field, or a question to the user: the other images would get the same response. */
function isAboutAll({ result, error }: Answer): boolean {
  if (error || result?.resultType === 'input_required') return true;
  const { status, code } = (result?.structuredContent ?? {}) as { status?: unknown; code?: unknown };
  return (
    result?.isError === true &&
    (code === 'invalid_input' || [401, 402, 403, 404, 429].includes(Number(status)))
  );
}

function answerOf(request: JSONRPCRequest, folder: string, outcomes: readonly Outcome[]): Answer {
  const failed = outcomes.filter(({ isError }) => isError);
  const entries = outcomes.filter(({ isError }) => !isError).map(({ file, body }) => entryOf(file, body));
  const credit = outcomes.reduce((sum, { body }) => sum + creditsOf(body), 0);
  const structuredContent = {
    folder,
    done: entries.length,
    files: withinBytes(entries),
    ...(failed.length > 0 && {
      failed: failed.slice(0, 20).map(({ file, body }) => ({
        file: basename(file),
        detail: String(body.detail ?? body.message ?? '').slice(0, 300),
      })),
      failed_count: failed.length,
    }),
    cost: { credit, usd: Math.round(credit * 10) / 100 },
    next_steps: [],
  };
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
  return completed(request, { content, structuredContent, ...(entries.length === 0 && { isError: true }) });
}

/** Numbers and short texts of a result; objects and long texts are only in the result of a single call. */
function entryOf(file: string, { result_url: _, ...body }: Params): Params {
  const plain = Object.entries(body).filter(
    ([, value]) =>
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && value.length <= 300),
  );
  return { file: basename(file), ...Object.fromEntries(plain) };
}

const SHORT = ['file', 'path', 'result', 'key', 'width', 'height'];

/** All fields if they fit, else those that lead to the files. */
function withinBytes(entries: readonly Params[]): readonly Params[] {
  if (JSON.stringify(entries).length <= FOLDER_ANSWER_BYTES_MAX) return entries;
  return entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => SHORT.includes(name))),
  );
}

const creditsOf = ({ cost }: Params): number => {
  const { credit } = (cost ?? {}) as { credit?: unknown };
  return typeof credit === 'number' ? credit : 0;
};
