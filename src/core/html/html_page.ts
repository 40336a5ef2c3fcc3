import { html, raw } from 'hono/html';
import { type PageFileName, pageFile } from './page_files.ts';
import { SECTIONS, type SectionPath } from './sections.ts';

/** HTML from `html`, which escapes interpolated values. */
export type Html = ReturnType<typeof html>;

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Page {
  readonly title: string;
  /** One-sentence summary, for link previews. */
  readonly summary?: string;
  /** Heading if it differs from the title; contains the only h1. */
  readonly heading?: Html;
  readonly body: Html;
  /** `sheet`: one column for text, forms or signatures. `window`: as high as the window, without a scroll bar of the page. */
  readonly shape?: 'wide' | 'sheet' | 'window';
  /** Scripts and styles of `browser/` in addition to the common ones. */
  readonly files?: readonly PageFileName[];
  /** Content-Security-Policy directives that differ from the default. */
  readonly policy?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Reload interval for browsers without JavaScript, on a page with unfinished work. */
  readonly refreshSeconds?: number;
}

/** Section and visitor of a page. Unset: a public page outside of the sections. */
export interface Frame {
  readonly room?: SectionPath | undefined;
  readonly theme?: Theme | undefined;
  /** Account link in the header. */
  readonly account?: { readonly label: string; readonly path: string } | undefined;
  /** Adds a link to the operator page. */
  readonly isOperator?: boolean | undefined;
  /** Server in the footer, such as "Atelier 0.5.0 on studio.example". */
  readonly server?: string | undefined;
  /** Public base URL. Unset: no link preview. */
  readonly publicUrl?: string | undefined;
}

/** A rendered page. */
export interface PageAnswer {
  readonly bytes: string;
  readonly contentType: string;
  readonly headers: Record<string, string>;
  readonly status?: number;
}

/** A page for people: loads only files of this server, is not cached, and cannot be framed. */
export async function htmlPage(
  { title, summary, heading, body, shape = 'sheet', files = [], policy, status, refreshSeconds }: Page,
  frame: Frame = {},
): Promise<PageAnswer> {
  const page = await html`<!doctype html>
<html lang="en"${frame.theme && frame.theme !== 'auto' ? html` data-theme="${frame.theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Atelier</title>
${previewOf(title, summary, frame)}${refreshSeconds === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>\n`}<link rel="preload" href="${pageFile('familjen_latin.woff2').address}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="${pageFile('mark.svg').address}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${pageFile('icon.png').address}">
${fileLinks(files)}</head>
<body${shape === 'window' ? html` class="window"` : ''}>
<a class="skip" href="#main">Skip to content</a>
${header(frame)}
<main id="main"${shape === 'sheet' ? html` class="sheet-page"` : ''}>
${heading ?? html`<h1>${title}</h1>`}
${body}
</main>
${footer(frame)}
</body>
</html>
`;
  return {
    bytes: String(page),
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': policyOf(files, policy),
      // With no-referrer, browsers would send `Origin: null` with forms of this server.
      'Referrer-Policy': 'same-origin',
    },
    ...(status !== undefined && { status }),
  };
}

/** A page with a single message. */
export const messagePage = (title: string, text: string, frame?: Frame): Promise<PageAnswer> =>
  htmlPage({ title, body: html`<p>${text}</p>` }, frame);

/** Open Graph metadata for link previews: title, summary and one image (https://ogp.me). */
function previewOf(title: string, summary: string | undefined, { publicUrl }: Frame): Html {
  const said = summary ? html`<meta name="description" content="${summary}">\n` : '';
  if (publicUrl === undefined) return html`${said}`;
  return html`${said}<meta property="og:title" content="${title}">
<meta property="og:site_name" content="Atelier">
<meta property="og:type" content="website">
${summary ? html`<meta property="og:description" content="${summary}">\n` : ''}<meta property="og:image" content="${publicUrl}${pageFile('preview.jpg').address}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="A painted still life and results of the tools">
<meta name="twitter:card" content="summary_large_image">
`;
}

function policyOf(files: readonly PageFileName[], policy: Page['policy']): string {
  const hasProgram = files.some(isProgram);
  const rules = {
    'default-src': "'none'",
    'style-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'font-src': "'self'",
    'img-src': "'self'",
    'script-src': "'self'",
    'form-action': "'none'",
    ...(hasProgram && { 'connect-src': "'self'" }),
    ...policy,
  };
  return Object.entries(rules)
    .map((rule) => rule.join(' '))
    .join('; ');
}

/** Scripts that draw part of the page: they block rendering, so that the layout does not shift. */
const FIRST_PROGRAMS: ReadonlySet<PageFileName> = new Set<PageFileName>(['editor.ts']);

const isProgram = (name: PageFileName): boolean => /\.[tj]s$/.test(name);

/** Scripts of packages are not modules; all scripts run in document order, after parsing. */
function fileLinks(files: readonly PageFileName[]): Html {
  const all = [...new Set(files)];
  const ending = (name: string) => all.filter((file) => file.endsWith(name));
  const isFirst = all.some((name) => FIRST_PROGRAMS.has(name));
  return html`<link rel="stylesheet" href="${pageFile('page.css', ...ending('.css')).address}">
${ending('.js').map((name) => html`<script defer src="${pageFile(name).address}"></script>\n`)}<script type="module"${isFirst ? html` blocking="render"` : ''} src="${pageFile('theme.ts', ...ending('.ts')).address}"></script>
`;
}

const MARK = raw(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6.5 0v4.5M0 6.5h4.5M17.5 24v-4.5M24 17.5h-4.5" stroke="currentColor" stroke-width="1.6"/><path d="M6.5 6.5h11v11h-11z" fill="currentColor"/></svg>',
);

function header({ room, theme = 'auto', account, isOperator }: Frame): Html {
  const shown = SECTIONS.filter(({ path }) => isOperator || path !== '/operate');
  return html`<header class="top">
<a class="brand" href="/">${MARK}Atelier</a>
<nav aria-label="Sections">${shown.map(
    ({ path, name }) => html`<a href="${path}"${path === room ? html` aria-current="page"` : ''}>${name}</a>`,
  )}</nav>
<div class="side">${account ? html`<a href="${account.path}">${account.label}</a>` : ''}<at-theme data-theme="${theme}"></at-theme></div>
</header>`;
}

const footer = ({ server = 'Atelier' }: Frame): Html =>
  html`<footer class="foot"><span>${server}. Open source, Apache-2.0.</span><a href="/operate">Operate</a><a href="/llms.txt">llms.txt</a><a href="/openapi.json">openapi.json</a><a href="/.well-known/mcp.json">mcp.json</a><a href="/health">health</a></footer>`;
