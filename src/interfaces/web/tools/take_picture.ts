import { html } from 'hono/html';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { handleIn } from '../../../features/definitions/images_in.ts';
import { verifyProvenance } from '../../../features/provenance/tools/verify_provenance.ts';
import type { Visit } from '../types.ts';
import { dropHtml } from './drop_html.ts';
import { earlierResults } from './earlier_results.ts';
import { openPicture, pictureAddress, sampleIn } from './picture_operation.ts';
import { keepFile, readPosted } from './post_run.ts';
import { fieldsOf } from './tool_fields.ts';

/** The image field of pages that take one image. */
export const pictureFields = fieldsOf(verifyProvenance);

/**
 * Handle of a posted image. A file is stored as an upload; an image URL is fetched once and stored.
 * @throws AtelierError of a tool with the same field, and of an upload
 */
export async function takePicture(visit: Visit): Promise<string> {
  const { image = '' } = await readPosted(pictureFields, visit);
  const text = image.trim();
  if (text === '') throw invalidField('image', 'image is required');
  if (pictureAddress(text) !== undefined || (handleIn(text) && !/^https?:/i.test(text))) return text;
  const { picture } = await openPicture(visit, text);
  const { bytes, format } = picture;
  return keepFile(
    visit,
    new File([bytes as Uint8Array<ArrayBuffer>], 'picture', { type: `image/${format}` }),
  );
}

/** Text of a posted image field to restore in the form. */
export const postedText = (form: FormData): string => {
  const text = form
    .getAll('image')
    .filter((value) => typeof value === 'string')
    .at(-1);
  return text !== undefined && (handleIn(text) || sampleIn(text)) ? text : '';
};

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
