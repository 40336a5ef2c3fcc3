import type { Rollback } from '../../../features/operator/backups/types.ts';
import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { showWork } from '../show_work.ts';
import type { World } from '../world.ts';

export const rollbackCommand = defineCommand({
  name: 'rollback',
  summary: 'restore the database snapshot from before the last migration, to run the earlier version',
  words: '',
  example: 'atelier rollback',
  switches: {
    ...DATA_SWITCH,
    at: { meaning: 'name of the snapshot to restore. Default: the newest', value: '<name>' },
    yes: { meaning: 'skip the confirmation' },
  },
  notes:
    'A server takes a snapshot of the database before each schema migration (MIGRATION_SNAPSHOTS). This command shows what has changed\nsince, asks for confirmation and restores the snapshot. Stop all servers first. The current database is moved aside.',

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
        const kept = aside.map((place) => `The replaced database is in ${place}.\n`).join('');
        return {
          told: `${rows} rows were restored.\n${kept}Now start the earlier version. This version would migrate the database again.\n`,
        };
      },
      'Nothing was changed.',
    );
  },
});

const agrees = async ({ terminal }: World): Promise<boolean> => {
  if (terminal.confirm) return terminal.confirm('Restore this snapshot?');
  terminal.stderr.write('Add --yes to restore the snapshot.\n');
  return false;
};

function described({ name, madeAt, isUnreadable, migrations, changes }: Rollback): string {
  const lines = [
    `Snapshot ${name}, taken ${madeAt.toISOString()}.`,
    `Migrations to undo: ${migrations.length > 0 ? migrations.join(', ') : 'none'}.`,
    isUnreadable
      ? 'The current database cannot be opened. Changes since the snapshot are unknown and will be lost.'
      : changes.length > 0
        ? 'Tables whose row count has changed, snapshot → now:'
        : 'No table has a different row count.',
    ...changes.map(({ table, before, now }) => `  ${table.padEnd(28)} ${before} → ${now}`),
    'Modified rows, and rows added and removed since, are not listed. They are reverted too.',
  ];
  return `${lines.join('\n')}\n`;
}
