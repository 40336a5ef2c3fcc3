import type { Rollback } from '../../../features/operator/backups/types.ts';
import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { showWork } from '../show_work.ts';
import type { World } from '../world.ts';

export const rollbackCommand = defineCommand({
  name: 'rollback',
  summary: 'bring the database back to before the last migration, to start the version before',
  words: '',
  example: 'atelier rollback',
  switches: {
    ...DATA_SWITCH,
    at: { meaning: 'The snapshot of this name instead of the newest.', value: '<name>' },
    yes: { meaning: 'Do not ask.' },
  },
  notes:
    'A server that changes the tables of its database at a start keeps a snapshot of it first (MIGRATION_SNAPSHOTS). This says what has changed\nsince, asks, and goes back there. No server runs meanwhile. The database as it is now is put aside.',

  async run({ values }, world) {
    const backups = await world.openBackups(configOf(values, world));
    const chosen = { at: values.at };
    return showWork(
      world,
      async (options) => {
        const preview = await backups.previewRollback(chosen);
        world.terminal.stdout.write(described(preview));
        if (!(values.yes ?? (await agrees(world)))) return { told: 'Nothing was changed.\n', code: 1 };
        const { rows, aside } = await backups.rollBack({ ...options, ...chosen });
        const kept = aside.map((place) => `The database as it was until now is in ${place}.\n`).join('');
        return {
          told: `${rows} rows are as they were then.\n${kept}Now start the version before: this one would change the tables again.\n`,
        };
      },
      'Nothing was changed.',
    );
  },
});

const agrees = async ({ terminal }: World): Promise<boolean> => {
  if (terminal.confirm) return terminal.confirm('Go back?');
  terminal.stderr.write('Say --yes to go back.\n');
  return false;
};

function described({ name, madeAt, isUnreadable, migrations, changes }: Rollback): string {
  const lines = [
    `Snapshot ${name}, made ${madeAt.toISOString()}.`,
    `Undone: ${migrations.length > 0 ? migrations.join(', ') : 'no migration'}.`,
    isUnreadable
      ? 'The database as it is now cannot be opened: what has changed since is not known, and is lost.'
      : changes.length > 0
        ? 'Tables with another number of rows, then and now:'
        : 'Every table has as many rows as then.',
    ...changes.map(({ table, before, now }) => `  ${table.padEnd(28)} ${before} → ${now}`),
    'Rows that were only changed since, or added and removed, do not show here, and go back as well.',
  ];
  return `${lines.join('\n')}\n`;
}
