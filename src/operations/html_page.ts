import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../catalogue/escape_html.ts';
import type { FileAnswer } from './operation.ts';

/** HTML whose inserted values are text: what a caller sends is shown, never interpreted. */
export interface Html {
  readonly html: string;
}

/** Inserts values as text; a value that is itself of this kind stays as it is. */
export function ofText(parts: TemplateStringsArray, ...values: (string | number | Html)[]): Html {
  const shown = values.map((value) => (typeof value === 'object' ? value.html : escapeHtml(String(value))));
  return { html: parts.map((part, at) => part + (shown[at] ?? '')).join('') };
}

interface Page {
  readonly title: string;
  readonly body: Html;
  /** Rules beside those of every page. */
  readonly style?: string;
  /** JavaScript of ours; nothing of a caller goes into it. */
  readonly script?: string;
  /** Sources beside our own that the page may use, by directive of its Content-Security-Policy. */
  readonly sources?: Readonly<Record<string, string>>;
}

const STYLE = `:root{color-scheme:light dark;font:1.05rem/1.5 system-ui,sans-serif}
body{max-width:32rem;margin:clamp(1rem,6vh,3rem) auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}
label{display:block;margin:1rem 0 .25rem}
input,button{font:inherit;padding:.5rem .7rem;border-radius:.4rem;border:1px solid #8888;box-sizing:border-box;width:100%}
button{margin-top:1rem;border:0;background:#1a4fd6;color:#fff;cursor:pointer}
button:disabled{opacity:.5}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0}
dt{opacity:.7}dd{margin:0}
.note{border-left:.25rem solid #c78500;padding:.1rem .8rem;margin:1rem 0}
[role=status]{min-height:1.5em}`;

/** A page of ours for a person: no source but itself unless named, never kept, never inside a frame. */
export function htmlPage({ title, body, style = '', script, sources = {} }: Page): FileAnswer {
  const nonce = randomBytes(16).toString('base64');
  const policy = {
    'default-src': "'none'",
    'style-src': `'nonce-${nonce}'`,
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    ...(script && { 'script-src': `'nonce-${nonce}'`, 'connect-src': "'self'" }),
  } as Record<string, string>;
  for (const [directive, source] of Object.entries(sources)) {
    policy[directive] = policy[directive] ? `${policy[directive]} ${source}` : source;
  }
  const head = ofText`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Atelier</title>
<style nonce="${nonce}">${{ html: STYLE + style }}</style>
<main>
<h1>${title}</h1>
${body}
</main>
`;
  return {
    bytes: `${head.html}${script ? `<script type="module" nonce="${nonce}">\n${script}</script>\n` : ''}</html>\n`,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': Object.entries(policy)
        .map((rule) => rule.join(' '))
        .join('; '),
    },
  };
}
