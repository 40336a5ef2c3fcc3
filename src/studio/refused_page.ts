import { html } from 'hono/html';
import { closest } from '../catalogue/closest.ts';
import type { AtelierError } from '../errors/atelier_error.ts';
import { ERRORS } from '../errors/codes.ts';
import { htmlPage, type PageAnswer } from '../pages/html_page.ts';
import { ROOMS } from '../pages/rooms.ts';
import type { Studio } from './contract.ts';
import { frameOf } from './frame.ts';

const PATH_CHARACTERS_SHOWN = 100;

/**
 * What a browser shows of a request that was refused: what happened and what to do, in the words of the problem object.
 * @param path that was asked for
 */
export function refusedPage(
  studio: Pick<Studio, 'version' | 'publicUrl' | 'tools'>,
  error: AtelierError,
  path: string,
): Promise<PageAnswer> {
  const { title, fix } = ERRORS[error.code];
  const frame = frameOf(studio, { theme: 'auto' });
  const { status } = error;
  if (error.code !== 'not_found')
    return htmlPage(
      { title, status, body: html`<p class="lead">${error.message}</p><p class="quiet">${fix}</p>` },
      frame,
    );
  const near = closest(path, [
    ...ROOMS.map((room) => room.path),
    ...studio.tools.map(({ name }) => `/tools/${name}`),
  ]).slice(0, 3);
  return htmlPage(
    {
      title: `No page at ${path.slice(0, PATH_CHARACTERS_SHOWN)}`,
      status,
      body: html`${near.length > 0 ? html`<p class="lead">Did you mean ${near.map((one, at) => html`${at > 0 ? ' or ' : ''}<a href="${one}">${one}</a>`)}?</p>` : ''}
<p class="quiet">Every room is named above. What programs call is in <a href="/openapi.json">openapi.json</a>.</p>`,
    },
    frame,
  );
}
