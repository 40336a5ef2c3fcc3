import { randomUUID } from 'node:crypto';
import { glob, readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { AtelierProblem } from '@atelier/client/problem.ts';
import { retry } from '@atelier/client/retry.ts';
import { type Body, ConnectionError, type Reply } from '@atelier/client/transport.ts';
import mime from 'mime';
import { type Connection, callTool } from './client.ts';
import { failureText } from './failure_text.ts';
import { answerFile, fetchLinkedFile, HANDLE, withFiles, writeNew } from './files.ts';
import { flagOf, type ToolDescription, takesFile } from './input_schema.ts';
import { pickFields } from './json_fields.ts';
import { makeFolder, namesFolder } from './result_destination.ts';
import { paint, replaceControls, type Terminal } from './terminal.ts';
import { UsageError } from './usage_error.ts';

/** A server on one machine processes few images at once. */
const SIDE_BY_SIDE = 2;
/** A busy server sends Retry-After, and may do so several times for a long list of files. */
const RETRIES = 8;
/** No payment or an invalid field: the response to the other files would be the same. */
const ABOUT_ALL = [401, 402, 403, 404];

interface Batch extends ManyFiles {
  readonly description: ToolDescription;
  /** All fields except the file. */
  readonly input: Body;
  /** Folder for the result files. */
  readonly out: string | undefined;
  readonly bearer: string | undefined;
  /** Fields to print of each response. Default: all except file bytes. */
  readonly fields: readonly string[] | undefined;
}

interface Setup {
  readonly connection: Connection;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

const FILE_FIELDS = ['image_b64', 'file_b64', 'svg_content'];

/** @throws UsageError if the results are files and `out` is not a folder */
export async function folderForAll(
  out: string | undefined,
  { answerFields }: ToolDescription,
): Promise<string | undefined> {
  const hasFiles = answerFields.some((field) => FILE_FIELDS.includes(field));
  if (out === undefined && !hasFiles) return undefined;
  if (out === undefined || !namesFolder(out))
    throw new UsageError('Several files need a folder for their results, such as --out made/');
  return makeFolder(out);
}

/**
 * Calls a tool for one file after the other. Writes one line of JSON per file to standard output, and
 * progress to standard error. If the first call fails for a reason that applies to all files, no other is
 * sent. Returns the exit code: 1 if a file failed.
 */
export async function callEach(batch: Batch, setup: Setup): Promise<number> {
  const { stdout, stderr } = setup.terminal;
  const waiting = batch.files.entries();
  let [done, failed] = [0, 0];
  let aboutAll: AtelierProblem | undefined;
  const one = async (file: string) => {
    const { said, body, problem } = await callForFile(file, batch, setup);
    done += 1;
    const color = problem ? 'red' : 'green';
    stderr.write(
      `${paint(stderr, color, `[${done}/${batch.files.length}]`)} ${replaceControls(`${file} ${said}`)}\n`,
    );
    if (body) stdout.write(`${JSON.stringify(body)}\n`);
    if (problem) failed += 1;
    const isAboutAll =
      problem && (ABOUT_ALL.includes(problem.status) || (done === 1 && problem.code === 'invalid_input'));
    if (isAboutAll) aboutAll ??= problem;
  };
  const worker = async () => {
    for (const [, file] of waiting) {
      if (aboutAll || setup.signal.aborted) return;
      await one(file);
    }
  };
  // The first call runs alone: a problem common to all files is reported once.
  const [, first] = waiting.next().value!;
  await one(first);
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  setup.signal.throwIfAborted();
  if (aboutAll)
    stderr.write(
      `${failureText(aboutAll.body, { tool: batch.description.name })}Files not sent, because the server would reject them too: ${batch.files.length - done}\n`,
    );
  return failed > 0 ? 1 : 0;
}

/** The outcome for one file: as text, as a line of JSON, and as a problem if it failed. */
async function callForFile(
  file: string,
  batch: Batch,
  setup: Setup,
): Promise<{ said: string; body?: Body; problem?: AtelierProblem }> {
  const { description, input, field, bearer, out, fields } = batch;
  const sending = { bearer, signal: setup.signal, idempotencyKey: randomUUID() };
  try {
    const sent = await withFiles({ ...input, [field]: file }, description, setup.terminal);
    const { body } = await retry(
      async () => accepted(await callTool(setup.connection, description.name, sent, sending)),
      { retries: RETRIES, signal: setup.signal },
    );
    const found = answerFile(body) ?? (out === undefined ? undefined : await fetchLinkedFile(body, setup));
    const path = found && out !== undefined ? await writeNew(out, found, stemOf(file)) : undefined;
    const shown = fields ? pickFields(body, fields) : withoutFile(body, setup.connection);
    return {
      said: path === undefined ? 'done' : `→ ${path} (${found!.bytes.byteLength} bytes)`,
      body: { file, ...(path !== undefined && { out: path }), ...shown },
    };
  } catch (error) {
    if (setup.signal.aborted || error instanceof ConnectionError) throw error;
    const problem = error instanceof AtelierProblem ? error : undefined;
    const { message } = error as Error;
    return {
      said: `failed: ${message}`,
      body: { file, error: problem?.code ?? 'failed', detail: message },
      problem: problem ?? new AtelierProblem({ status: 0, body: { detail: message } }),
    };
  }
}

function accepted(reply: Reply): Reply {
  if (reply.status === 200) return reply;
  throw new AtelierProblem(reply);
}

/** The bytes are in the written file; the link of an app in this process ends with it. */
const withoutFile = (body: Body, { here }: Connection): Body =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => !FILE_FIELDS.includes(name) && !(here && name === 'result_url')),
  );

