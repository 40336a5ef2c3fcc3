import { expect, test } from 'vitest';
import { bundleScripts, plainScript } from './bundle_scripts.ts';

const bundle = (names: readonly string[], texts: Readonly<Record<string, string>>): string =>
  bundleScripts(names, {
    read: (name) => plainScript(name, texts[name]!),
    nameOf: (specifier) => specifier.replace('./', ''),
    addressOf: (name) => `/pages/${name}`,
  });
const run = (script: string, loaded: object, log: string[] = []): void => {
  new Function('globalThis', 'log', script)(loaded, log);
};

test('modules run once each, after their imports, in their own scope', () => {
  const log: string[] = [];
  const script = bundle(['a.ts', 'b.ts'], {
    'a.ts': "import { name as theirs } from './c.ts';\nconst name: string = 'a';\nlog.push(name + theirs);\n",
    'b.ts': "import './a.ts';\nimport { double, type Kind } from './c.ts';\nlog.push(double('b'));\n",
    'c.ts':
      "export type Kind = 1;\nlog.push('c');\nexport const name = 'c';\nexport function double(text: string) {\n  return text + text;\n}\n",
  });
  run(script, {}, log);
  expect(log).toEqual(['c', 'ac', 'bb']);
});

test('a module in an earlier script is not run again by a later script', () => {
  const [log, loaded] = [[] as string[], {}];
  const texts = { 'a.ts': "import './c.ts';\n", 'b.ts': "import './c.ts';\n", 'c.ts': "log.push('c');\n" };
  run(bundle(['a.ts'], texts), loaded, log);
  run(bundle(['b.ts'], texts), loaded, log);
  expect(log).toEqual(['c']);
});

test('a dynamic import is loaded on demand unless the module is in the bundle', () => {
  const texts = { 'a.ts': "void import('./b.ts');\n", 'b.ts': 'export const b = 1;\n' };
  expect(bundle(['a.ts'], texts)).toContain("import('/pages/b.ts').then(() => pageModules['b.ts'])");
  expect(bundle(['a.ts', 'b.ts'], texts)).toContain("void Promise.resolve(pageModules['b.ts'])");
});

test.each(["import * as all from './b.ts';\n", 'export default 1;\n', "export * from './b.ts';\n"])(
  'unsupported syntax is an error: %s',
  (text) => {
    expect(() => bundle(['a.ts'], { 'a.ts': text, 'b.ts': '' })).toThrow('a.ts cannot be bundled');
  },
);
