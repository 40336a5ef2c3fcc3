import type { Move, MoveOptions } from '../../../features/operator/moving/moving.ts';
import { defineCommand } from '../command.ts';
import { progressView } from '../progress.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary:
    'move the embedded database to PostgreSQL (DATABASE_URL), or files to a bucket (STORAGE_URL), also while the server runs',
  words: '[<files>]',
  example: 'DATABASE_URL=postgres://… atelier migrate',
  firstWord: ['files'],
  switches: {
    ...DATA_SWITCH,
    last: {
      meaning: 'with files: final copy, after all servers were stopped; then start them with STORAGE_URL',
    },
  },
  notes:
    'Set DATABASE_URL in the environment to a new, empty database. A running server then answers writes with 503 and Retry-After;\nreads still work. Every table is compared after the copy. The move is all or nothing: if it fails or is stopped, nothing changes;\nrun the same command to start again.\n\nmigrate files copies the files that are not in the bucket of STORAGE_URL yet. Run it as often as you like while servers read and\nwrite. Then stop the servers, run it with --last, which copies the new files, and start them with STORAGE_URL. The folder stays unchanged.',

  async run({ words: [what], values }, world) {
    if (what !== undefined && what !== 'files')
      throw new UsageError(`"${what}" cannot be moved. Use files, or no argument for the database.`);
    if (values.last && !what) throw new UsageError('--last requires files.');
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
      const left = what ? 'Copied files are kept; run the same command to continue.' : 'Nothing was moved.';
      stderr.write(`${replaceControls((error as Error).message)}\n${left}\n`);
      return 1;
    }
  },
});

async function moveDatabase(move: Move, options: MoveOptions): Promise<string> {
  const { tables, rows, wasOpen } = await move.database(options);
  const next = wasOpen
    ? 'The running server is now read-only. Stop it, then start it with DATABASE_URL.'
    : 'Start the server with DATABASE_URL from now on.';
  return `${rows} rows of ${tables} tables were copied to the database of DATABASE_URL and verified.\n${next}\n`;
}

async function moveFiles(move: Move, options: MoveOptions & { isLast: boolean }): Promise<string> {
  const { files, copied, bytes } = await move.files(options);
  const next = options.isLast
    ? 'Start the servers with STORAGE_URL from now on.'
    : 'Stop all servers, run this command with --last, then start them with STORAGE_URL.';
  return `${files} files are in the bucket of STORAGE_URL; ${copied} of them were copied now (${bytes} bytes).\n${next}\n`;
}
