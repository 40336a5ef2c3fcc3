import { globSync, readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

/** The rules of ARCHITECTURE.md. Each failure says what to do instead. */

const ROOT = resolve(import.meta.dirname, '..');
const FUNCTION_LINES_MAX = 60;
/** Starts the server, the worker and the app in this process. */
const COMMAND_LINE = 'src/interfaces/cli/main.ts';
/** Folder of a layer → layers it may import, from the table in ARCHITECTURE.md. */
const LAYERS = new Map(rowsOf(readFileSync(resolve(ROOT, 'ARCHITECTURE.md'), 'utf8')));

/** Imports of code across features that are left; this number only falls. The goal is types, limits and definitions only. */
const ACROSS_FEATURES_MAX = 64;

/** Tables of names, which tools and commands may read. */
const NAMES = ['src/features/artworks/museums/museums.ts', 'src/features/artworks/images/sizes.ts'];

const IMAGING = 'packages/imaging/src';
const CLIENT = 'packages/client/src';

const sources = globSync(['src/**/*.ts', `${IMAGING}/**/*.ts`, `${CLIENT}/**/*.ts`], { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(resolve(ROOT, path), 'utf8') }));

interface Import {
  readonly path: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

/** `interfaces`; `root` for the entry points; `packages/imaging`. */
const layerOf = (path: string): string => {
  const [top, second, ...rest] = path.split(sep);
  if (top === 'packages') return `packages/${second}`;
  return rest.length === 0 ? 'root' : second!;
};

/** `src/core/queue`, `packages/imaging/src/print`, `src/catalog`. */
const moduleOf = (path: string): string => {
  const folders = path.split(sep).slice(0, -1);
  if (path.startsWith(IMAGING)) return folders.slice(0, 4).join('/');
  const isDivided = ['core', 'features', 'interfaces'].includes(folders[1] ?? '');
  return folders.slice(0, isDivided ? 3 : 2).join('/');
};

const IMPORT =
  /(?:import|export)\s+(type\s+)?[^'"]*?from\s+'((?:\.|@atelier\/)[^']+)'|import\('((?:\.|@atelier\/)[^']+)'\)/g;

const imports: Import[] = sources.flatMap(({ path, text }) =>
  [...text.matchAll(IMPORT)].map((match) => ({
    path,
    target: targetOf(path, match[2] ?? match[3]!),
    typeOnly: Boolean(match[1]) || namesOnlyTypes(match[0]),
  })),
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

test('imports point down the layers', () => {
  const wrong = imports
    .map((one) => ({ ...one, from: layerOf(one.path), to: layerOf(one.target) }))
    .filter(({ from, to }) => from !== 'root' && from !== to)
    .filter(({ to, from }) => !to.startsWith('packages/') || from.startsWith('packages/'))
    .filter(({ from, to }) => !LAYERS.get(from)?.includes(to))
    .filter(({ path }) => path !== COMMAND_LINE)
    .map(
      ({ path, target, from }) =>
        `${path} imports ${target}, which ARCHITECTURE.md does not allow for "${from}". Pass it in from src/create_services.ts, or move the line to the layer it belongs to.`,
    );
  expect(wrong).toEqual([]);
});

test('tools and routes receive services as arguments', () => {
  const defined = /^src\/features\/\w+\/(tools|routes)(\/|\.ts)/;
  const plain =
    /\/(limits|\w*fields|\w*words)\.ts$|\/(tools|routes|pages|definitions)\/|\/routes\.ts$|^src\/(catalog|config|core\/(errors|html|json))\//;
  const wrong = imports
    .filter(({ path, target, typeOnly }) => defined.test(path) && !typeOnly && target.startsWith('src/'))
    .filter(({ target }) => !plain.test(target) && !NAMES.includes(target))
    .map(
      ({ path, target }) =>
        `${path} imports the code of ${target}. Use "import type" and take the service as an argument.`,
    );
  expect(wrong).toEqual([]);
});

test('features use the types of other features, rarely their code', () => {
  const featureOf = (path: string) => /^src\/features\/(\w+)\//.exec(path)?.[1];
  const across = imports
    .filter(
      ({ path, target }) => featureOf(path) && featureOf(target) && featureOf(path) !== featureOf(target),
    )
    .filter(({ path, target }) => featureOf(path) !== 'definitions' && featureOf(target) !== 'definitions')
    .filter(({ target, typeOnly }) => !typeOnly && !/\/(types|limits)\.ts$/.test(target))
    .map(({ path, target }) => `${path} imports ${target}`);
  expect(across.length, across.join('\n')).toBeLessThanOrEqual(ACROSS_FEATURES_MAX);
});

test('a limit that one module reads is in that module', () => {
  const shared = sources.find(({ path }) => path === 'src/config/limits.ts')!.text;
  const wrong = [...shared.matchAll(/^export const (\w+)/gm)].flatMap(([, name]) => {
    const modules = new Set(
      sources
        .filter(({ path, text }) => path !== 'src/config/limits.ts' && new RegExp(`\\b${name}\\b`).test(text))
        .map(({ path }) => moduleOf(path)),
    );
    const isDerived = new RegExp(`= .*\\b${name}\\b`).test(shared);
    return modules.size > 1 || isDerived ? [] : [`${name}: move it to ${[...modules]}/limits.ts.`];
  });
  expect(wrong).toEqual([]);
});

test('every layer has its row', () => {
  const layers = new Set(sources.map(({ path }) => layerOf(path)));
  layers.delete('root');
  expect([...layers].sort()).toEqual([...LAYERS.keys()].sort());
});

/** What a call may enter only once it has a price, or was refused for want of one. */
const BILLED = ['pipeline', 'jobs', 'dry_run', 'operations'].map((name) => `src/pipeline/${name}.ts`);

test('the stages every call passes import nothing of billing', () => {
  const isBilling = (path: string) => /^src\/pipeline\/(billing|steps)\//.test(path);
  const wrong = imports
    .filter(({ path }) => layerOf(path) === 'pipeline' && !isBilling(path) && !BILLED.includes(path))
    .filter(({ target }) => isBilling(target))
    .map(
      ({ path, target }) =>
        `${path} imports ${target}. Let pipeline.ts call it, for calls that are not free.`,
    );
  expect(wrong).toEqual([]);
});

test('only config.ts reads the environment', () => {
  const wrong = sources
    .filter(({ path, text }) => path !== 'src/config/config.ts' && /process\.env/.test(text))
    .map(
      ({ path }) =>
        `${path} reads process.env. Add a setting to SETTINGS in src/config/config.ts and pass its value in.`,
    );
  expect(wrong).toEqual([]);
});

test('imaging uses no clock, randomness, file system or network', () => {
  const banned =
    /Date\.now|new Date\(|Math\.random|randomBytes|randomUUID|node:fs|node:http|node:net|\bfetch\(/;
  const wrong = sources
    .filter(({ path, text }) => path.startsWith(IMAGING) && banned.test(text))
    .map(
      ({ path, text }) =>
        `${path} uses ${banned.exec(text)?.[0]}. Take the value (bytes, time, seed) as an argument.`,
    );
  expect(wrong).toEqual([]);
});

test('imaging and its tests import nothing of the service', () => {
  const wrong = globSync(`${IMAGING}/**/*.ts`, { cwd: ROOT }).filter((path) =>
    /from '[./]*\/src\//.test(readFileSync(resolve(ROOT, path), 'utf8')),
  );
  expect(
    wrong.map((path) => `${path} imports the service. Pass it in, or move the test to the service.`),
  ).toEqual([]);
});

test('SQL is in core and features only', () => {
  const sql = /`\s*(select\s.+\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\s/is;
  const wrong = sources
    .filter(({ path, text }) => !/^src\/(core|features)\//.test(path) && sql.test(text))
    .map(
      ({ path }) => `${path} contains SQL. Put it behind a method of a service, in store.ts of its feature.`,
    );
  expect(wrong).toEqual([]);
});

test('only tests named *.shared.test.ts read files beside the repository', () => {
  const readers = /\.\.\/shared\/|support\/(?:shared_pictures|image_labels|pictured_subjects)\.ts/;
  const tests = globSync(['{src,packages,tests}/**/*.test.ts'], { cwd: ROOT });
  const wrong = tests
    .filter((path) => !path.endsWith('.shared.test.ts') && path !== 'tests/architecture.test.ts')
    .filter((path) => readers.test(readFileSync(resolve(ROOT, path), 'utf8')));
  expect(wrong).toEqual([]);
});

test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  expect(sources.flatMap(({ path, text }) => longFunctions(path, text))).toEqual([]);
});

test('every tool is listed and has a test next to it', () => {
  const list = readFileSync(resolve(ROOT, 'src/features/tools.ts'), 'utf8');
  const tools = sources
    .filter(({ path, text }) => path.startsWith('src/features/') && /= defineTool\(/.test(text))
    .map(({ path }) => path);
  const unlisted = tools.filter((path) => !list.includes(`./${relative('src/features', path)}`));
  const untested = tools.filter(
    (path) => globSync(path.replace(/\.ts$/, '.test.ts'), { cwd: ROOT }).length === 0,
  );
  expect(unlisted.map((path) => `${path} is not in src/features/tools.ts. Add its line.`)).toEqual([]);
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

test('the tables of READMEs in the packages name files that exist', () => {
  const wrong = globSync('packages/*/src/**/README.md', { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(resolve(ROOT, path), 'utf8').matchAll(/^\| (`[^|]*`) \|/gm)]
      .flatMap(([, cell]) => [...cell!.matchAll(/`([\w/]+)`/g)].map(([, name]) => name!))
      .filter((name) => globSync(`${name}{,.ts}`, { cwd: resolve(ROOT, path, '..') }).length === 0)
      .map((name) => `${path} names ${name}, which does not exist.`),
  );
  expect(wrong).toEqual([]);
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

test('fixture images are stored with the script that creates them', () => {
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

/** Rows of the table of layers: folder and what it may import. */
function rowsOf(text: string): [string, readonly string[]][] {
  const [, table = ''] = text.split('| Folder | Contains | May import |');
  const lines = table
    .split('\n\n')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `') && !line.startsWith('| `src/'));
  return lines.map((line) => {
    const [folder, , may] = line.split('|').slice(1, -1);
    const names = (cell: string) => [...cell.matchAll(/`([\w/]+)`/g)].map(([, name]) => name!);
    return [names(folder!)[0]!, names(may!)];
  });
}
