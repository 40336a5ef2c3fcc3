import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { showWork } from '../show_work.ts';

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'bring a backup to DATA_DIR, or to the database and bucket the settings name',
  words: '<place>',
  example: 'atelier restore /mnt/backups/atelier',
  switches: {
    ...DATA_SWITCH,
    at: { meaning: 'The backup of this name instead of the newest.', value: '<name>' },
    replace: { meaning: 'Put what is there aside, instead of refusing.' },
  },
  notes:
    'No server runs meanwhile. A backup of the embedded database may go to PostgreSQL (DATABASE_URL), and the other way. Every byte is checked\nbefore anything is written; the ledger, the log, every table and every reference after. Whole or not at all: what fails or is stopped\nleaves what was there as it was, and the same command begins again.',

  async run({ words: [place = ''], values }, world) {
    const backups = await world.openBackups(configOf(values, world));
    return showWork(
      world,
      async (options) => {
        const mayReplace = values.replace === true;
        const done = await backups.restore(place, { ...options, at: values.at, mayReplace });
        const lines = [
          `${done.name} is restored: ${done.rows} rows and ${done.blobs} blobs, all as they were.`,
          ...done.aside.map(
            (place) => `What was there before is in ${place}. Remove it once you miss nothing.`,
          ),
          ...(done.damaged > 0
            ? [`${done.damaged} blobs were damaged when it was made, and are missing.`]
            : []),
        ];
        return { told: `${lines.join('\n')}\n` };
      },
      'Nothing was restored; what was there is as it was, or put aside.',
    );
  },
});
