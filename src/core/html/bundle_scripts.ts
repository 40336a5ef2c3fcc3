import { stripTypeScriptTypes } from 'node:module';

/** Access to the modules. */
interface Modules {
  /** A module as returned by `plainScript`. */
  read(name: string): string;
  /** Name of a module by its import specifier. */
  nameOf(specifier: string): string;
  /** URL of the script that contains a dynamically imported module (`import()`). */
  addressOf(name: string): string;
}

const IMPORT = /^import (?:\{([^}]*)\} from )?['"]([^'"]+)['"];$/gm;
const LATER = /\bimport\('([^']+)'\)/g;
const EXPORT = /^export (?=(?:async function|function|class|const) (\w+))/gm;
const EXPORT_LIST = /^export \{([^}]*?),? *\};$/gm;
/** Loaded scripts share their modules: each runs once, whichever scripts contain it. */
const LOADED = 'pageModules';

/**
 * Bundles modules and their imports into one script: browsers discover imports only after loading a module,
 * and a page of twenty-five modules waits for six connections. Each module becomes a function that runs in
 * import order, as without a bundle.
 */
export function bundleScripts(names: readonly string[], modules: Modules): string {
  const texts = new Map<string, string>();
  for (const name of names) collect(name, modules, texts);
  const bundled = [...texts].map(([name, text]) => moduleFunction(name, text, modules, texts));
  return `const ${LOADED} = (globalThis.${LOADED} ??= {});\n${bundled.join('')}`;
}

/** Adds a module after those that it imports. */
function collect(name: string, modules: Modules, texts: Map<string, string>): void {
  if (texts.has(name)) return;
  const text = modules.read(name);
  for (const [, , specifier] of text.matchAll(IMPORT)) collect(modules.nameOf(specifier!), modules, texts);
  texts.set(name, text);
}

function moduleFunction(
  name: string,
  text: string,
  modules: Modules,
  bundled: ReadonlyMap<string, string>,
): string {
  const loaded = (specifier: string) => `${LOADED}['${modules.nameOf(specifier)}']`;
  const exported = [
    ...[...text.matchAll(EXPORT)].map(([, own]) => own),
    ...[...text.matchAll(EXPORT_LIST)].map(([, list]) => list!.replaceAll(/(\w+) as (\w+)/g, '$2: $1')),
  ];
  const body = text
    .replace(IMPORT, (_, list, specifier) =>
      list?.trim() ? `const {${list.replaceAll(' as ', ': ')}} = ${loaded(specifier)};` : '',
    )
    .replace(LATER, (_, specifier) => {
      const later = modules.nameOf(specifier);
      return bundled.has(later)
        ? `Promise.resolve(${loaded(specifier)})`
        : `import('${modules.addressOf(later)}').then(() => ${loaded(specifier)})`;
    })
    .replace(EXPORT, '')
    .replace(EXPORT_LIST, '');
  const [unknown] = /^(import|export)\b(?!\().*/m.exec(body) ?? [];
  if (unknown) throw new Error(`${name} cannot be bundled: ${unknown}`);
  return `${LOADED}['${name}'] ??= (() => {${body}return { ${exported.join(', ')} };\n})();\n`;
}

/** A module, TypeScript or JavaScript, as JavaScript without comments. */
export const plainScript = (name: string, source: string): string =>
  withoutComments(name.endsWith('.ts') ? stripTypes(source) : source);

/** Removes indentation, empty lines and whole-line comments: our scripts contain no multi-line text. */
const withoutComments = (script: string): string =>
  script
    .replace(/^ *\/\*[*!][\s\S]*?\*\/ *$/gm, '')
    .replace(/^ *\/\/.*$/gm, '')
    .replace(/\n\s*/g, '\n');

/** Type stripping of Node. A named import would print an experimental warning to the operator. */
export function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
