import { expect, test } from 'vitest';
import { javascriptOf } from '../scripts/package/javascript_of.ts';

const SOURCES = new Set([
  'src/a/one.ts',
  'src/a/two.ts',
  'src/three.ts',
  'packages/imaging/src/fingerprint/pdq/hash.ts',
]);
const compile = (text: string) => javascriptOf(text, 'src/a/one.ts', SOURCES);

test('types are removed, and line numbers stay the same', () => {
  expect(compile('interface A {\n}\nconst a: A = {};\n')).toMatch(/^ +\n ?\nconst a {4}= {};\n$/);
});

test.each([
  ["import { b } from './two.ts';", "import { b } from './two.js';"],
  ["const b = await import('../three.ts');", "const b = await import('../three.js');"],
  ["new URL('./two.ts', import.meta.url)", "new URL('./two.js', import.meta.url)"],
  [
    "import '@atelier/imaging/fingerprint/pdq/hash.ts';",
    "import '../../packages/imaging/src/fingerprint/pdq/hash.js';",
  ],
  ["const files = ['verify.ts'];", "const files = ['verify.ts'];"],
])('%s becomes %s', (source, expected) => {
  expect(compile(source)).toBe(expected);
});

test('a missing source is named', () => {
  expect(() => compile("import './gone.ts';")).toThrow('src/a/one.ts names ./gone.ts');
});
