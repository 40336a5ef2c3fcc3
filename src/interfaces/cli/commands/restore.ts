import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { showWork } from '../show_work.ts';

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'restore a backup to DATA_DIR, or to the configured database and bucket',
  words: '<place>',
  example: 'atelier restore /mnt/backups/atelier',
  switches: {
    ...DATA_SWITCH,
    at: { meaning: 'name of the backup to restore. Default: the newest', value: '<name>' },
    replace: { meaning: 'move existing data aside instead of stopping' },
  },
  notes:
    'Stop all servers first. A backup of the embedded database can be restored to PostgreSQL (DATABASE_URL), and vice versa. All files are\nverified before anything is written; the ledger, the log, all tables and all references are verified afterwards. The restore is all or\nnothing: if it fails or is stopped, existing data is unchanged; run the same command to start again.',

  async run({ words: [place = ''], values }, world) {
    const backups = await world.openBackups(configOf(values, world));
    return showWork(
      world,
      async (options) => {
        const mayReplace = values.replace === true;
        const done = await backups.restore(place, { ...options, at: values.at, mayReplace });
        const lines = [
          `${done.name} was restored and verified: ${done.rows} rows and ${done.blobs} blobs.`,
          ...done.aside.map(
            (place) => `The earlier data is in ${place}. Delete it when you no longer need it.`,
          ),
          ...(done.damaged > 0
            ? [`${done.damaged} blobs were damaged when the backup was created, and are missing.`]
            : []),
        ];
        return { told: `${lines.join('\n')}\n` };
      },
      'Nothing was restored. The existing data is unchanged, or was moved aside.',
    );
  },
});
