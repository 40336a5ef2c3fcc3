import { closest } from '../catalogue/closest.ts';
import { AtelierError } from '../errors.ts';
import { MUSEUM_NAMES, MUSEUMS, type MuseumName } from '../museums.ts';
import type { OpenedDataset } from '../open_dataset.ts';
import { type ProgressView, progressView } from './progress.ts';
import { printable, type Terminal, table } from './terminal.ts';
import { UsageError } from './usage_error.ts';

interface Setup {
  openDataset(): Promise<OpenedDataset>;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

const USAGE = `atelier dataset status                             what is here, and the import that runs
atelier dataset import <museum> <file|folder|URL>  take a museum's own file; the same again changes nothing
    --part      it is a part: works that are not in it stay
    --limit <n> at most n works, those with a picture and the best known first
atelier dataset pull [<museum>…] [--all]           fetch and import what the museums publish: 53,000 works in all, or everything
atelier dataset pictures <folder>                  measure pictures of works (met_436535.jpg), to find these by colour and likeness
atelier dataset embed                              embed works, to find them by meaning (EMBEDDINGS_URL)
atelier dataset withdraw <id> <reason>             take a work out for good; the reason is shown to everybody
`;

const REASON_CHARACTERS_MAX = 500;
const BALANCED_WORKS = 53_000;
const SHARE = Math.ceil(BALANCED_WORKS / MUSEUM_NAMES.length);

/** `atelier dataset …`: fills the dataset. Returns the exit code. @throws UsageError */
export async function datasetCommand([action, ...words]: readonly string[], setup: Setup): Promise<number> {
  const work = actionNamed(action, words);
  if (!work) throw new UsageError(`There is no "atelier dataset ${action}".\n\n${USAGE}`);
  const dataset = await setup.openDataset();
  try {
    return await work(dataset, setup);
  } finally {
    await dataset.close();
  }
}

function actionNamed(action: string | undefined, words: readonly string[]) {
  switch (action) {
    case undefined:
    case 'status':
      return status;
    case 'import':
      return importing(words);
    case 'pull':
      return pulling(words);
    case 'withdraw':
      return withdrawing(words);
    case 'pictures':
      return measuring(words);
    case 'embed':
      return embed;
    default:
      return undefined;
  }
}

function withdrawing([id, ...reason]: readonly string[]) {
  if (id === undefined || reason.length === 0)
    throw new UsageError(`Name the work and the reason.\n\n${USAGE}`);
  return (dataset: OpenedDataset, { terminal }: Setup) =>
    told(terminal, async () => {
      const edition = await dataset.withdraw(id, reason.join(' ').slice(0, REASON_CHARACTERS_MAX));
      terminal.stdout.write(`${id} is not in edition ${edition}, and no import brings it back.\n`);
      return 0;
    });
}

function measuring([folder, ...more]: readonly string[]) {
  if (folder === undefined || more.length > 0) throw new UsageError(`Name one folder.\n\n${USAGE}`);
  return (dataset: OpenedDataset, { terminal, signal }: Setup) =>
    told(terminal, async (view) => {
      const { measured, unknown, bad } = await dataset.measure(folder, {
        signal,
        onProgress: (done, all) => view.show(all ? done / all : 0, `${done} of ${all} pictures`),
      });
      view.clear();
      terminal.stdout.write(
        `${measured} pictures measured; ${unknown} files named after no work here; ${bad.length} are no pictures.\n`,
      );
      for (const { file, problem } of bad) terminal.stdout.write(`  ${printable(`${file}: ${problem}`)}\n`);
      return 0;
    });
}

const embed = (dataset: OpenedDataset, { terminal, signal }: Setup): Promise<number> =>
  told(terminal, async (view) => {
    const onProgress = (done: number) => view.show(0, `${done} works embedded`);
    const done = await dataset.embed({ signal, onProgress });
    view.clear();
    if (done === undefined) {
      terminal.stderr.write('No embedding model is set up. Set EMBEDDINGS_URL and EMBEDDINGS_MODEL.\n');
      return 1;
    }
    terminal.stdout.write(`${done} works embedded; the others were before.\n`);
    return 0;
  });

/** Shows progress, and says what went wrong in the words of the failure. */
async function told({ stderr }: Terminal, work: (view: ProgressView) => Promise<number>): Promise<number> {
  const view = progressView(stderr);
  try {
    return await work(view);
  } catch (error) {
    view.clear();
    const isExpected = error instanceof AtelierError || (error as { code?: string }).code === 'ENOENT';
    if (!isExpected) throw error;
    stderr.write(`${printable((error as Error).message)}\n`);
    return 1;
  }
}

async function status(dataset: OpenedDataset, { terminal: { stdout } }: Setup): Promise<number> {
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
  if (newest) stdout.write(`\nEdition ${newest.number}: ${newest.works} works, sha256 ${newest.digest}\n`);
  if (running) {
    const what = `${running.museum} from ${running.source}`;
    const rows = `${running.report.rows} rows read`;
    stdout.write(
      running.isCutShort
        ? `An import of ${what} was cut short, ${rows}. The same command goes on with it; any other takes it back.\n`
        : `Importing ${what}: ${rows}, last written ${running.writtenAt.toISOString()}\n`,
    );
  }
  return 0;
}

function importing(words: readonly string[]) {
  const isPart = words.includes('--part');
  const limitAt = words.indexOf('--limit');
  const limit = limitAt < 0 ? undefined : Number(words[limitAt + 1]);
  const [name, place, ...more] = words.filter(
    (word, at) => !word.startsWith('--') && (limitAt < 0 || at !== limitAt + 1),
  );
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new UsageError(`--limit takes a whole number.\n\n${USAGE}`);
  if (name === undefined) throw new UsageError(`Name the museum.\n\n${USAGE}`);
  const museum = known(name);
  if (place === undefined || more.length > 0)
    throw new UsageError(`Name one file, folder or URL.\n\n${USAGE}`);
  return (dataset: OpenedDataset, setup: Setup) =>
    reported(
      museum,
      setup,
      async (view) => {
        const wanted = { worksMax: limit, signal: setup.signal, ...showing(view, museum) };
        const isUrl = /^https?:\/\//.test(place);
        const path = isUrl ? await dataset.fetchFile(place, wanted) : place;
        return { path, ...(isUrl && { source: place }), worksMax: limit, isPart };
      },
      dataset,
    );
}

function pulling(words: readonly string[]) {
  const names = words.filter((word) => word !== '--all').map(known);
  const museums = names.length > 0 ? names : MUSEUM_NAMES;
  const worksMax = words.includes('--all') ? undefined : SHARE;
  return async (dataset: OpenedDataset, setup: Setup) => {
    let code = 0;
    for (const museum of museums) {
      // One museum that cannot be reached does not keep the others away.
      const done = await reported(
        museum,
        setup,
        async (view) => {
          const wanted = { worksMax, signal: setup.signal, ...showing(view, museum) };
          return { ...(await dataset.fetchMuseum(museum, wanted)), worksMax };
        },
        dataset,
      );
      code = Math.max(code, done);
      if (done === 0) await noteTerms(museum, setup, dataset);
      if (setup.signal.aborted) break;
    }
    return code;
  };
}

/** A page of terms that cannot be read is said to be missing in the manifest; the works are here all the same. */
async function noteTerms(
  museum: MuseumName,
  { terminal: { stdout, stderr }, signal }: Setup,
  dataset: OpenedDataset,
): Promise<void> {
  try {
    const { url, sha256 } = await dataset.fetchTerms(museum, signal);
    stdout.write(`  Its terms, ${url}, were read: sha256 ${sha256}.\n`);
  } catch (error) {
    if ((error as Error).name !== 'SourceProblem') throw error;
    stderr.write(`${museum}: its terms could not be read: ${printable((error as Error).message)}\n`);
  }
}

const showing = (view: ProgressView, museum: MuseumName) => ({
  onProgress: (fraction: number, message: string) => view.show(fraction, `${museum}: ${message}`),
});

interface Place {
  readonly path: string;
  readonly source?: string;
  readonly worksMax?: number | undefined;
  readonly isPart?: boolean;
}

/** Finds the file, imports it, and says what became of its rows. */
async function reported(
  museum: MuseumName,
  { terminal, signal }: Setup,
  find: (view: ProgressView) => Promise<Place>,
  dataset: OpenedDataset,
): Promise<number> {
  const view = progressView(terminal.stderr);
  const { stdout, stderr } = terminal;
  try {
    const place = await find(view);
    const onProgress = ({ rows, added }: { rows: number; added: number }) => {
      if (stderr.isTTY) view.show(0, `${museum}: ${rows} rows read, ${added} new works`);
    };
    const { report, edition } = await dataset.import({ museum, ...place, signal, onProgress });
    view.clear();
    stdout.write(
      `${MUSEUMS[museum].name}: ${report.rows} rows, ${report.added} new, ${report.changed} changed, ${report.unchanged} as before, ${report.removed} gone, ${report.duplicates} twice, ${report.bad} bad.\n`,
    );
    for (const [reason, count] of Object.entries(report.left_out))
      stdout.write(`  ${count} left out: ${reason}\n`);
    for (const { where, problem, quote } of report.bad_rows)
      stdout.write(`  bad: ${printable(`${where}: ${problem}${quote && ` (${quote})`}`)}\n`);
    if (!report.complete) stdout.write('  The file broke off, so no work was taken out.\n');
    stdout.write(`  Edition ${edition.number} has ${edition.works} works, sha256 ${edition.digest}.\n`);
    return 0;
  } catch (error) {
    view.clear();
    const isExpected = error instanceof AtelierError || (error as Error).name === 'SourceProblem';
    if (!isExpected) throw error;
    stderr.write(`${museum}: ${printable((error as Error).message)}\n`);
    return 1;
  }
}

function known(word: string): MuseumName {
  const found = MUSEUM_NAMES.find((name) => name === word);
  if (found) return found;
  const guess = closest(word, MUSEUM_NAMES)[0];
  throw new UsageError(
    `There is no museum "${word}".${guess ? ` Did you mean ${guess}?` : ''} There are: ${MUSEUM_NAMES.join(', ')}.`,
  );
}
