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
import { defineCommand } from '../command.ts';
import { requireMuseum, withDataset } from '../dataset.ts';
import { importMuseum } from '../import_museum.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { type Output, replaceControls, table } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

export const datasetStatusCommand = defineCommand({
  name: 'dataset status',
  summary: 'what is here, and the import that runs',
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
          `${counts.pictures} with a picture`,
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
            ? `An import of ${what} was cut short, ${read}. The same command goes on with it; any other takes it back.\n`
            : `Importing ${what}: ${read}, last written ${running.writtenAt.toISOString()}\n`,
        );
      }
      return 0;
    }),
});

export const datasetEmbedCommand = defineCommand({
  name: 'dataset embed',
  summary: 'encode works: records (EMBEDDINGS_URL), and pictures kept here (tinyclip)',
  words: '',
  example: 'atelier dataset embed',
  switches: DATA_SWITCH,

  run: ({ values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout, stderr } = world.terminal;
      const shown = (what: string) => (count: number) => view.show(0, `${count} ${what}`);
      const { signal } = world;
      const done = await dataset.embed({ signal, onProgress: shown('works embedded') });
      const seen = await dataset.see({ signal, onProgress: shown('pictures encoded') });
      view.clear();
      if (done === undefined && seen === undefined) {
        stderr.write(
          'No embedding model is set up (EMBEDDINGS_URL and EMBEDDINGS_MODEL), and no network that sees pictures: atelier models pull tinyclip\n',
        );
        return 1;
      }
      if (done !== undefined) stdout.write(`${done} works embedded; the others were before.\n`);
      if (seen !== undefined)
        stdout.write(`${seen} pictures encoded; the others that are kept here were before.\n`);
      return 0;
    }),
});

/** Also of dataset pull. */
export const SHRINK_SWITCH = {
  shrink: { meaning: 'let works go that are not in it, also where fewer are left than there were' },
};

