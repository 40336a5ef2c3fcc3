import { html } from 'hono/html';
import { closest } from '../../catalog/closest.ts';
import type { AtelierError } from '../../core/errors/atelier_error.ts';
import { ERRORS } from '../../core/errors/codes.ts';
import { type Html, htmlPage, type PageAnswer } from '../../core/html/html_page.ts';
import { ROOMS } from '../../core/html/rooms.ts';
import { frameOf } from './frame.ts';
import { themeIn } from './theme_in.ts';
import type { Studio } from './types.ts';
import { whatToDo } from './what_to_do.ts';

const PATH_CHARACTERS_SHOWN = 100;

/** A request of a browser that was refused. */
export interface RefusedRequest {
  /** Path and query. */
  readonly address: string;
  readonly requestId: string;
  /** The Cookie header. */
  readonly cookies: string | undefined;
}

/** What a browser shows of it: what happened, what to do, and in the last line what an operator asks for. */
export function refusedPage(
  studio: Pick<Studio, 'version' | 'publicUrl' | 'tools'>,
  error: AtelierError,
  { address, requestId, cookies }: RefusedRequest,
): Promise<PageAnswer> {
  const { version, publicUrl } = studio;
  const frame = { ...frameOf({ version, publicUrl }, { theme: themeIn(cookies) }), publicUrl: undefined };
  const { code, status } = error;
  if (code === 'not_found') return htmlPage({ status, ...nothingAt(address, studio) }, frame);
  return htmlPage(
    {
      title: ERRORS[code].title,
      status,
      body: html`<p class="lead">${error.message}</p><p>${whatToDo(error, onThisServer(address))}</p>
<p class="small quiet"><a href="/problems/${code}"><code>${code}</code></a>, ${status}, request <code>${requestId}</code></p>`,
    },
    frame,
  );
}

/** Two slashes before a name would lead to the server of that name. */
const onThisServer = (address: string): string => address.replace(/^[/\\]+/, '/');

function nothingAt(address: string, { tools }: Pick<Studio, 'tools'>): { title: string; body: Html } {
  const [path = ''] = address.split('?');
  const near = closest(path, [
    ...ROOMS.map((room) => room.path),
    ...tools.map(({ name }) => `/tools/${name}`),
  ]).slice(0, 3);
  return {
    title: `No page at ${path.slice(0, PATH_CHARACTERS_SHOWN)}`,
    body: html`${near.length > 0 ? html`<p class="lead">Did you mean ${near.map((one, at) => html`${at > 0 ? ' or ' : ''}<a href="${one}">${one}</a>`)}?</p>` : ''}
<p class="quiet">Every room is named above. What programs call is in <a href="/openapi.json">openapi.json</a>.</p>`,
  };
}
