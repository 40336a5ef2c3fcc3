import type { ImportRequest } from '../../features/artworks/dataset.ts';
import type { Found } from '../../features/artworks/harvest/import_fetched.ts';
import { MUSEUMS, type MuseumName } from '../../features/artworks/museums/museums.ts';
import type { OpenedDataset } from '../../features/artworks/open_dataset.ts';
import type { Loss } from '../../features/artworks/releases/import_works.ts';
import { isExpected } from './dataset.ts';
import { type ProgressView, progressView } from './progress.ts';
import { replaceControls, type Terminal } from './terminal.ts';
import type { World } from './world.ts';

interface ImportMuseumOptions extends Pick<ImportRequest, 'worksMax' | 'isPart'> {
  readonly museum: MuseumName;
  /** The caller has said that works may go. */
  readonly mayShrink: boolean;
  /** The command after `atelier`, to suggest it with --shrink. */
  readonly typed: string;
  find(showing: { onProgress(fraction: number, message: string): void }): Promise<Found>;
}

/** Finds a museum's file, imports it, and says what became of its rows. Returns the exit code. */
export async function importMuseum(
  dataset: OpenedDataset,
  { museum, worksMax, isPart, mayShrink, typed, find }: ImportMuseumOptions,
  { terminal, signal }: World,
): Promise<number> {
  const { stderr } = terminal;
  const view = progressView(stderr);
  try {
    const onProgress = (fraction: number, message: string) => view.show(fraction, `${museum}: ${message}`);
    const done = await dataset.importFetched(() => find({ onProgress }), {
      museum,
      worksMax,
      isPart,
      signal,
      onProgress({ rows, added }) {
        if (stderr.isTTY) view.show(0, `${museum}: ${rows} rows read, ${added} new works`);
      },
      mayLose: async (loss) => mayShrink || (await isConfirmed(loss, museum, terminal, view)),
    });
    view.clear();
    printReport(museum, done, terminal);
    return 0;
  } catch (error) {
    view.clear();
    const isLoss = (error as Error).name === 'WorksWouldGo';
    if (!isLoss && !isExpected(error as Error)) throw error;
    stderr.write(`${museum}: ${replaceControls((error as Error).message)}\n`);
    if (isLoss)
      stderr.write(
        `Nothing was changed. If the file is a partial export of the museum, "atelier dataset import" with --part keeps the other works.\nTo remove them: atelier ${replaceControls(typed)} --shrink\n`,
      );
    return 1;
  }
}

/** Asks on an interactive terminal; a script has to say it in advance. */
async function isConfirmed(
  { going, works, left }: Loss,
  museum: MuseumName,
  { confirm }: Terminal,
  view: ProgressView,
): Promise<boolean> {
  if (!confirm) return false;
  view.clear();
  return confirm(
    `${going} of the ${works} works of ${MUSEUMS[museum].name} are not in the file and would be removed, leaving ${left}. Remove them?`,
  );
}

function printReport(
  museum: MuseumName,
  { report, edition }: Awaited<ReturnType<OpenedDataset['import']>>,
  { stdout }: Terminal,
): void {
  stdout.write(
    `${MUSEUMS[museum].name}: ${report.rows} rows, ${report.added} new, ${report.changed} changed, ${report.unchanged} unchanged, ${report.removed} removed, ${report.duplicates} duplicates, ${report.bad} invalid.\n`,
  );
  for (const [reason, count] of Object.entries(report.left_out))
    stdout.write(`  ${count} skipped: ${reason}\n`);
  for (const { where, problem, quote } of report.bad_rows)
    stdout.write(`  invalid: ${replaceControls(`${where}: ${problem}${quote && ` (${quote})`}`)}\n`);
  if (!report.complete) stdout.write('  The file is incomplete, so no works were removed.\n');
  stdout.write(`  Edition ${edition.number} has ${edition.works} works, sha256 ${edition.digest}.\n`);
}
