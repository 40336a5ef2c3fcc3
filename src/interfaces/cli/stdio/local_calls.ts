import { randomUUID } from 'node:crypto';
import { ConnectionError } from '@atelier/client/transport.ts';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { type ClientRoots, ROOTS_QUESTION } from './client_roots.ts';
import type { Origin, Origins } from './origins.ts';
import {
  filesOf,
  findPaths,
  isInList,
  mayNamePaths,
  type PathFound,
  type Replacement,
  replacePaths,
} from './paths_in_arguments.ts';
import { PathRefused, type Roots } from './readable_files.ts';
import { runForEach } from './run_for_each.ts';
import type { ToolFacts, ToolFactsReader } from './tool_facts.ts';
import type { Uploads } from './uploads.ts';
import { type Answer, completed, type Params, type Upstream } from './upstream.ts';
import { writeResults } from './write_results.ts';

/** As the MCP endpoint reads it from `_meta`: a repeated call with the same key runs and is charged once. */
const IDEMPOTENCY_META = 'io.github.atelier/idempotency-key';

export interface LocalCallDeps {
  readonly upstream: Upstream;
  readonly roots: ClientRoots;
  readonly uploads: Uploads;
  readonly tools: ToolFactsReader;
  readonly origins: Origins;
  /** `--out`: folder for all results. */
  readonly out: string | undefined;
}

/** A tools/call that is being sent. */
export interface Sending {
  readonly signal: AbortSignal;
  onMessage(message: JSONRPCMessage): void;
}

/** One call and its known properties. */
interface Call extends Sending {
  readonly tool: string;
  readonly facts: ToolFacts | undefined;
  readonly allowed: Roots;
  /** The folder whose images the tool processes. */
  readonly batch?: string;
}

/**
 * Calls a tool with files of this machine: paths become uploads, and the files behind the links of the result
 * are written to disk.
 * A path that may not be read is an error result for the model, and nothing is sent. @throws ConnectionError
 */
export async function callWithFiles(
  request: JSONRPCRequest,
  deps: LocalCallDeps,
  sending: Sending,
): Promise<Answer> {
  const tool = String(request.params?.name);
  const facts = await deps.tools.read(tool, sending.signal);
  const { request: own, isAnswered } = deps.roots.take(request);
  const args = argumentsOf(own);
  const mayAsk = deps.roots.mayAsk(request) && !isAnswered;
  if (mayAsk && !deps.roots.isKnown() && mayNamePaths(args, facts?.schema)) return question(request);
  try {
    const allowed = await deps.roots.read();
    const paths = await findPaths(args, facts?.schema, allowed);
    const call = { ...sending, tool, facts, allowed };
    const [folder, other] = paths.filter((path) => path.kind === 'folder' && !isInList(path));
    if (other) throw new PathRefused('The call names two folders. Use a file in one of the two fields.');
    if (!folder) return await runOnce(own, paths, deps, call);
    const run = (each: JSONRPCRequest, path: string, onMessage: Sending['onMessage']) => {
      const located = paths.map((one) => (one === folder ? { ...one, kind: 'file' as const, path } : one));
      return runOnce(each, located, deps, { ...call, onMessage, batch: folder.path });
    };
    return await runForEach(own, folder, run, call);
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    // The user may have allowed another folder since the client was asked.
    return mayAsk ? question(request) : refused(request, error.message);
  }
}

const argumentsOf = ({ params }: JSONRPCRequest): Params => (params?.arguments ?? {}) as Params;

const question = (request: JSONRPCRequest): Answer => completed(request, ROOTS_QUESTION);

/** An error result of a tool, for the model to read. */
function refused(request: JSONRPCRequest, detail: string): Answer {
  const problem = { code: 'path_refused', status: 400, detail: `${detail} You were not charged.` };
  const content = [{ type: 'text', text: JSON.stringify(problem) }];
  return completed(request, { isError: true, content, structuredContent: problem });
}

/** One call of the server, with handles in place of paths and files in place of links. */
async function runOnce(
  request: JSONRPCRequest,
  paths: readonly PathFound[],
  deps: LocalCallDeps,
  call: Call,
): Promise<Answer> {
  const args = argumentsOf(request);
  const { replacements, type } = await uploadAll(paths, deps, call);
  const named = replacePaths(args, replacements);
  const asksType = call.facts?.asksType && type !== undefined && named.content_type === undefined;
  const sent = asksType ? { ...named, content_type: type } : named;
  const params = { ...request.params, arguments: sent };
  const answer = await forward({ ...request, params }, deps.upstream, call);
  const before = deps.origins.find(args);
  const origin = {
    // The tool that a job ran follows from its recorded origin.
    tool: call.tool === 'get_job' && before ? before.tool : call.tool,
    source: paths.find(({ kind }) => kind === 'file')?.path ?? before?.source,
  };
  return withFiles(answer, origin, deps, call);
}

/** Uploads the files of all paths. `type`: of the first file. */
async function uploadAll(
  paths: readonly PathFound[],
  { uploads }: LocalCallDeps,
  { allowed, signal }: Call,
): Promise<{ replacements: Replacement[]; type: string | undefined }> {
  const replacements: Replacement[] = [];
  let type: string | undefined;
  for (const path of paths) {
    const handles: string[] = [];
    for (const file of await filesOf(path)) {
      const sent = await uploads.send(file, allowed, signal);
      type ??= sent.type;
      handles.push(sent.uri);
    }
    replacements.push({ ...path, handles });
  }
  return { replacements, type };
}

/**
 * Sends a call. A paid call whose connection breaks is repeated under the same key, so that it is charged
 * once.
 */
async function forward(request: JSONRPCRequest, upstream: Upstream, call: Call): Promise<Answer> {
  const meta = (request.params?._meta ?? {}) as Params;
  if (!call.facts?.isPaid || meta[IDEMPOTENCY_META] !== undefined) return upstream.request(request, call);
  const _meta = { ...meta, [IDEMPOTENCY_META]: randomUUID() };
  const keyed = { ...request, params: { ...request.params, _meta } } as JSONRPCRequest;
  return upstream.request(keyed, call).catch((error: unknown) => {
    if (call.signal.aborted || !(error instanceof ConnectionError)) throw error;
    return upstream.request(keyed, call);
  });
}

/** Writes the files behind the links of a result to disk. */
async function withFiles(
  answer: Answer,
  origin: Origin,
  { upstream, origins, out }: LocalCallDeps,
  { allowed, batch, signal }: Call,
): Promise<Answer> {
  const { result } = answer;
  const answered = result?.structuredContent as Params | undefined;
  if (!result || !answered || result.isError) return answer;
  origins.add(answered, origin);
  const naming = { ...origin, out, batch, folder: allowed.folders[0] };
  const structuredContent = await writeResults(answered, naming, { upstream, signal });
  const content = (Array.isArray(result.content) ? result.content : []) as { type?: string; text?: string }[];
  const same = JSON.stringify(answered);
  const shown = content.map((block) =>
    block.text === same ? { ...block, text: JSON.stringify(structuredContent) } : block,
  );
  return { ...answer, result: { ...result, structuredContent, content: shown } };
}
