import { type Body, type Connection, callTool, type Reply, walletOf } from './client.ts';
import { failureText } from './failure_text.ts';
import { type AnswerFile, answerFile, withFiles, writeNew, writeTo } from './files.ts';
import { type CallFlags, isToken, ownFlag, type Payer, parseCallFlags } from './flags.ts';
import { type ToolDescription, toolDescription } from './input_schema.ts';
import { progressView } from './progress.ts';
import { printableJson, type Terminal } from './terminal.ts';

export interface CallSetup {
  readonly connection: Connection;
  readonly terminal: Terminal;
  /** ATELIER_WALLET: address, session or key. */
  readonly defaultWallet?: string | undefined;
  /** Where files without a given name go. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** `atelier call <tool> --flags`. Returns the exit code. @throws UsageError, ConnectionError */
export async function callCommand(tool: string, words: readonly string[], setup: CallSetup): Promise<number> {
  const { connection, terminal, signal } = setup;
  if (connection.note) terminal.stderr.write(`${connection.note}\n`);
  const described = await callTool(connection, 'get_tool_schema', { tool_name: tool }, { signal });
  if (described.status !== 200) return failed(described, { tool }, terminal);

  const description = toolDescription(described.body);
  const payer = await payerOf(ownFlag(words, 'wallet') ?? setup.defaultWallet, description, connection);
  const flags = parseCallFlags(words, description, payer);
  const input = await withFiles(flags.input, description, terminal);
  const reply = await watched(setup, tool, input, payer?.bearer);
  if (reply.status !== 200) return failed(reply, { tool, description, input: flags.input }, terminal);
  await deliver(reply.body, description, flags, setup);
  return 0;
}

/** A token says nothing of its wallet, so the server is asked where the tool has a field for it. */
async function payerOf(
  bearer: string | undefined,
  { fields }: ToolDescription,
  connection: Connection,
): Promise<Payer | undefined> {
  if (bearer === undefined) return undefined;
  if (!isToken(bearer)) return { bearer, address: bearer };
  return fields.wallet ? { bearer, address: await walletOf(connection, bearer) } : { bearer };
}

function failed(reply: Reply, sent: Parameters<typeof failureText>[1], { stderr }: Terminal): number {
  stderr.write(failureText(reply.body, sent));
  return 1;
}

async function watched(
  { connection, terminal, signal }: CallSetup,
  tool: string,
  input: Body,
  bearer: string | undefined,
): Promise<Reply> {
  const view = progressView(terminal.stderr);
  try {
    return await callTool(connection, tool, input, { bearer, signal, onProgress: view.show });
  } finally {
    view.clear();
  }
}

/** The file goes where `--out` says (`-` is standard output), or beside on a terminal; the rest is JSON on standard output. */
async function deliver(
  answer: Body,
  { name }: ToolDescription,
  { out }: CallFlags,
  setup: CallSetup,
): Promise<void> {
  const { stdout, stderr } = setup.terminal;
  const file = await fileOf(answer, out, setup);
  if (out === '-' && file) return void stdout.write(file.bytes);
  const path = file && (await writtenPath(file, name, out, setup));
  if (out !== undefined && !file) stderr.write('The answer holds no file, so nothing was written.\n');
  if (path === undefined) return void stdout.write(printableJson(answer));
  stderr.write(`Wrote ${path} (${file!.bytes.byteLength} bytes, ${file!.contentType}).\n`);
  const { [file!.field]: _, ...rest } = answer;
  stdout.write(printableJson(rest));
}

/** With `--output url` the bytes are only behind the link; they are fetched when a place for them was named. */
async function fileOf(
  answer: Body,
  out: string | undefined,
  { connection, signal }: CallSetup,
): Promise<AnswerFile | undefined> {
  const inside = answerFile(answer);
  if (inside || out === undefined || typeof answer.result_url !== 'string') return inside;
  const response = await connection.fetch(new Request(answer.result_url, { signal }));
  if (!response.ok) return undefined;
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
  return { bytes: new Uint8Array(await response.arrayBuffer()), contentType, field: '' };
}

async function writtenPath(
  file: AnswerFile,
  tool: string,
  out: string | undefined,
  { folder, terminal }: CallSetup,
): Promise<string | undefined> {
  if (out !== undefined) return writeTo(out, file, tool);
  return terminal.stdout.isTTY ? writeNew(folder, file, tool) : undefined;
}
