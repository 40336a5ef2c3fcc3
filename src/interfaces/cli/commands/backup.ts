import type { MadeBackup } from '../../../features/operator/backups/types.ts';
import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { showWork } from '../show_work.ts';
import { UsageError } from '../usage_error.ts';

const KEEP_MAX = 10_000;
/** Names that are shown of damaged blobs. */
const SHOWN_MAX = 10;

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'back up the database and stored bytes to a folder or bucket, beside a running server',
  words: '<place>',
  example: 'atelier backup /mnt/backups/atelier --keep 14',
  switches: {
    ...DATA_SWITCH,
    keep: { meaning: 'Keep only so many backups in the place, the new one among them.', value: '<number>' },
    check: { meaning: 'Make none: read a backup of the place whole, and compare it with its checksums.' },
    at: { meaning: 'With --check: the backup of this name instead of the newest.', value: '<name>' },
  },
  notes:
    'The place is a folder, or the address of a bucket (https://endpoint/bucket/prefix, keys in BACKUP_KEY_ID and BACKUP_SECRET_KEY).\nIt may hold many backups: each is whole, and what one has already is not copied for the next. Servers read and write\nmeanwhile. It holds the keys the server made for itself, so keep it as safe as DATA_DIR. Not in it: uploads and results, which end after\na day; networks, museums and mirrored pictures, which can be fetched again; what is set in the environment.',

  async run({ words: [place = ''], values }, world) {
    const keep = values.keep === undefined ? undefined : Number(values.keep);
    if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1 && keep <= KEEP_MAX))
      throw new UsageError(`--keep is a number from 1 to ${KEEP_MAX}.`);
    if (values.at !== undefined && !values.check) throw new UsageError('--at goes with --check.');
    const backups = await world.openBackups(configOf(values, world));
    if (!values.check)
      return showWork(
        world,
        async (options) => sayMade(await backups.make(place, { ...options, keep })),
        'No backup was made. What was copied stays; the same command goes on.',
      );
    const check = async (options: object) => {
      const { name, objects, bytes } = await backups.check(place, { ...options, at: values.at });
      return { told: `${name} is as it was made: ${objects} objects, ${bytes} bytes.\n` };
    };
    return showWork(world, check, 'Nothing was changed.');
  },
});

/** A backup that lacks something is kept, and the command fails, so that the operator checks it. */
function sayMade({ name, rows, blobs, bytes, addedBytes, damaged, pruned }: MadeBackup) {
  const lines = [
    `${name}: ${rows} rows and ${blobs} blobs, ${bytes} bytes, ${addedBytes} of them new.`,
    ...(pruned.length > 0 ? [`Removed: ${pruned.join(', ')}.`] : []),
    ...(damaged.length > 0
      ? [
          `${damaged.length} blobs that the database names are damaged or gone, and are not in it: ${damaged.slice(0, SHOWN_MAX).join(', ')}`,
        ]
      : []),
  ];
  return { told: `${lines.join('\n')}\n`, code: damaged.length > 0 ? 1 : 0 };
}
