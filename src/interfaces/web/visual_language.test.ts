import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Checks the rules that docs/concepts/studio.md states for the pages. */

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/concepts/studio.md');
const [, tokensText = ''] = /:root \{([^}]+)\}/.exec(read('src/core/html/browser/page.css'))!;
const tokens = new Map(
  [...tokensText.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name!, value!]),
);
/** Cells of the table rows that begin with this name. */
const cellsOf = (name: string): readonly string[] => {
  const [, row = ''] = new RegExp(`^\\| \`${name}\` \\|(.+)\\|$`, 'm').exec(page) ?? [];
  return row.split(' | ').map((cell) => cell.trim().replaceAll('`', ''));
};

test.each([...tokens].filter(([, value]) => value.startsWith('light-dark(')))(
  'the colour %s is documented with its value in both themes',
  (name, value) => {
    const [light, dark] = cellsOf(name);
    expect(`light-dark(${light}, ${dark})`).toBe(value);
  },
);

test.each(['--h1', '--h2', '--lead', '--read', '--base', '--small'])(
  'the size %s is documented with its value',
  (name) => {
    expect(cellsOf(name)[0]).toBe(tokens.get(name));
  },
);

test('the spacing scale is documented, and every token is listed', () => {
  const [names = [], sizes = []] = [/^\| `--s1`.+$/m, /^\| `0\.25rem`.+$/m].map((row) =>
    [...row.exec(page)![0].matchAll(/`([^`]+)`/g)].map(([, cell]) => cell!),
  );
  expect(names.map((name) => tokens.get(name))).toEqual(sizes);
  expect([...tokens.keys()].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every file named on the page exists', () => {
  const files = [...page.matchAll(/`((?:src\/|tests\/)?[\w/]+\.(?:ts|css))`/g)].map(([, name]) => name!);
  const known = globSync(['src/core/html/browser/*', 'src/interfaces/web/**/*.ts', 'src/core/html/*.ts'], {
    cwd: ROOT,
  });
  const lies = (name: string) =>
    existsSync(join(ROOT, name)) || known.some((path) => basename(path) === name);
  expect(files.filter((name) => !lies(name) && !name.includes('hello'))).toEqual([]);
  expect(files.length).toBeGreaterThan(15);
});
