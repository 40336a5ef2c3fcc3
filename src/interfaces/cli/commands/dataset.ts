import type { ImportRequest } from '../../../features/artworks/dataset.ts';
import type { Found } from '../../../features/artworks/harvest/import_fetched.ts';
import type { MirrorReport } from '../../../features/artworks/image_cache/mirror_pictures.ts';
import { PICTURE_SIZES, PICTURE_WIDTHS } from '../../../features/artworks/images/sizes.ts';
import {
  MUSEUM_NAMES,
  MUSEUMS,
  type MuseumName,
  PULLED_SHARE,
  STARTER_MUSEUMS,
} from '../../../features/artworks/museums/museums.ts';
import type { OpenedDataset } from '../../../features/artworks/open_dataset.ts';
import type { Loss } from '../../../features/artworks/releases/import_works.ts';
import { defineCommand } from '../command.ts';
import { isExpected, requireMuseum, withDataset } from '../dataset.ts';
import { type ProgressView, progressView } from '../progress.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { type Output, replaceControls, type Terminal, table } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

export const datasetStatusCommand = defineCommand({
  name: 'dataset status',
  summary: 'show the imported works, and a running import',
  words: '',
  example: 'atelier dataset status',
  switches: DATA_SWITCH,

  run: ({ values }, world) =>
    withDataset(values, world, async (dataset) => {
      const { stdout } = world.terminal;
      const { editions, works, running } = await dataset.status();
      const rows = MUSEUM_NAMES.map((name) => {
        const last = editions.find(({ museum }) => museum === name);
        const counts = works[name] ?? { works: 0, pictures: 0 };
        return [
          name,
          `${counts.works} works`,
          `${counts.pictures} with an image`,
          last
            ? `edition ${last.number}, ${last.publishedAt.toISOString().slice(0, 10)}, ${last.source}`
            : 'starter only',
        ];
      });
      stdout.write(table(rows, stdout));
      const [newest] = editions;
      if (newest)
        stdout.write(`\nEdition ${newest.number}: ${newest.works} works, sha256 ${newest.digest}\n`);
      if (running) {
        const what = `${running.museum} from ${running.source}`;
        const read = `${running.report.rows} rows read`;
        stdout.write(
          running.isCutShort
            ? `An import of ${what} was interrupted, ${read}. Run the same command to continue; another import discards it.\n`
            : `Importing ${what}: ${read}, last written ${running.writtenAt.toISOString()}\n`,
        );
      }
      return 0;
    }),
});

export const datasetEmbedCommand = defineCommand({
  name: 'dataset embed',
  summary: 'compute embeddings of records (EMBEDDINGS_URL) and of cached images (tinyclip)',
  words: '',
  example: 'atelier dataset embed',
  switches: DATA_SWITCH,

  run: ({ values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout, stderr } = world.terminal;
      const shown = (what: string) => (count: number) => view.show(0, `${count} ${what}`);
      const { signal } = world;
      const done = await dataset.embed({ signal, onProgress: shown('works embedded') });
      const seen = await dataset.see({ signal, onProgress: shown('images embedded') });
      view.clear();
      if (done === undefined && seen === undefined) {
        stderr.write(
          'No embedding model is configured (EMBEDDINGS_URL and EMBEDDINGS_MODEL), and no image embedding model is installed: atelier models pull tinyclip\n',
        );
        return 1;
      }
      if (done !== undefined) stdout.write(`${done} works embedded. All other works already were.\n`);
      if (seen !== undefined)
        stdout.write(`${seen} images embedded. All other cached images already were.\n`);
      return 0;
    }),
});

/** Also used by `dataset pull`. */
const SHRINK_SWITCH = {
  shrink: { meaning: 'remove works that are not in the file, even if fewer works remain' },
};

export const datasetImportCommand = defineCommand({
  name: 'dataset import',
  summary: 'import the data file of a museum; importing it again changes nothing',
  words: '<museum> <file, folder or URL>',
  example: 'atelier dataset import met MetObjects.csv.gz',
  switches: {
    part: { meaning: 'partial file: keep works that are not in it' },
    limit: { value: '<n>', meaning: 'import at most n works; works with an image and the best known first' },
    ...SHRINK_SWITCH,
    ...DATA_SWITCH,
  },
  firstWord: MUSEUM_NAMES,

  run({ words: [name = '', place = ''], values }, world) {
    const museum = requireMuseum(name);
    const worksMax = values.limit === undefined ? undefined : count('limit', values.limit);
    const isPart = values.part === true;
    const isUrl = /^https?:\/\//.test(place);
    return withDataset(values, world, (dataset) =>
      importMuseum(
        dataset,
        {
          museum,
          mayShrink: values.shrink === true,
          typed: `dataset import ${museum} ${shellWord(place)}${worksMax === undefined ? '' : ` --limit ${worksMax}`}`,
          worksMax,
          isPart,
          find: async (showing) =>
            isUrl
              ? dataset.fetchFile(place, { worksMax, signal: world.signal, ...showing })
              : { path: place },
        },
        world,
      ),
    );
  },
});

