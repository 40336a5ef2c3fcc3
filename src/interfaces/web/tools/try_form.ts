import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { Visit } from '../types.ts';
import { dropHtml } from './drop_html.ts';
import { earlierResults } from './earlier_results.ts';
import { pictureFields } from './take_picture.ts';

/**
 * The form that opens the tools page with an image; `try_tools.ts` submits it as soon as an image is chosen.
 * @param label heading of the form
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
