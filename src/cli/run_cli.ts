import { closest } from '../catalogue/closest.ts';
import type { Config } from '../config.ts';
import type { OpenedDataset } from '../open_dataset.ts';
import type { Models } from '../services/models/index.ts';
import { callCommand } from './call_command.ts';
import { helpCommand, toolsCommand } from './catalogue_commands.ts';
import { type Connection, ConnectionError } from './client.ts';
import { configCommand } from './config_command.ts';
import { datasetCommand } from './dataset_command.ts';
import { ownFlag } from './flags.ts';
import { modelsCommand } from './models_command.ts';
import { printable, type Terminal } from './terminal.ts';
import { UsageError } from './usage_error.ts';

/** Everything outside the program; a test passes its own. */
export interface World {
  readonly terminal: Terminal;
  readonly settings: { readonly url?: string | undefined; readonly wallet?: string | undefined };
  /** Where files without a given name go. */
  readonly folder: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readConfig(): Config;
  connect(url: string | undefined): Promise<Connection>;
  /** The networks in the data folder the settings name. */
  openModels(config: Config): Promise<Models>;
  /** The dataset in the database the settings name. */
  openDataset(config: Config): Promise<OpenedDataset>;
}

const USAGE = `atelier call <tool> --flags   call a tool; files by name, - for standard input
atelier tools [words]         find tools
atelier help <tool>           every flag of a tool
atelier models                networks on this machine: list, pull, add
atelier dataset               works of museums: status, import, pull
atelier start                 start the server
atelier config                every setting with its value and meaning
`;

const COMMANDS = ['call', 'tools', 'help', 'models', 'dataset', 'start', 'config'];

/** Runs one command. Exit codes: 0 done, 1 the call failed, 2 used wrongly, 130 stopped by Ctrl-C. */
export async function runCli(words: readonly string[], world: World): Promise<number> {
  const { stderr } = world.terminal;
  try {
    const code = await dispatch(words, world);
    return world.signal.aborted ? 130 : code;
  } catch (error) {
    if (world.signal.aborted) return 130;
    if (error instanceof UsageError) {
      stderr.write(`${printable(error.message)}\n`);
      return 2;
    }
    stderr.write(
      `${printable(error instanceof ConnectionError ? error.message : `It went wrong: ${(error as Error).message}`)}\n`,
    );
    return 1;
  }
}

async function dispatch([command = 'help', ...words]: readonly string[], world: World): Promise<number> {
  const { terminal } = world;
  const [first] = words;
  const wantsHelp = command === '--help' || command === '-h' || (command === 'help' && first === undefined);
  if (wantsHelp) {
    terminal.stdout.write(USAGE);
    return 0;
  }
  if (command === 'config') return configCommand(readConfig(world), terminal.stdout);
  if (command === 'models')
    return modelsCommand(words, { ...world, models: await world.openModels(readConfig(world)) });
  if (command === 'dataset') {
    const openDataset = () => world.openDataset(readConfig(world));
    return datasetCommand(words, { ...world, openDataset });
  }
  if (command === 'tools') {
    const query = words.filter((word, at) => !word.startsWith('--url') && words[at - 1] !== '--url');
    return connected(words, world, (connection) => toolsCommand(query, connection, terminal));
  }
  if (command !== 'call' && command !== 'help') throw new UsageError(unknownCommand(command));
  if (first === undefined || first.startsWith('-'))
    throw new UsageError('Name the tool: atelier call <tool> --flags. See: atelier tools');
  return connected(words, world, (connection) =>
    command === 'help' || words.includes('--help')
      ? helpCommand(first, connection, terminal)
      : callCommand(first, words.slice(1), { ...world, connection, defaultWallet: world.settings.wallet }),
  );
}

function unknownCommand(command: string): string {
  const guess = closest(command, COMMANDS)[0];
  return `There is no command "${command}".${guess ? ` Did you mean "atelier ${guess}"?` : ''}\n\n${USAGE}`;
}

/** @throws UsageError naming every bad setting */
function readConfig(world: World): Config {
  try {
    return world.readConfig();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function connected(
  words: readonly string[],
  world: World,
  work: (connection: Connection) => Promise<number>,
): Promise<number> {
  const connection = await world.connect(ownFlag(words, 'url') ?? world.settings.url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
