import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bundleScripts, plainScript } from './bundle_scripts.ts';

/** Scripts and styles of the views that MCP hosts show beside a response. */
const FOLDER = new URL('./browser/views/', import.meta.url);

interface View {
  /** Name of its script: `compare`. */
  readonly name: string;
  /** Styles in addition to the common ones. */
  readonly styles?: readonly string[];
  readonly title: string;
  /** Origin of its images. */
  readonly origin: string;
}

/**
 * Renders a view as one HTML document that loads nothing but images of this server. A host displays it from its text, without a
 * URL, so it must be self-contained (docs/decisions/0003-mcp.md). Its policy allows its one script and stylesheet by hash, so no
 * other code runs even in a host that allows scripts.
 */
export function viewDocument({ name, title, styles = [], origin }: View): string {
  const style = ['view.css', ...styles].map((file) => withoutComments(read(file))).join('');
  const program = bundleScripts([`${name}.ts`], VIEW_MODULES);
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
<p id="status" role="status" aria-live="polite">Waiting for the response …</p>
<div id="answer"></div>
</main>
<script type="module">${program}</script>
</body>
</html>
`;
}

const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

const VIEW_MODULES = {
  read: (name: string) => plainScript(name, read(name)),
  nameOf: (specifier: string) => specifier.replace(/^\.\//, ''),
  addressOf(name: string): never {
    throw new Error(`A view cannot import ${name} later.`);
  },
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Strips comments and the whitespace they leave. */
const withoutComments = (style: string): string =>
  style
    .replace(/^ *(\/\/.*|\/\*[\s\S]*?\*\/ *)$/gm, '')
    .replace(/ +$/gm, '')
    .replace(/\n\n+/g, '\n');
