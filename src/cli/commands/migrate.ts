import { defineCommand } from '../command.ts';
import { progressView } from '../progress.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary:
    'move the embedded database to the PostgreSQL of DATABASE_URL, while what is read is still answered',
  words: '',
  switches: DATA_SWITCH,
  notes:
    'DATABASE_URL names a new, empty database, in the environment. Beside a running server, writes are 503 with a time to come\nagain from then on; reads go on. Every table is compared after the copy. Whole or not at all: what fails or is stopped leaves\neverything as it was, and the same command begins again.',

  async run({ values }, world) {
    const { stdout, stderr } = world.terminal;
    const config = configOf(values, world);
    const view = progressView(stderr);
    try {
      const move = await world.openMove(config);
      const { tables, rows, wasOpen } = await move.database({ onProgress: view.show, signal: world.signal });
      view.clear();
      stdout.write(
        `${rows} rows of ${tables} tables are in the database of DATABASE_URL, and are the same.\n`,
      );
      stdout.write(
        wasOpen
          ? 'The server that runs only reads now. Stop it, and start it with DATABASE_URL.\n'
          : 'From now on start the server with DATABASE_URL.\n',
      );
      return 0;
    } catch (error) {
      view.clear();
      stderr.write(`${replaceControls((error as Error).message)}\nNothing was moved.\n`);
      return 1;
    }
  },
});
