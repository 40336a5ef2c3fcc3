import { html } from 'hono/html';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { SAMPLES, type Sample } from '../samples.ts';
import type { EarlierResult } from './earlier_results.ts';
import { nameHtml } from './field_html.ts';
import { RUNS_MAX } from './limits.ts';
import { pictureAddress, sampleIn } from './picture_operation.ts';
import { picturesIn } from './post_run.ts';
import { type Field, labelOf } from './tool_fields.ts';
import { typeText } from './words.ts';

interface Dropped {
  readonly field: Field;
  /** Handles with spaces between. */
  readonly text: string;
  readonly problem: string | undefined;
  /** The page with another value in this field. */
  readonly linkTo: (text: string) => string;
  /** Those of every tool where absent. */
  readonly samples?: readonly Sample[];
  /** Of runs before, for whoever looks. */
  readonly earlier?: readonly EarlierResult[];
  /** Several files at once. */
  readonly isBatch: boolean;
}

/** Where a picture or file comes in: chosen, dropped, pasted, a sample of ours, or by its handle. */
export function dropHtml(dropped: Dropped): Html {
  const { field, text, problem, linkTo, isBatch, samples = SAMPLES } = dropped;
  const id = `field-${field.name}`;
  const isPicture = field.kind === 'picture';
  const one = isPicture ? (isBatch ? 'Choose pictures' : 'Choose a picture') : 'Choose a file';
  return html`<div class="field"><h2 class="minor">${field.label}${field.isRequired ? '' : html` <small class="quiet">optional</small>`}${nameHtml(field)}</h2>
<at-drop data-bytes="${UPLOAD_BYTES_MAX}" data-files="${isBatch ? RUNS_MAX : 1}">
${isPicture ? thumb(text) : ''}<div class="small"><label for="${id}">${one}</label><span class="hint quiet" role="status">${saidOf(text)}</span></div>
<input type="file" id="${id}" name="${field.name}"${isPicture ? html` accept="image/*"` : ''}${isBatch ? html` multiple` : ''}${problem ? html` aria-invalid="true" aria-describedby="${id}-problem" autofocus` : ''}>
</at-drop>
${problem ? html`<small class="bad" id="${id}-problem">${problem}</small>` : ''}
<p class="small row">${isPicture ? html`<span>Samples: ${samples.map(({ name, title }, at) => html`${at > 0 ? ', ' : ''}<a href="${linkTo(`sample:${name}`)}">${title}</a>`)}</span><a href="/collection">From the collection</a>` : ''}</p>
${earlierHtml(dropped)}<details class="small"><summary>By address or handle</summary><label class="unseen" for="${id}-handle">Address or handle</label><input id="${id}-handle" name="${field.name}" value="${text}" autocomplete="off" spellcheck="false"><span class="hint quiet">https://…, asset:…, result:…, artwork:…</span></details></div>`;
}

/** Pictures where a picture is asked for; whatever was made where a file is. */
function earlierHtml({ field, earlier = [], linkTo }: Dropped): Html {
  const fit = earlier.filter(({ contentType }) => field.kind === 'file' || USABLE.test(contentType));
  if (fit.length === 0) return html``;
  return html`<div class="earlier small"><span>Earlier results:</span><ul class="row">${fit.map(
    ({ handle, tool, contentType }) => {
      const name = `${labelOf(tool)}, ${typeText(contentType)}`;
      const address = USABLE.test(contentType) ? pictureAddress(handle) : undefined;
      return html`<li><a href="${linkTo(handle)}">${address ? html`<img src="${address}" width="48" height="48" alt="${name}" title="${name}" loading="lazy">` : name}</a></li>`;
    },
  )}</ul></div>`;
}

/** What tools take as a picture, and a browser shows. */
const USABLE = /^image\/(png|jpeg|webp|avif|gif|tiff)$/;

/** The room for it is there from the first. */
function thumb(text: string): Html {
  const address = pictureAddress(picturesIn(text)[0]!);
  return html`<span class="thumb">${address ? html`<img src="${address}" width="64" height="64" alt="">` : ''}</span>`;
}

function saidOf(text: string): string {
  const pictures = picturesIn(text);
  if (text === '') return 'or drop or paste it here';
  if (pictures.length > 1) return `${pictures.length} pictures`;
  const sample = sampleIn(text);
  if (sample) return sample.title;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
