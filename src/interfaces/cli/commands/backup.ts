import type { MadeBackup } from '../../../features/operator/backups/types.ts';
import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { showWork } from '../show_work.ts';
import { UsageError } from '../usage_error.ts';

const KEEP_MAX = 10_000;
/** Maximum names of damaged blobs in the output. */
const SHOWN_MAX = 10;

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'back up the database and stored files to a folder or bucket, also while the server runs',
  words: '<place>',
  example: 'atelier backup /mnt/backups/atelier --keep 14',
  switches: {
    ...DATA_SWITCH,
    keep: { meaning: 'number of backups to keep, including the new one', value: '<number>' },
    check: { meaning: 'verify an existing backup against its checksums instead of creating one' },
    at: { meaning: 'with --check: name of the backup to verify. Default: the newest', value: '<name>' },
  },
  notes:
    '<place> is a folder or the URL of a bucket (https://endpoint/bucket/prefix, with the keys in BACKUP_KEY_ID and BACKUP_SECRET_KEY).\nIt can hold several backups. Each backup is complete; files that an earlier backup contains are not copied again. Servers keep\nreading and writing. A backup contains the keys that the server generated, so protect it like DATA_DIR. Not included: uploads and\nresults, which expire after 24 hours; models, museum data and cached images, which can be downloaded again; environment variables.',

  async run({ words: [place = ''], values }, world) {
    const keep = values.keep === undefined ? undefined : Number(values.keep);
    if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1 && keep <= KEEP_MAX))
      throw new UsageError(`--keep must be a whole number from 1 to ${KEEP_MAX}.`);
    if (values.at !== undefined && !values.check) throw new UsageError('--at requires --check.');
    const backups = await world.openBackups(configOf(values, world));
    if (!values.check)
      return showWork(
        world,
        async (options) => sayMade(await backups.make(place, { ...options, keep })),
        'No backup was created. Copied files are kept; run the same command to continue.',
      );
    const check = async (options: object) => {
      const { name, objects, bytes } = await backups.check(place, { ...options, at: values.at });
      return { told: `${name} is intact: ${objects} objects, ${bytes} bytes.\n` };
    };
    return showWork(world, check, 'Nothing was changed.');
  },
});

/** An incomplete backup is kept, and the command fails, so that the operator checks it. */
function sayMade({ name, rows, blobs, bytes, addedBytes, damaged, pruned }: MadeBackup) {
  const lines = [
    `${name}: ${rows} rows and ${blobs} blobs, ${bytes} bytes, ${addedBytes} of them new.`,
    ...(pruned.length > 0 ? [`Removed: ${pruned.join(', ')}.`] : []),
    ...(damaged.length > 0
      ? [
          `${damaged.length} blobs in the database are damaged or missing, and are not in the backup: ${damaged.slice(0, SHOWN_MAX).join(', ')}`,
        ]
      : []),
  ];
  return { told: `${lines.join('\n')}\n`, code: damaged.length > 0 ? 1 : 0 };
}
