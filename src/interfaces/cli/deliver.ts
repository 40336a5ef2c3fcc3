import { basename, dirname, extname } from 'node:path';
import type { Body } from '@atelier/client/transport.ts';
import type { Connection } from './client.ts';
import {
  type AnswerFile,
  answerFile,
  extensionOf,
  fetchLinkedFile,
  linkOf,
  writeNew,
  writeTo,
} from './files.ts';
import { namedAfter } from './format_of_out.ts';
import { pickFields } from './json_fields.ts';
import type { ResultDestination } from './result_destination.ts';
import { printableJson, type Terminal } from './terminal.ts';

interface Setup {
  readonly connection: Connection;
  readonly terminal: Terminal;
  /** Folder for files without a given name. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

interface DeliverOptions {
  /** Names a file that has no name. */
  readonly tool: string;
  readonly place: ResultDestination;
  /** Fields to print. Default: all except file bytes. */
  readonly fields?: readonly string[] | undefined;
}

/** The call succeeded and was charged, but its file could not be written to its destination. */
const NOT_WRITTEN = 3;

/** Links to results, which end with an app in this process. */
const RESULT_PATH = '/api/results/';

/**
 * Writes the files behind the links of a result, because an app in this process ends with it, and puts their
 * names in place of the links. The link to the file of the result itself is left out, because `deliver`
 * writes it; if that file is a ZIP of all files, all links are.
 */
async function withoutLinks(answer: Body, { tool, place }: DeliverOptions, setup: Setup): Promise<Body> {
  const start = `${setup.connection.baseUrl}${RESULT_PATH}`;
  const { result_url: _, ...rest } = answer;
  const isZipped = place.kind !== 'unnamed' && answer.zip_url !== undefined;
  const replace = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(replace));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(async ([name, inner]) => [name, await replace(inner)]);
      return Object.fromEntries(await Promise.all(entries));
    }
    if (typeof value !== 'string' || !value.startsWith(start)) return value;
    const file = isZipped ? undefined : await fetchLinkedFile({ result_url: value }, setup);
    return file && writeNew(setup.folder, file, tool);
  };
  return (await replace(rest)) as Body;
}

/**
 * Writes the file of a result to its destination and the rest as JSON to standard output. No paid result is
 * lost: if the file cannot be written it goes to another name, or the JSON contains its link. Returns the
 * exit code.
 */
export async function deliver(answer: Body, options: DeliverOptions, setup: Setup): Promise<number> {
  const { tool, place, fields } = options;
  const { stdout, stderr } = setup.terminal;
  const { zip_url: zip } = answer;
  const source: Body = zip !== undefined && isZip(place) ? { zip_url: zip } : answer;
  const inside = answerFile(source);
  const hasLink = typeof (place.kind === 'unnamed' ? answer.result_url : linkOf(source)) === 'string';
  // The link of an app in this process ends with it.
  const isHere = setup.connection.here !== undefined;
  const isLinked = hasLink && !isHere;
  const isAsked = inside !== undefined && fields?.includes(inside.field) === true;
  const json = async (body: Body) => {
    const lasting = isHere ? await withoutLinks(body, options, setup) : body;
    stdout.write(
      printableJson(fields ? pickFields({ ...answer, ...lasting }, fields) : withoutBase64(lasting)),
    );
  };
  const rest = inside ? omitField(answer, inside.field) : answer;

  const isJsonEnough = isAsked || (inside ? isLinked && !stdout.isTTY : !(hasLink && isHere));
  if (place.kind === 'unnamed' && isJsonEnough) {
    if (inside && !fields)
      stderr.write(
        'The file is available at result_url. Write it to a file with --out <file>, or to standard output with --out -.\n',
      );
    await json(rest);
    return 0;
  }
  const file = inside ?? (await fetchLinkedFile(source, setup));
  if (!file) {
    stderr.write(
      `${hasLink ? 'The file could not be downloaded' : 'The response contains no file'}, so nothing was written.\n`,
    );
    await json(answer);
    return NOT_WRITTEN;
  }
  if (place.kind === 'stdout') {
    stdout.write(file.bytes);
    return 0;
  }
  const { path, problem } = await writeAnswer(file, { tool, place }, setup.folder);
  if (problem) stderr.write(`${problem}\n`);
  if (path !== undefined) stderr.write(describeWritten(path, file));
  await json(path !== undefined || isLinked ? rest : answer);
  return problem ? NOT_WRITTEN : 0;
}

const isZip = (place: ResultDestination): boolean => place.kind === 'file' && /\.zip$/i.test(place.path);

/** The path is missing if no file could be written. */
async function writeAnswer(
  file: AnswerFile,
  { tool, place }: DeliverOptions,
  folder: string,
): Promise<{ path?: string; problem?: string }> {
  const stem = tool.replace(/[^A-Za-z0-9_-]/g, '_');
  const beside = () => writeNew(folder, file, stem);
  try {
    if (place.kind === 'file') {
      const right = namedAfter(place.path, extensionOf(file.contentType));
      // A name that was not typed may belong to another file.
      if (right !== place.path)
        return { path: await writeNew(dirname(right), file, basename(right, extname(right))) };
      return { path: await writeTo(place.path, file) };
    }
    return { path: place.kind === 'folder' ? await writeNew(place.path, file, stem) : await beside() };
  } catch (error) {
    const problem = (error as Error).message;
    return {
      problem,
      ...(await beside().then(
        (path) => ({ path }),
        () => ({}),
      )),
    };
  }
}

const describeWritten = (path: string, { bytes, contentType }: AnswerFile): string =>
  `Wrote ${path} (${bytes.byteLength} bytes, ${contentType}).\n`;

const omitField = (answer: Body, field: string): Body =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => name !== field));

const BASE64_SHOWN_MAX = 1000;

/** Base64 of images is not printed: people cannot read it. */
function withoutBase64(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutBase64(item, path));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const place = path ? `${path}.${name}` : name;
      const isLong = name.endsWith('_b64') && typeof inner === 'string' && inner.length > BASE64_SHOWN_MAX;
      return [
        name,
        isLong
          ? `(${inner.length} characters of base64, printed by --json ${place})`
          : withoutBase64(inner, place),
      ];
    }),
  );
}
