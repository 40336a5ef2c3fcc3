import { closest } from '../catalogue/closest.ts';
import type { InstalledModel, ModelName, ModelState, Models, Origin } from '../services/models/index.ts';
import { progressView } from './progress.ts';
import { printable, type Terminal, table } from './terminal.ts';
import { UsageError } from './usage_error.ts';

interface Setup {
  readonly models: Models;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

const USAGE = `atelier models list                                every network, where it comes from, whether it is here
atelier models pull <name>…|all                    download official files
atelier models add <file> [--model <name>] [--accept]
                                                   take a file from this machine; --accept also if nobody vouches for it
`;

/** `atelier models …`: looks after the networks in DATA_DIR. Returns the exit code. @throws UsageError */
export async function modelsCommand([action, ...words]: readonly string[], setup: Setup): Promise<number> {
  if (action === undefined || action === 'list') return list(setup);
  if (action === 'pull') return pull(words, setup);
  if (action === 'add') return add(words, setup);
  throw new UsageError(`There is no "atelier models ${action}".\n\n${USAGE}`);
}

async function list({ models, terminal }: Setup): Promise<number> {
  const rows = (await models.list()).map((state) => [
    state.name,
    useText(state),
    state.installed ? ORIGIN_TEXTS[state.installed.origin] : 'not installed',
    megabytes(state.official.bytes),
    state.official.licence,
    state.official.url,
  ]);
  const own = (await models.upscalersAtHand()).flatMap((network) =>
    'condition' in network
      ? [
          [
            network.name,
            `upscale ×${network.architecture.scale}`,
            'part of this program',
            megabytes(network.bytes),
            'Apache-2.0',
            `for ${network.condition} pictures, where the one asked for is not installed`,
          ],
        ]
      : [],
  );
  terminal.stdout.write(table([...rows, ...own], terminal.stdout));
  return 0;
}

const ORIGIN_TEXTS: Record<Origin, string> = {
  official: 'installed: official file',
  equivalent: 'installed: official weights in another form',
  rounded: 'installed: official weights rounded to 16 bits',
  unofficial: 'installed: UNOFFICIAL',
};

const useText = ({ entry }: ModelState): string =>
  entry.use === 'upscale'
    ? `upscale ×${entry.architecture.scale}`
    : `cut-out ${entry.sidePx}×${entry.sidePx}`;

async function pull(words: readonly string[], { models, terminal, signal }: Setup): Promise<number> {
  const states = await models.list();
  const names =
    words.join() === 'all' ? states.map(({ name }) => name) : words.map((word) => known(word, states));
  if (names.length === 0) throw new UsageError(`Name what to download.\n\n${USAGE}`);
  for (const name of names) {
    const state = states.find((other) => other.name === name)!;
    if (state.installed?.origin === 'official') {
      terminal.stdout.write(`${name} is here already.\n`);
      continue;
    }
    const view = progressView(terminal.stderr);
    const onProgress = (done: number, all: number) =>
      view.show(done / all, terminal.stderr.isTTY ? `${name} ${megabytes(done)} of ${megabytes(all)}` : name);
    try {
      report(await models.pull(name, { signal, onProgress }), terminal);
    } catch (error) {
      view.clear();
      return failed(error, terminal);
    }
    view.clear();
  }
  return 0;
}

async function add(words: readonly string[], { models, terminal }: Setup): Promise<number> {
  const states = await models.list();
  const { path, model, accept } = addFlags(words);
  try {
    report(
      await models.add(path, { accept, name: model === undefined ? undefined : known(model, states) }),
      terminal,
    );
    return 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return failed(error, terminal);
  }
}

function addFlags(words: readonly string[]): { path: string; model: string | undefined; accept: boolean } {
  const rest = words.filter((word) => word !== '--accept');
  const at = rest.findIndex((word) => word === '--model' || word.startsWith('--model='));
  const isJoined = rest[at]?.includes('=');
  const model = at < 0 ? undefined : isJoined ? rest[at]!.slice('--model='.length) : rest[at + 1];
  if (at >= 0) rest.splice(at, isJoined ? 1 : 2);
  const [path] = rest;
  if (path === undefined || rest.length > 1 || (at >= 0 && !model))
    throw new UsageError(`Name one file.\n\n${USAGE}`);
  return { path, model, accept: words.includes('--accept') };
}

function known(word: string, states: readonly ModelState[]): ModelName {
  const names = states.map(({ name }) => name);
  const found = names.find((name) => name === word);
  if (found) return found;
  const guess = closest(word, names)[0];
  throw new UsageError(
    `There is no network "${word}".${guess ? ` Did you mean ${guess}?` : ''} There are: ${names.join(', ')}.`,
  );
}

function report({ name, origin, sha256 }: InstalledModel, { stdout }: Terminal): void {
  stdout.write(`${name} ${ORIGIN_TEXTS[origin]}, sha256 ${sha256}\n`);
}

function failed(error: unknown, { stderr }: Terminal): number {
  stderr.write(`${printable((error as Error).message)}\n`);
  return 1;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
