import { parseArgs } from 'node:util';
import { type Body, ConnectionError, type Reply } from '@atelier/client/transport.ts';
import { closest } from '../../catalog/closest.ts';
import { readProgram } from '../../config/program.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { CallContext } from '../../features/definitions/tool.ts';
import type { Connection } from './client.ts';
import { type Command, type Typed, wordsBounds } from './command.ts';
import { startCommand } from './commands/start.ts';
import { findCommand } from './find_command.ts';
import { commandHelp, groupHelp, overview } from './help_text.ts';
import { checkUrl, runningServer } from './running_server.ts';
import { paint, replaceControls } from './terminal.ts';
import { UsageError } from './usage_error.ts';
import type { World } from './world.ts';

/**
 * Parses the words after the name of a command. @throws UsageError for an unknown switch, a missing value, or
 * too many words
 */
function parseWords(command: Command, args: readonly string[]): Typed {
  const { name, switches } = command;
  const options = Object.fromEntries(
    Object.entries(switches).map(([key, { value }]) => [
      key,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  // Not strict: `parseArgs` would report a wrong switch, but not the closest one.
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(switches, token.name)) throw new UsageError(unknownSwitch(command, token.rawName));
    values[token.name] = checkedValue(command, token);
  }
  const { min, max } = wordsBounds(command);
  if (positionals.length < min)
    throw new UsageError(`"atelier ${name}" needs ${command.words}. ${seeHelp(command)}`);
  if (positionals.length > max)
    throw new UsageError(`Unexpected argument "${positionals[max]}". ${seeHelp(command)}`);
  return { words: positionals, values: values as Typed['values'] };
}

function checkedValue(
  { switches }: Command,
  {
    name,
    value,
    inlineValue,
  }: { name: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string | boolean {
  const { value: wanted } = switches[name]!;
  if (wanted === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value; got "${value}".`);
    return true;
  }
  // `--limit --part`: a switch that follows is not a value.
  const isNextSwitch = !inlineValue && value?.startsWith('--') && Object.hasOwn(switches, value.slice(2));
  if (value === undefined || value === '' || isNextSwitch)
    throw new UsageError(`--${name} needs a value: --${name} ${wanted}.`);
  return value;
}

function unknownSwitch(command: Command, typed: string): string {
  const names = [...Object.keys(command.switches), 'help'];
  const guess = closest(typed, names)[0];
  return `"atelier ${command.name}" has no switch ${typed}.${guess ? ` Did you mean --${guess}?` : ''} ${seeHelp(command)}`;
}

const seeHelp = ({ name }: Command): string => `See: atelier ${name} --help`;

/**
 * Runs one command. Exit codes: 0 success, 1 failure, 2 usage error, 3 success but the file could not be
 * written, 130 stopped by Ctrl-C.
 */
export async function runCli(words: readonly string[], world: World): Promise<number> {
  const { stderr } = world.terminal;
  const say = (text: string) => stderr.write(`${paint(stderr, 'red', replaceControls(text))}\n`);
  try {
    const code = await dispatch(words, world);
    return world.signal.aborted ? 130 : code;
  } catch (error) {
    if (world.signal.aborted) {
      say(
        'Stopped. You are not charged for an unfinished image. Files that were being saved may have been saved.',
      );
      return 130;
    }
    const { message } = error as Error;
    if (error instanceof UsageError) {
      say(message);
      return 2;
    }
    say(error instanceof ConnectionError ? message : `Error: ${message}`);
    return 1;
  }
}

async function dispatch(words: readonly string[], world: World): Promise<number> {
  const { stdout } = world.terminal;
  const [first] = words;
  // A server does not load the other commands.
  const commands =
    first === startCommand.name ? [startCommand] : (await import('./commands/index.ts')).commands;
  if (first === undefined || first === '--help' || first === '-h') {
    stdout.write(overview(commands, stdout));
    return 0;
  }
  if (first === '--version' || first === '-v') {
    stdout.write(`${version()}\n`);
    return 0;
  }
  const found = findCommand(words, commands);
  if ('group' in found) {
    stdout.write(groupHelp(found.group, commands, stdout));
    return 0;
  }
  const { command, rest } = found;
  if (asksForHelp(rest)) {
    if (command.help) return command.help(rest, world);
    stdout.write(commandHelp(command, stdout));
    return 0;
  }
  const typed = command.takesToolFlags ? { words: rest, values: {} } : parseWords(command, rest);
  return command.run(typed, world, commands);
}

/** Words after `--` are not switches. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

/** The version and build of this program, and the version of Node. */
function version(): string {
  const { version: ours, build } = readProgram();
  return `atelier ${ours} (${build}, Node ${process.versions.node})`;
}

/** The app, opened in this process. */
export interface OpenedApp {
  fetch(request: Request): Response | Promise<Response>;
  close(): Promise<void>;
}

interface Places {
  /** A server named by the user. */
  readonly url?: string | undefined;
  /** Folder whose running server is used, if any. */
  readonly dataDir?: string | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
  openApp(): Promise<OpenedApp>;
}

/**
 * Selects the server to call: the given URL, else the server that runs on this data folder, else the app in
 * this process, opened at the first call. (Two processes must never open the same embedded database.) @throws
 * UsageError for an invalid URL
 */
export async function connect({ url, dataDir = '', fetch, openApp }: Places): Promise<Connection> {
  const address = url === undefined ? await runningServer(dataDir) : checkUrl(url);
  if (address !== undefined) return { baseUrl: address, fetch, close: async () => {} };
  let app: Promise<OpenedApp> | undefined;
  return {
    baseUrl: 'http://127.0.0.1',
    here: {
      note: `No --url is set and no server runs on ${dataDir}, so the call runs in this process. Its results are files; other links in the response do not work.`,
      readCatalogue: readLocalCatalogue,
    },
    async fetch(request) {
      app ??= openApp();
      return (await app).fetch(request);
    },
    close: async () => (await app)?.close(),
  };
}

/**
 * Answers search_tools and get_tool_schema from the catalogue of this program: no server, no database, no
 * writes.
 */
async function readLocalCatalogue(name: string, input: Body): Promise<Reply> {
  // Loaded on demand: if a server is running, loading all tools would take most of a command's time.
  const { createCatalogue } = await import('../../catalog/create_catalogue.ts');
  const { tools } = await import('../../features/tools.ts');
  const tool = tools.find((other) => other.name === name)!;
  try {
    const services = { catalogue: createCatalogue(tools) };
    const body = await tool.run(tool.input.parse(input), services as never, {} as CallContext);
    return { status: 200, body: body as Body };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    const { status, message, details } = error;
    return { status, body: { status, detail: message, ...details.members } };
  }
}
