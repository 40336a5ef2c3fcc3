import { html, raw } from 'hono/html';
import { type PageFileName, pageFile } from './page_files.ts';
import { ROOMS, type RoomPath } from './rooms.ts';

/** HTML from `html`, whose inserted values are text: what a caller sends is shown, never interpreted. */
export type Html = ReturnType<typeof html>;

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Page {
  readonly title: string;
  /** One sentence about it, for whoever is sent a link to it. */
  readonly summary?: string;
  /** Where the heading says more than the title; it holds the one h1. */
  readonly heading?: Html;
  readonly body: Html;
  /** `sheet`: one column for something to read, fill in or sign. */
  readonly shape?: 'wide' | 'sheet';
  /** Programs and styles of `browser/` beside those of every page. */
  readonly files?: readonly PageFileName[];
  /** Directives of the Content-Security-Policy that differ from those of every page. */
  readonly policy?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Asked for again after so long by browsers that run no programs: it shows something that is not done yet. */
  readonly refreshSeconds?: number;
}

/** Where a page hangs, and for whom. Absent: for anybody, in no room. */
export interface Frame {
  readonly room?: RoomPath | undefined;
  readonly theme?: Theme | undefined;
  /** What stands where a visitor looks for their account. */
  readonly account?: { readonly label: string; readonly path: string } | undefined;
  /** Leads to the operator's page. */
  readonly isOperator?: boolean | undefined;
  /** At the foot: what serves this, such as "Atelier 0.5.0 on studio.example". */
  readonly server?: string | undefined;
  /** How a link to this server begins. Absent: links to the page have no preview. */
  readonly publicUrl?: string | undefined;
}

/** A page as it is sent. */
export interface PageAnswer {
  readonly bytes: string;
  readonly contentType: string;
  readonly headers: Record<string, string>;
  readonly status?: number;
}

/** A page of ours for a person: nothing runs or loads but files of ours, never kept, never inside a frame. */
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
${(['page.css', ...files, 'theme.ts'] as const).map(linkTo)}</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
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
      // Without any, browsers would say of our own forms that they come from nowhere (Origin: null).
      'Referrer-Policy': 'same-origin',
    },
    ...(status !== undefined && { status }),
  };
}

/** A page that says one thing. */
export const messagePage = (title: string, text: string, frame?: Frame): Promise<PageAnswer> =>
  htmlPage({ title, body: html`<p>${text}</p>` }, frame);

/** What others show of a link to the page: its title, a sentence, and one picture of the house (https://ogp.me). */
function previewOf(title: string, summary: string | undefined, { publicUrl }: Frame): Html {
  const said = summary ? html`<meta name="description" content="${summary}">\n` : '';
  if (publicUrl === undefined) return html`${said}`;
  return html`${said}<meta property="og:title" content="${title}">
<meta property="og:site_name" content="Atelier">
<meta property="og:type" content="website">
${summary ? html`<meta property="og:description" content="${summary}">\n` : ''}<meta property="og:image" content="${publicUrl}${pageFile('preview.jpg').address}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="A painted still life, and what the tools made of it">
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

const isProgram = (name: PageFileName): boolean => /\.[tj]s$/.test(name);

function linkTo(name: PageFileName): Html {
  const { address } = pageFile(name);
  // What a package brings is no module; both run in the order they stand in, once the page is read.
  if (name.endsWith('.js')) return html`<script defer src="${address}"></script>\n`;
  return isProgram(name)
    ? html`<script type="module" src="${address}"></script>\n`
    : html`<link rel="stylesheet" href="${address}">\n`;
}

const MARK = raw(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6.5 0v4.5M0 6.5h4.5M17.5 24v-4.5M24 17.5h-4.5" stroke="currentColor" stroke-width="1.6"/><path d="M6.5 6.5h11v11h-11z" fill="currentColor"/></svg>',
);

function header({ room, theme = 'auto', account, isOperator }: Frame): Html {
  const shown = ROOMS.filter(({ path }) => isOperator || path !== '/operate');
  return html`<header class="top">
<a class="brand" href="/">${MARK}Atelier</a>
<nav aria-label="Rooms">${shown.map(
    ({ path, name }) => html`<a href="${path}"${path === room ? html` aria-current="page"` : ''}>${name}</a>`,
  )}</nav>
<div class="side">${account ? html`<a href="${account.path}">${account.label}</a>` : ''}<at-theme data-theme="${theme}"></at-theme></div>
</header>`;
}

const footer = ({ server = 'Atelier' }: Frame): Html =>
  html`<footer class="foot"><span>${server}. Open source, Apache-2.0.</span><a href="/operate">Operate</a><a href="/llms.txt">llms.txt</a><a href="/openapi.json">openapi.json</a><a href="/.well-known/mcp.json">mcp.json</a><a href="/health">health</a></footer>`;
