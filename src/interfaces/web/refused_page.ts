import { html } from 'hono/html';
import { closest } from '../../catalog/closest.ts';
import { WELCOME_CREDITS } from '../../config/limits.ts';
import type { AtelierError } from '../../core/errors/atelier_error.ts';
import { ERRORS } from '../../core/errors/codes.ts';
import { type Html, htmlPage, type PageAnswer } from '../../core/html/html_page.ts';
import { SECTIONS } from '../../core/html/sections.ts';
import { themeIn } from './cookies.ts';
import { frameOf } from './frame.ts';
import { secondsText } from './tools/words.ts';
import type { Studio } from './types.ts';

const PATH_CHARACTERS_SHOWN = 100;

/** A rejected browser request. */
export interface RefusedRequest {
  /** Path and query. */
  readonly address: string;
  readonly requestId: string;
  /** The Cookie header. */
  readonly cookies: string | undefined;
}

/** Error page: what happened, what to do, and a last line with the code and request id for the operator. */
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
    ...SECTIONS.map((room) => room.path),
    ...tools.map(({ name }) => `/tools/${name}`),
  ]).slice(0, 3);
  return {
    title: `No page at ${path.slice(0, PATH_CHARACTERS_SHOWN)}`,
    body: html`${near.length > 0 ? html`<p class="lead">Did you mean ${near.map((one, at) => html`${at > 0 ? ' or ' : ''}<a href="${one}">${one}</a>`)}?</p>` : ''}
<p class="quiet">Use the navigation above, or see the API reference in <a href="/openapi.json">openapi.json</a>.</p>`,
  };
}

/**
 * Next step for a person; the `fix` texts of the error table are for API clients.
 * @param address path and query of the requested page
 */
function whatToDo({ status, code, details, message }: AtelierError, address: string): Html {
  const again = html`<a href="${address}">Try again</a>`;
  const { retryAfterSeconds: seconds } = details;
  if (status === 401)
    return html`<a href="${address.startsWith('/operate') ? '/operate' : '/wallet'}">Sign in</a>, then return to this page.`;
  if (status === 402)
    return html`Buy credits in <a href="/wallet">your wallet</a>. A new wallet has ${WELCOME_CREDITS}. <a href="/tools">Free tools</a> need no credits.`;
  if (status === 413)
    return html`<a href="/tools/resize_image">Resize the image</a> (free), or send fewer files at once.`;
  if (status === 429 || status === 503)
    return html`${again}${seconds === undefined ? '' : ` in ${secondsText(seconds)}`}. Go back to keep what you entered.`;
  if (status >= 500) return html`Something went wrong on the server. You were not charged. ${again}.`;
  const { fix } = ERRORS[code];
  return html`${message.includes(fix) ? '' : `${fix} `}Go back and correct the problem described above.`;
}
