import { html } from 'hono/html';
import { type PageFileName, pageFile } from './page_files.ts';

/** HTML from `html`, whose inserted values are text: what a caller sends is shown, never interpreted. */
export type Html = ReturnType<typeof html>;

interface Page {
  readonly title: string;
  readonly body: Html;
  /** Programs and styles of `browser/` beside `page.css`. */
  readonly files?: readonly PageFileName[];
  /** Directives of the Content-Security-Policy that differ from those of every page. */
  readonly policy?: Readonly<Record<string, string>>;
}

/** A page as it is sent. */
export interface PageAnswer {
  readonly bytes: string;
  readonly contentType: string;
  readonly headers: Record<string, string>;
}

/** A page that is the same for everybody: its own value in its own file, and a line in `operations/pages.ts`. */
export interface PublicPage {
  readonly name: string;
  readonly path: `/${string}`;
  /** What it is for, and what is on it; for OpenAPI. */
  readonly summary: string;
  readonly description: string;
  show(): Promise<PageAnswer>;
}

/** A page of ours for a person: nothing runs or loads but files of ours, never kept, never inside a frame. */
export async function htmlPage({ title, body, files = [], policy }: Page): Promise<PageAnswer> {
  const hasProgram = files.some((name) => name.endsWith('.ts'));
  const rules = {
    'default-src': "'none'",
    'style-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    ...(hasProgram && { 'script-src': "'self'", 'connect-src': "'self'" }),
    ...policy,
  };
  const page = await html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Atelier</title>
${(['page.css', ...files] as const).map(linkTo)}<main>
<h1>${title}</h1>
${body}
</main>
</html>
`;
  return {
    bytes: String(page),
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': Object.entries(rules)
        .map((rule) => rule.join(' '))
        .join('; '),
    },
  };
}

/** A page that says one thing. */
export const messagePage = (title: string, text: string): Promise<PageAnswer> =>
  htmlPage({ title, body: html`<p>${text}</p>` });

function linkTo(name: PageFileName): Html {
  const { address } = pageFile(name);
  return name.endsWith('.ts')
    ? html`<script type="module" src="${address}"></script>\n`
    : html`<link rel="stylesheet" href="${address}">\n`;
}
