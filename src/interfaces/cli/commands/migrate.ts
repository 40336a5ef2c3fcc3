import type { Move, MoveOptions } from '../../../features/operator/moving/types.ts';
import { defineCommand } from '../command.ts';
import { progressView } from '../progress.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary:
    'move the embedded database to the PostgreSQL of DATABASE_URL, or files to the bucket of STORAGE_URL, beside a running server',
  words: '[<files>]',
  example: 'DATABASE_URL=postgres://… atelier migrate',
  firstWord: ['files'],
  switches: {
    ...DATA_SWITCH,
    last: { meaning: 'With files: all servers are stopped, and start with STORAGE_URL from then on.' },
  },
  notes:
    'DATABASE_URL names a new, empty database, in the environment. Beside a running server, writes are 503 with a time to come\nagain from then on; reads go on. Every table is compared after the copy. Whole or not at all: what fails or is stopped leaves\neverything as it was, and the same command begins again.\n\nmigrate files copies what is not in the bucket of STORAGE_URL yet, as often as you like, while servers read and write. Then stop them,\nrun it with --last, which copies what has come since, and start them with STORAGE_URL. The folder stays as it is.',

  async run({ words: [what], values }, world) {
    if (what !== undefined && what !== 'files') throw new UsageError(`"${what}" cannot be moved; files can.`);
    if (values.last && !what) throw new UsageError('--last goes with files.');
    const { stdout, stderr } = world.terminal;
    const config = configOf(values, world);
    const view = progressView(stderr);
    try {
      const move = await world.openMove(config);
      const options = { onProgress: view.show, signal: world.signal };
      const isLast = values.last === true;
      const told = what ? await moveFiles(move, { ...options, isLast }) : await moveDatabase(move, options);
      view.clear();
      stdout.write(told);
      return 0;
    } catch (error) {
      view.clear();
      const left = what ? 'What was copied stays; the same command goes on.' : 'Nothing was moved.';
      stderr.write(`${replaceControls((error as Error).message)}\n${left}\n`);
      return 1;
    }
  },
});

async function moveDatabase(move: Move, options: MoveOptions): Promise<string> {
  const { tables, rows, wasOpen } = await move.database(options);
  const next = wasOpen
    ? 'The server that runs only reads now. Stop it, and start it with DATABASE_URL.'
    : 'From now on start the server with DATABASE_URL.';
  return `${rows} rows of ${tables} tables are in the database of DATABASE_URL, and are the same.\n${next}\n`;
}

async function moveFiles(move: Move, options: MoveOptions & { isLast: boolean }): Promise<string> {
  const { files, copied, bytes } = await move.files(options);
  const next = options.isLast
    ? 'From now on start the servers with STORAGE_URL.'
    : 'Stop all servers and run this with --last, then start them with STORAGE_URL.';
  return `${files} files are in the bucket of STORAGE_URL, ${copied} of them since now (${bytes} bytes).\n${next}\n`;
}
