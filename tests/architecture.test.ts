import { globSync, readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

/** The rules of the house. Each failure says what to do instead. ARCHITECTURE.md has the same table with reasons. */

const ROOT = resolve(import.meta.dirname, '..');
const FUNCTION_LINES_MAX = 60;
/** What may be imported, as ARCHITECTURE.md has it. */
interface Row {
  readonly may: readonly string[];
  readonly typesOnly: readonly string[];
}
const TABLE = new Map(rowsOf(readFileSync(resolve(ROOT, 'ARCHITECTURE.md'), 'utf8')));

/** May be imported everywhere. */
const FOR_ALL: readonly string[] = ['errors', 'json', 'limits'];

/** Names every service by type, the catalogue among them; it holds no code. */
const THE_NAMES_OF_SERVICES = 'src/services/contract.ts';

/** Tables of names that tools, the catalogue and the command line may read. */
const NAMES = [
  'src/dataset/museums/museums.ts',
  'src/dataset/pictures/sizes.ts',
  'packages/engines/src/analyst/analysis_fields.ts',
  'packages/engines/src/label/label_words.ts',
];

/** What an engine bounds is said by the tools and the services that use it. */
const BOUNDS_OF_ENGINES = /^packages\/engines\/src\/\w+\/limits\.ts$/;

const ENGINES = 'packages/engines/src';
const CLIENT = 'packages/client/src';

const sources = globSync(['src/**/*.ts', `${ENGINES}/**/*.ts`, `${CLIENT}/**/*.ts`], { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(resolve(ROOT, path), 'utf8') }));