/** Quotes a path or URL for a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`--${name} must be a whole number; got "${text}".`);
}

const GIGABYTE = 1e9;
const BUDGET_GB = 20;
const SIZE = 'large';

export const datasetMirrorCommand = defineCommand({
  name: 'dataset mirror',
  summary: 'mirror artwork images locally, so that they stay available if a museum goes offline',
  words: '[<museum>…]',
  example: 'atelier dataset mirror met rijks --size full --budget 200',
  switches: {
    size: {
      value: '<size>',
      meaning: `${PICTURE_SIZES.join(', ')} (${Object.values(PICTURE_WIDTHS).join(', ')} pixels wide, or original size). Default: ${SIZE}`,
    },
    budget: { value: '<GB>', meaning: `maximum size of all mirrored images. Default: ${BUDGET_GB}` },
    check: { meaning: 'verify mirrored images first, and download damaged ones again' },
    ...DATA_SWITCH,
  },
  firstWord: MUSEUM_NAMES,

  run({ words, values }, world) {
    const { signal, terminal } = world;
    const museums = words.length > 0 ? [...new Set(words.map(requireMuseum))] : MUSEUM_NAMES;
    const size = PICTURE_SIZES.find((one) => one === (values.size ?? SIZE));
    if (!size)
      throw new UsageError(`--size must be one of ${PICTURE_SIZES.join(', ')}; got "${values.size}".`);
    const bytesMax = budget(values.budget);
    return withDataset(values, world, async (dataset, view) => {
      const report = await dataset.mirror({
        museums,
        size,
        bytesMax,
        isChecked: values.check === true,
        signal,
        onProgress: (now) => view.show(now.bytes / bytesMax, lineOf(now)),
      });
      view.clear();
      print(report, terminal);
      if (signal.aborted) terminal.stderr.write('Stopped. Run the same command to continue.\n');
      return Object.values(report.museums).some(({ isGivenUp }) => isGivenUp) ? 1 : 0;
    });
  },
});

function budget(text: string | boolean | undefined): number {
  const gigabytes = text === undefined ? BUDGET_GB : Number(text);
  if (gigabytes > 0 && gigabytes < 1e6) return gigabytes * GIGABYTE;
  throw new UsageError(`--budget must be a number of gigabytes, such as 20 or 0.5; got "${text}".`);
}

const ofAll = (report: MirrorReport) =>
  `${report.pictures} images, ${(report.bytes / GIGABYTE).toFixed(2)} GB`;

const lineOf = (report: MirrorReport) =>
  `${ofAll(report)}; downloaded ${Object.entries(report.museums)
    .map(([museum, { brought }]) => `${museum} ${brought}`)
    .join(', ')}`;

function print(report: MirrorReport, { stdout, stderr }: { stdout: Output; stderr: Output }): void {
  for (const [museum, own] of Object.entries(report.museums)) {
    const { name } = MUSEUMS[museum as MuseumName];
    stdout.write(
      `${name}: ${own.brought} images downloaded, ${own.failed} failed, ${own.works} works with an image.\n`,
    );
    for (const problem of own.problems) stderr.write(`  ${replaceControls(problem)}\n`);
    if (own.isGivenUp)
      stderr.write('  Stopped after too many consecutive failures. Run the same command to retry.\n');
  }
  if (report.dropped > 0)
    stdout.write(`${report.dropped} images removed: damaged, or their works were removed.\n`);
  if (report.isFull) stdout.write('The size limit is reached (--budget).\n');
  stdout.write(`${ofAll(report)} are mirrored.\n`);
}

export const datasetPicturesCommand = defineCommand({
  name: 'dataset pictures',
  summary: 'index images of works (met_436535.jpg) for search by colour and visual similarity',
  words: '<folder>',
  example: 'atelier dataset pictures pictures/',
  switches: DATA_SWITCH,

  run: ({ words: [folder = ''], values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout } = world.terminal;
      const { taken, unknown, bad } = await dataset.measure(folder, {
        signal: world.signal,
        onProgress: (done, all) => view.show(all ? done / all : 0, `${done} of ${all} images`),
      });
      view.clear();
      stdout.write(
        `${taken} images indexed; ${unknown} files match no work; ${bad.length} files are not images.\n`,
      );
      for (const { file, problem } of bad) stdout.write(`  ${replaceControls(`${file}: ${problem}`)}\n`);
      return 0;
    }),
});

export const datasetPullCommand = defineCommand({
  name: 'dataset pull',
  summary: 'download and import museum data: 53,000 works in total, or everything',
  words: '[<museum>…]',
  example: 'atelier dataset pull met rijks',
  switches: {
    all: { meaning: 'import everything that the museums publish' },
    ...SHRINK_SWITCH,
    ...DATA_SWITCH,
  },
  firstWord: MUSEUM_NAMES,

  run({ words, values }, world) {
    const unnamed = values.all ? MUSEUM_NAMES : STARTER_MUSEUMS;
    const museums = words.length > 0 ? words.map(requireMuseum) : unnamed;
    const worksMax = values.all ? undefined : PULLED_SHARE;
    return withDataset(values, world, async (dataset) => {
      let code = 0;
      for (const museum of museums) {
        // A museum that cannot be reached does not stop the other imports.
        const done = await importMuseum(
          dataset,
          {
            museum,
            mayShrink: values.shrink === true,
            typed: `dataset pull ${museum}${values.all ? ' --all' : ''}`,
            worksMax,
            find: (showing) => dataset.fetchMuseum(museum, { worksMax, signal: world.signal, ...showing }),
          },
          world,
        );
        code = Math.max(code, done);
        if (done === 0) await noteTerms(museum, dataset, world);
        if (world.signal.aborted) break;
      }
      return code;
    });
  },
});

/** If the terms page cannot be read, the manifest reports it as missing; the works are imported anyway. */
async function noteTerms(
  museum: MuseumName,
  dataset: OpenedDataset,
  { terminal: { stdout, stderr }, signal }: World,
): Promise<void> {
  try {
    const { url, sha256 } = await dataset.fetchTerms(museum, signal);
    stdout.write(`  Terms of use read from ${url}: sha256 ${sha256}.\n`);
  } catch (error) {
    if ((error as Error).name !== 'SourceProblem') throw error;
    stderr.write(`${museum}: terms of use could not be read: ${replaceControls((error as Error).message)}\n`);
  }
}