export const datasetImportCommand = defineCommand({
  name: 'dataset import',
  summary: 'take a museum’s own file; the same again changes nothing',
  words: '<museum> <file, folder or URL>',
  example: 'atelier dataset import met MetObjects.csv.gz',
  switches: {
    part: { meaning: 'it is a part: works that are not in it stay' },
    limit: { value: '<n>', meaning: 'at most n works, those with a picture and the best known first' },
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

/** A path or address as it can be typed into a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`--${name} takes a whole number; got "${text}".`);
}

const GIGABYTE = 1e9;
const BUDGET_GB = 20;
const SIZE = 'large';

export const datasetMirrorCommand = defineCommand({
  name: 'dataset mirror',
  summary: 'keep the pictures of works here, so that a museum that refuses or closes changes nothing',
  words: '[<museum>…]',
  example: 'atelier dataset mirror met rijks --size full --budget 200',
  switches: {
    size: {
      value: '<size>',
      meaning: `${PICTURE_SIZES.join(', ')} (${Object.values(PICTURE_WIDTHS).join(', ')} pixels wide, or as it is); ${SIZE} where not said`,
    },
    budget: { value: '<GB>', meaning: `of all pictures kept; ${BUDGET_GB} where not said` },
    check: { meaning: 'read what is kept first, and bring anew what is damaged' },
    ...DATA_SWITCH,
  },
  firstWord: MUSEUM_NAMES,

  run({ words, values }, world) {
    const { signal, terminal } = world;
    const museums = words.length > 0 ? [...new Set(words.map(requireMuseum))] : MUSEUM_NAMES;
    const size = PICTURE_SIZES.find((one) => one === (values.size ?? SIZE));
    if (!size) throw new UsageError(`--size takes ${PICTURE_SIZES.join(', ')}; got "${values.size}".`);
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
      if (signal.aborted) terminal.stderr.write('Stopped. The same command goes on.\n');
      return Object.values(report.museums).some(({ isGivenUp }) => isGivenUp) ? 1 : 0;
    });
  },
});

function budget(text: string | boolean | undefined): number {
  const gigabytes = text === undefined ? BUDGET_GB : Number(text);
  if (gigabytes > 0 && gigabytes < 1e6) return gigabytes * GIGABYTE;
  throw new UsageError(`--budget takes gigabytes, such as 20 or 0.5; got "${text}".`);
}

const ofAll = (report: MirrorReport) =>
  `${report.pictures} pictures, ${(report.bytes / GIGABYTE).toFixed(2)} GB`;

const lineOf = (report: MirrorReport) =>
  `${ofAll(report)}; brought ${Object.entries(report.museums)
    .map(([museum, { brought }]) => `${museum} ${brought}`)
    .join(', ')}`;

function print(report: MirrorReport, { stdout, stderr }: { stdout: Output; stderr: Output }): void {
  for (const [museum, own] of Object.entries(report.museums)) {
    const { name } = MUSEUMS[museum as MuseumName];
    stdout.write(
      `${name}: ${own.brought} pictures brought, ${own.failed} not, of ${own.works} works with one.\n`,
    );
    for (const problem of own.problems) stderr.write(`  ${replaceControls(problem)}\n`);
    if (own.isGivenUp)
      stderr.write('  It was given up after too many failures on end. The same command tries again.\n');
  }
  if (report.dropped > 0)
    stdout.write(`${report.dropped} were let go of: damaged, or their works are here no more.\n`);
  if (report.isFull) stdout.write('The budget is used up (--budget).\n');
  stdout.write(`${ofAll(report)} are kept.\n`);
}

export const datasetPicturesCommand = defineCommand({
  name: 'dataset pictures',
  summary: 'measure pictures of works (met_436535.jpg), to find these by colour and likeness',
  words: '<folder>',
  example: 'atelier dataset pictures pictures/',
  switches: DATA_SWITCH,

  run: ({ words: [folder = ''], values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout } = world.terminal;
      const { taken, unknown, bad } = await dataset.measure(folder, {
        signal: world.signal,
        onProgress: (done, all) => view.show(all ? done / all : 0, `${done} of ${all} pictures`),
      });
      view.clear();
      stdout.write(
        `${taken} pictures measured; ${unknown} files named after no work here; ${bad.length} are no pictures.\n`,
      );
      for (const { file, problem } of bad) stdout.write(`  ${replaceControls(`${file}: ${problem}`)}\n`);
      return 0;
    }),
});

export const datasetPullCommand = defineCommand({
  name: 'dataset pull',
  summary: 'fetch and import what the museums publish: 53,000 works in all, or everything',
  words: '[<museum>…]',
  example: 'atelier dataset pull met rijks',
  switches: { all: { meaning: 'everything they publish' }, ...SHRINK_SWITCH, ...DATA_SWITCH },
  firstWord: MUSEUM_NAMES,

  run({ words, values }, world) {
    const unnamed = values.all ? MUSEUM_NAMES : STARTER_MUSEUMS;
    const museums = words.length > 0 ? words.map(requireMuseum) : unnamed;
    const worksMax = values.all ? undefined : PULLED_SHARE;
    return withDataset(values, world, async (dataset) => {
      let code = 0;
      for (const museum of museums) {
        // One museum that cannot be reached does not keep the others away.
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

/** A page of terms that cannot be read is said to be missing in the manifest; the works are here all the same. */
async function noteTerms(
  museum: MuseumName,
  dataset: OpenedDataset,
  { terminal: { stdout, stderr }, signal }: World,
): Promise<void> {
  try {
    const { url, sha256 } = await dataset.fetchTerms(museum, signal);
    stdout.write(`  Its terms, ${url}, were read: sha256 ${sha256}.\n`);
  } catch (error) {
    if ((error as Error).name !== 'SourceProblem') throw error;
    stderr.write(`${museum}: its terms could not be read: ${replaceControls((error as Error).message)}\n`);
  }
}

export const datasetRegisterCommand = defineCommand({
  name: 'dataset register',
  summary: 'register pictures of works (met_436535.jpg), to recognise crops of them in verify_provenance',
  words: '<folder>',
  example: 'atelier dataset register pictures/',
  switches: DATA_SWITCH,

  run: ({ words: [folder = ''], values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout } = world.terminal;
      const { taken, unknown, bad } = await dataset.register(folder, {
        signal: world.signal,
        onProgress: (done, all) => view.show(all ? done / all : 0, `${done} of ${all} pictures`),
      });
      view.clear();
      stdout.write(
        `${taken} pictures registered; ${unknown} files named after no work here; ${bad.length} cannot be.\n`,
      );
      for (const { file, problem } of bad) stdout.write(`  ${replaceControls(`${file}: ${problem}`)}\n`);
      return 0;
    }),
});

const REASON_CHARACTERS_MAX = 500;

export const datasetWithdrawCommand = defineCommand({
  name: 'dataset withdraw',
  summary: 'take a work out for good; the reason is shown to everybody',
  words: '<id> <reason>…',
  example: 'atelier dataset withdraw met_436535 "asked for by the heirs"',
  switches: DATA_SWITCH,

  run: ({ words: [id = '', ...reason], values }, world) =>
    withDataset(values, world, async (dataset) => {
      const edition = await dataset.withdraw(id, reason.join(' ').slice(0, REASON_CHARACTERS_MAX));
      world.terminal.stdout.write(`${id} is not in edition ${edition}, and no import brings it back.\n`);
      return 0;
    }),
});