interface Import {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

/** `http`, `engines`, `limits`. */
const layerOf = (path: string): string => path.split(sep)[1]!.replace(/\.ts$/, '');

/** `src/services/jobs`, `packages/engines/src/print`, `src/http`. */
const roomOf = (path: string): string => {
  const folders = path.split(sep).slice(0, -1);
  if (path.startsWith(ENGINES)) return folders.slice(0, 4).join('/');
  const isDivided = ['services', 'tools', 'operations'].includes(folders[1] ?? '');
  return folders.slice(0, isDivided ? 3 : 2).join('/');
};

const IMPORT =
  /(?:import|export)\s+(type\s+)?[^'"]*?from\s+'((?:\.|@atelier\/)[^']+)'|import\('((?:\.|@atelier\/)[^']+)'\)/g;

const imports: Import[] = sources.flatMap(({ path, text }) =>
  [...text.matchAll(IMPORT)].map((match) => {
    const target = targetOf(path, match[2] ?? match[3]!);
    return {
      from: layerOf(path),
      to: layerOf(target),
      path,
      target,
      typeOnly: Boolean(match[1]) || namesOnlyTypes(match[0]),
    };
  }),
);

function targetOf(path: string, specifier: string): string {
  const [, name, file] = /^@atelier\/(\w+)(.*)$/.exec(specifier) ?? [];
  if (name) return `packages/${name}/src${file}`;
  return relative(ROOT, resolve(ROOT, path, '..', specifier));
}

/** `import { type A, type B } from …` */
function namesOnlyTypes(statement: string): boolean {
  const names =
    /\{([^}]*)\}/
      .exec(statement)?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean) ?? [];
  return names.length > 0 && names.every((name) => name.startsWith('type '));
}

test('imports follow the table of layers', () => {
  const wrong = imports
    .filter(({ from, to }) => from !== to && (from === 'engines' || !FOR_ALL.includes(to)))
    .filter(({ target }) => !BOUNDS_OF_ENGINES.test(target))
    .filter(({ path, typeOnly }) => !(path === THE_NAMES_OF_SERVICES && typeOnly))
    .filter(({ from, to }) => {
      const { may = [], typesOnly = [] } = TABLE.get(from) ?? {};
      return ![...may, ...typesOnly].includes(to) && !may.includes('everything');
    })
    .map(
      ({ path, target, from }) =>
        `${path} imports ${target}: by the table in ARCHITECTURE.md "${from}" may not. Pass it in from its room's open.ts, or move the line to the room it belongs to.`,
    );
  expect(wrong).toEqual([]);
});

test('tools, operations and the command line know services by type only', () => {
  const wrong = imports
    .filter(
      ({ target }) =>
        !NAMES.includes(target) && !BOUNDS_OF_ENGINES.test(target) && !/\/open(_[a-z]+)?\.ts$/.test(target),
    )
    .filter(({ from, to, typeOnly }) => !typeOnly && TABLE.get(from)?.typesOnly.includes(to))
    .map(
      ({ path, target }) =>
        `${path} imports the code of ${target}. Use "import type" and take the service as an argument.`,
    );
  expect(wrong).toEqual([]);
});

test('a bound that one room reads lies in that room', () => {
  const shared = sources.find(({ path }) => path === 'src/limits.ts')!.text;
  const wrong = [...shared.matchAll(/^export const (\w+)/gm)].flatMap(([, name]) => {
    const rooms = new Set(
      sources
        .filter(({ path, text }) => path !== 'src/limits.ts' && new RegExp(`\\b${name}\\b`).test(text))
        .map(({ path }) => roomOf(path)),
    );
    const isDerived = new RegExp(`= .*\\b${name}\\b`).test(shared);
    return rooms.size > 1 || isDerived ? [] : [`${name}: move it to ${[...rooms]}/limits.ts.`];
  });
  expect(wrong).toEqual([]);
});

test('every folder and file of src has its row', () => {
  const folders = new Set(sources.map(({ path }) => layerOf(path)));
  expect([...folders].filter((folder) => !TABLE.has(folder))).toEqual([]);
  expect([...TABLE.keys()].filter((folder) => !folders.has(folder))).toEqual([]);
});

/** What a call may enter only once it has a price, or was refused for want of one. */
const BILLED = ['pipeline', 'jobs', 'dry_run', 'operations'].map((name) => `src/pipeline/${name}.ts`);

test('the stages every call passes import nothing of billing', () => {
  const isBilling = (path: string) => /^src\/pipeline\/(billing|steps)\//.test(path);
  const wrong = imports
    .filter(({ from, path }) => from === 'pipeline' && !isBilling(path) && !BILLED.includes(path))
    .filter(({ target }) => isBilling(target))
    .map(
      ({ path, target }) =>
        `${path} imports ${target}. Let pipeline.ts call it, for calls that are not free.`,
    );
  expect(wrong).toEqual([]);
});

test('settings reach a room through its open.ts', () => {
  const wrong = imports
    .filter(({ from, to }) => ['services', 'dataset', 'workers'].includes(from) && to === 'config')
    .filter(({ path }) => !/\/(open(_[a-z]+)?|whereabouts)\.ts$/.test(path))
    .map(({ path }) => `${path} imports the settings. Let the open.ts of its room pass their values in.`);
  expect(wrong).toEqual([]);
});

test('only config.ts reads the environment', () => {
  const wrong = sources
    .filter(({ path, text }) => path !== 'src/config.ts' && /process\.env/.test(text))
    .map(
      ({ path }) =>
        `${path} reads process.env. Add a setting to SETTINGS in src/config.ts and pass its value in.`,
    );
  expect(wrong).toEqual([]);
});

test('engines know no clock, chance, file system or network', () => {
  const banned =
    /Date\.now|new Date\(|Math\.random|randomBytes|randomUUID|node:fs|node:http|node:net|\bfetch\(/;
  const wrong = sources
    .filter(({ path, text }) => path.startsWith(ENGINES) && banned.test(text))
    .map(
      ({ path, text }) =>
        `${path} uses ${banned.exec(text)?.[0]}. Take the value (bytes, time, seed) as an argument.`,
    );
  expect(wrong).toEqual([]);
});

test('engines import nothing of the service, and neither do their tests', () => {
  const wrong = globSync(`${ENGINES}/**/*.ts`, { cwd: ROOT }).filter((path) =>
    /from '[./]*\/src\//.test(readFileSync(resolve(ROOT, path), 'utf8')),
  );
  expect(
    wrong.map((path) => `${path} imports the service. Pass it in, or move the test to the service.`),
  ).toEqual([]);
});

test('SQL lives in services, the dataset and the database only', () => {
  const sql = /`\s*(select\s.+\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\s/is;
  const wrong = sources
    .filter(({ path, text }) => !/^src\/(services|dataset|database)\//.test(path) && sql.test(text))
    .map(
      ({ path }) =>
        `${path} contains SQL. Put it behind a method of a service in src/services/<noun>/store.ts.`,
    );
  expect(wrong).toEqual([]);
});

test('only tests named *.shared.test.ts read files beside the repository', () => {
  const readers = /\.\.\/shared\/|support\/(?:shared_pictures|eyes_labels|pictured_subjects)\.ts/;
  const tests = globSync(['{src,packages,tests}/**/*.test.ts'], { cwd: ROOT });
  const wrong = tests
    .filter((path) => !path.endsWith('.shared.test.ts') && path !== 'tests/architecture.test.ts')
    .filter((path) => readers.test(readFileSync(resolve(ROOT, path), 'utf8')));
  expect(wrong).toEqual([]);
});

test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  expect(sources.flatMap(({ path, text }) => longFunctions(path, text))).toEqual([]);
});

test('every tool file is in the list and has a test beside it', () => {
  const list = readFileSync(resolve(ROOT, 'src/tools/index.ts'), 'utf8');
  const files = globSync('src/tools/*/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'));
  const tools = files.filter((path) => /defineTool\(/.test(readFileSync(resolve(ROOT, path), 'utf8')));
  const unlisted = tools.filter((path) => !list.includes(`./${relative('src/tools', path)}`));
  const untested = tools.filter(
    (path) => globSync(path.replace(/\.ts$/, '.test.ts'), { cwd: ROOT }).length === 0,
  );
  expect(unlisted.map((path) => `${path} is not in src/tools/index.ts. Add its line.`)).toEqual([]);
  expect(untested.map((path) => `${path} has no test. Add ${path.replace(/\.ts$/, '.test.ts')}.`)).toEqual(
    [],
  );
});

test('file names are snake_case and say something', () => {
  const vague = /(^|_)(utils?|helpers?|common|manager|misc|base)(_|\.|$)/;
  const wrong = sources
    .map(({ path }) => path.split(sep).at(-1)!)
    .filter((name) => !/^[a-z0-9]+(_[a-z0-9]+)*(\.[a-z]+)*$/.test(name) || vague.test(name));
  expect(wrong.map((name) => `${name}: name it in snake_case after the one thing it exports.`)).toEqual([]);
});

test('nothing is left to be done in the code', () => {
  const wrong = sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        /\b(TODO|FIXME|XXX|HACK)\b/.test(line) ? [`${path}:${index + 1}: do it now, or open an issue.`] : [],
      ),
  );
  expect(wrong).toEqual([]);
});

test('pictures of the suite come with the recipe that made them', () => {
  const pictures = globSync('tests/golden/**/*.{png,jpg,webp,tif,svg}', { cwd: ROOT });
  const recipes = globSync('tests/golden/make_*', { cwd: ROOT });
  expect(pictures.length === 0 || recipes.length > 0).toBe(true);
});

/** Functions over the limit; the formatter guarantees that a closing brace in column one ends a function. */
function longFunctions(path: string, text: string): string[] {
  const starts = [...text.matchAll(/^(?:export )?(?:default )?(?:async )?function\*? (\w+)/gm)];
  return starts.flatMap((match) => {
    const end = text.indexOf('\n}', match.index);
    const lines = text.slice(match.index, end < 0 ? undefined : end + 2).split('\n').length;
    return lines > FUNCTION_LINES_MAX
      ? [`${path}: ${match[1]} has ${lines} lines. Give its steps names of their own.`]
      : [];
  });
}

/** Rows of the table whose first column is one folder or file and whose header begins with "Folder". */
function rowsOf(text: string): [string, Row][] {
  const [, table = ''] = text.split('| Folder | Holds | May import | Types only |');
  const lines = table
    .split('\n\n')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [folder, , may, typesOnly] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const names = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    const all = may === 'everything' ? ['everything'] : names(may!);
    return [names(folder!)[0]!, { may: all, typesOnly: names(typesOnly!) }];
  });
}