const stemOf = (file: string): string => basename(file, extname(file));

/** Maximum number of files of one command: beyond it the pattern is probably a mistake. */
const FILES_MAX = 10_000;

interface ManyFiles {
  /** The field that receives one file per call. */
  readonly field: string;
  /** Sorted by name, 2 before 10. */
  readonly files: readonly string[];
}

/**
 * The files that a folder or a pattern such as photos/*.jpg denotes; undefined if every file field names one
 * file.
 * @throws UsageError if there are none or too many, or two fields name several files
 */
export async function manyFiles(input: Body, { fields }: ToolDescription): Promise<ManyFiles | undefined> {
  const found: ManyFiles[] = [];
  for (const [field, value] of Object.entries(input)) {
    if (!takesFile(fields[field] ?? {}) || typeof value !== 'string' || HANDLE.test(value)) continue;
    const files = await filesOf(value);
    if (files) found.push({ field, files: checked(files, `${flagOf(field)} ${value}`) });
  }
  if (found.length > 1)
    throw new UsageError(
      `${found.map(({ field }) => flagOf(field)).join(' and ')} each name several files. Only one of them can.`,
    );
  return found[0];
}

/** A file may have * in its name, so an existing file takes precedence. */
async function filesOf(text: string): Promise<string[] | undefined> {
  const here = await stat(text).catch(() => undefined);
  if (here?.isDirectory()) {
    const entries = await readdir(text, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && isImage(entry.name))
      .map(({ name }) => join(text, name));
  }
  if (here || !/[*?[{]/.test(text)) return undefined;
  const paths = await Array.fromAsync(glob(text));
  const found = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((_, index) => found[index]!.isFile());
}

const isImage = (name: string): boolean =>
  !name.startsWith('.') && mime.getType(name)?.startsWith('image/') === true;

function checked(files: readonly string[], typed: string): string[] {
  if (files.length === 0)
    throw new UsageError(`${typed} matches no file. Use a folder with images, or another pattern.`);
  if (files.length > FILES_MAX)
    throw new UsageError(
      `${typed} matches ${files.length} files. The limit is ${FILES_MAX}. Use a smaller folder.`,
    );
  return files.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
