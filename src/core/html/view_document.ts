import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypes } from './strip_types.ts';

/** The programs and styles of the views that chat programs show beside an answer. */
const FOLDER = new URL('./browser/views/', import.meta.url);

interface View {
  /** Its program: `compare`. */
  readonly name: string;
  /** Its styles beside those of every view. */
  readonly styles?: readonly string[];
  readonly title: string;
  /** Where its pictures come from. */
  readonly origin: string;
}

/**
 * A view as one HTML document that loads nothing but pictures of ours: whoever shows it has it as a text, without an address, so what it
 * needs stands in it (docs/decisions/0076-views.md). Its policy names its one program and style by their hashes: nothing else runs
 * even in a program that lets all of the page run.
 */
export function viewDocument({ name, title, styles = [], origin }: View): string {
  const style = ['view.css', ...styles].map((file) => withoutComments(read(file))).join('');
  const program = joinPrograms(`${name}.ts`);
  const rules = {
    'default-src': "'none'",
    'script-src': hashOf(program),
    'style-src': hashOf(style),
    'img-src': `data: ${origin}`,
    'base-uri': "'none'",
    'form-action': "'none'",
  };
  const policy = Object.entries(rules)
    .map((rule) => rule.join(' '))
    .join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<p id="status" role="status" aria-live="polite">Waiting for the answer …</p>
<div id="answer"></div>
</main>
<script type="module">${program}</script>
</body>
</html>
`;
}

const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const IMPORT = /^import \{[^}]*\} from '\.\/(\w+\.ts)';\n/gm;

/**
 * A program and all it imports as one, each file once and after what it imports. They share one scope, so no two may give the same name at
 * their top; the browser refuses a program in which they do.
 */
function joinPrograms(name: string, joined = new Set<string>()): string {
  joined.add(name);
  const source = stripTypes(read(name));
  const imported = [...source.matchAll(IMPORT)]
    .filter(([, file]) => !joined.has(file!))
    .map(([, file]) => joinPrograms(file!, joined));
  return [...imported, withoutModules(source)].join('');
}

/** What a module has and the one program of a view has not. */
const withoutModules = (source: string): string =>
  withoutComments(source.replace(IMPORT, '').replace(/^export (?=async |function |const |class )/gm, ''));

/** Comments that have their lines for themselves, and the room that types have left behind. */
const withoutComments = (source: string): string =>
  source
    .replace(/^ *(\/\/.*|\/\*[\s\S]*?\*\/ *)$/gm, '')
    .replace(/ +$/gm, '')
    .replace(/\n\n+/g, '\n');
