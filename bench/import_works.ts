import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/core/database/open_database.ts';
import { createDataset } from '../src/features/artworks/dataset.ts';
import type { MuseumName } from '../src/features/artworks/museums/museums.ts';
import { newSchema } from '../tests/support/new_schema.ts';
import { MUSEUM_FILES, museumPath } from './support/artworks.ts';

const PARIS_WORKS = 5000;

/**
 * `npm run bench import_works`: reads the museums' own files, and imports them into the embedded database
 * and, if TEST_DATABASE_URL names a server, into a separate schema on PostgreSQL, each in a separate process.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const made = join(folder, 'made up.jsonl');
  writeFileSync(made, madeParis(PARIS_WORKS));
  const serverUrl = process.env.TEST_DATABASE_URL;
  const rows = [];
  for (const [museum, path] of [['paris', made], ...MUSEUM_FILES.toReversed()]) {
    const schema = serverUrl === undefined ? undefined : await newSchema(serverUrl);
    for (const url of schema ? ['', schema.url] : ['']) {
      const child = [import.meta.filename, museum!, path!, url];
      rows.push(execFileSync(process.execPath, child, { encoding: 'utf8' }).trim());
    }
    await schema?.drop();
  }
  rmSync(folder, { recursive: true });
  return [
    "## Importing the museums' files",
    '',
    'Into an empty database, up to the edition that can be searched; each file in a process of its own. Memory is the highest of that',
    'process, which PostgreSQL’s is not part of: once an empty database was opened, and at the end. CPU is of the process, its threads included. Paris Musées publishes no bulk file: its works are made up in the shape of its answers.',
    '',
    '| file | database | rows | new works | works a second | CPU µs a work | MiB before and at most |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Imports one file and prints its row of the table. */
async function one(museum: MuseumName, path: string, databaseUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const dataset = createDataset(await openDatabase({ dataDir: folder, ...(databaseUrl && { databaseUrl }) }));
  await dataset.status();
  const before = peakMiB();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { report } = await dataset.import({
    museum,
    path: museumPath(path),
    signal: new AbortController().signal,
    onProgress() {},
    mayLose: async () => true,
  });
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  await dataset.close();
  rmSync(folder, { recursive: true });
  const shown = (number: number) => Math.round(number).toLocaleString('en');
  console.log(
    `| ${museum}, ${path.split('/').at(-1)} | ${databaseUrl ? 'PostgreSQL' : 'embedded'} | ${shown(report.rows)} | ${shown(report.added)} | ${shown((report.added / ms) * 1000)} | ${shown((user + system) / report.added)} | ${before}, ${peakMiB()} |`,
  );
}

const peakMiB = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

/**
 * Responses of the API of Paris Musées, one work per line: generated in its documented format, because there
 * is no bulk file.
 */
function madeParis(works: number): string {
  return Array.from({ length: works }, (_, at) => `${JSON.stringify(workOf(at))}\n`).join('');
}

const PLACES = ['la Seine', 'Montmartre', 'Lavacourt', 'le Pont-Neuf', 'Vincennes', 'Saint-Cloud', 'Meudon'];
const KINDS = ['Vue de', 'Étude pour', 'Souvenir de', 'Effet de neige à', 'Promenade à', 'Projet pour'];
const MAKERS = ['Vallin, Jacques-Antoine', 'Taraval, Hugues', 'Dupont, Jeanne', 'Moreau, Émile'];
const MATERIALS = ['Huile sur toile', 'Eau-forte', 'Plume et encre brune', 'Papier albuminé'];
const MUSEUM = 'Petit Palais, musée des Beaux-arts de la Ville de Paris';

const entities = (...names: string[]) => names.map((name) => ({ entity: { name } }));
const pick = (names: readonly string[], at: number): string => names[at % names.length]!;

function workOf(at: number): object {
  const place = pick(PLACES, at);
  const year = 1700 + (at % 200);
  const author = {
    fieldAuteurAuteur: {
      entity: {
        name: pick(MAKERS, at),
        fieldPipDateNaissance: { startYear: year - 40 },
        fieldLieuDeces: 'Paris',
      },
    },
    fieldAuteurFonction: { entity: { name: 'Peintre' } },
  };
  // Every fourth work is not in the public domain: the API only returns a thumbnail of it.
  const picture = at % 4 === 0 ? { vignette: `${FILES}/v${at}.jpg` } : { publicUrl: `${FILES}/${at}.jpg` };
  return {
    title: `${pick(KINDS, Math.floor(at / 7))} ${place}, n° ${at}`,
    fieldLrefAdlib: 160_000_000 + at,
    fieldUrlAlias: `petit-palais/oeuvres/vue-${at}`,
    fieldOeuvreAuteurs: [{ entity: author }],
    fieldVisuels: [{ entity: picture }],
    fieldDateProduction: { startYear: year, endYear: year + 9, processed: `Entre ${year} et ${year + 9}` },
    fieldMateriauxTechnique: entities(pick(MATERIALS, at)),
    fieldOeuvreTypesObjet: entities('Peinture'),
    fieldOeuvreThemeRepresente: entities('Paysage', 'Fleuve'),
    fieldLieuxConcernes: entities(place),
    fieldOeuvreNumInventaire: `PPP${at}`,
    fieldMusee: { entity: { name: MUSEUM } },
  };
}

const FILES = 'https://apicollections.parismusees.paris.fr/sites/default/files/atoms/images/PP';

const [museum, path, url] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) await one(museum as MuseumName, path!, url!);