export const datasetRegisterCommand = defineCommand({
  name: 'dataset register',
  summary: 'register images of works (met_436535.jpg), so that verify_provenance recognises crops of them',
  words: '<folder>',
  example: 'atelier dataset register pictures/',
  switches: DATA_SWITCH,

  run: ({ words: [folder = ''], values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout } = world.terminal;
      const { taken, unknown, bad } = await dataset.register(folder, {
        signal: world.signal,
        onProgress: (done, all) => view.show(all ? done / all : 0, `${done} of ${all} images`),
      });
      view.clear();
      stdout.write(
        `${taken} images registered; ${unknown} files match no work; ${bad.length} files cannot be registered.\n`,
      );
      for (const { file, problem } of bad) stdout.write(`  ${replaceControls(`${file}: ${problem}`)}\n`);
      return 0;
    }),
});

const REASON_CHARACTERS_MAX = 500;

export const datasetWithdrawCommand = defineCommand({
  name: 'dataset withdraw',
  summary: 'permanently remove a work; the reason is public',
  words: '<id> <reason>…',
  example: 'atelier dataset withdraw met_436535 "requested by the heirs"',
  switches: DATA_SWITCH,

  run: ({ words: [id = '', ...reason], values }, world) =>
    withDataset(values, world, async (dataset) => {
      const edition = await dataset.withdraw(id, reason.join(' ').slice(0, REASON_CHARACTERS_MAX));
      world.terminal.stdout.write(`${id} is removed from edition ${edition}. Later imports skip it.\n`);
      return 0;
    }),
});

interface ImportMuseumOptions extends Pick<ImportRequest, 'worksMax' | 'isPart'> {
  readonly museum: MuseumName;
  /** The user has allowed the import to delete works. */
  readonly mayShrink: boolean;
  /** The command after `atelier`, to suggest it with --shrink. */
  readonly typed: string;
  find(showing: { onProgress(fraction: number, message: string): void }): Promise<Found>;
}

/** Finds a museum's file, imports it, and reports the outcome of its rows. Returns the exit code. */
async function importMuseum(
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

/** Asks on an interactive terminal; a script has to pass --shrink. */
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
