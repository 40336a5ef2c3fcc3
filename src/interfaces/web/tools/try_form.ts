import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { Visit } from '../types.ts';
import { dropHtml } from './drop_html.ts';
import { earlierResults } from './earlier_results.ts';
import { pictureFields } from './take_picture.ts';

/**
 * The form that takes an image to the page of tools; a script sends the image as soon as it is chosen (`try_tools.ts`).
 * @param label stands above it
 */
export async function tryForm(text: string, visit: Visit, label = 'Your image'): Promise<Html> {
  const [field] = pictureFields;
  const drop = {
    field: { ...field!, label },
    text,
    problem: undefined,
    linkTo: (handle: string) => `/tools?${new URLSearchParams({ image: handle })}`,
    isBatch: false,
    earlier: await earlierResults(visit),
  };
  return html`<form class="ticket" id="try" method="post" action="/tools" enctype="multipart/form-data">${dropHtml(drop)}
<button class="main">Show previews (free)</button></form>`;
}
