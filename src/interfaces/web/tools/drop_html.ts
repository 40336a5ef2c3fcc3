import { html } from 'hono/html';
import { UPLOAD_BYTES_MAX, URL_CHARACTERS_MAX } from '../../../config/limits.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { fileNameIn } from '../../../core/storage/blobs/hourly_files.ts';
import { SAMPLES, type Sample } from '../samples.ts';
import type { EarlierResult } from './earlier_results.ts';
import { RUNS_MAX } from './limits.ts';
import { sampleIn, thumbnailAddress } from './picture_operation.ts';
import { picturesIn } from './post_run.ts';
import { textOf } from './settings.ts';
import { type Field, labelOf } from './tool_fields.ts';
import { typeText } from './words.ts';

/** Choices up to these bounds fit on two lines of the form and are shown side by side. */
const CHOICES_SHOWN_MAX = 4;
const CHOICE_CHARACTERS_MAX = 32;

/**
 * The control of a field with label, hint and error. Images and files use `dropHtml`.
 * @param text entered text. Unset: the default is shown
 * @param edited wraps the control in its editor
 */
export function fieldHtml(
  field: Field,
  text: string | undefined,
  problem?: string,
  edited: (control: Html) => Html = (plain) => plain,
): Html {
  const value = text ?? textOf(field, field.otherwise);
  const said = { field, value, problem };
  if (field.kind === 'tick') return tick(said);
  if (field.kind === 'choice' && isShort(field)) return choices(said);
  return html`<div class="field"><label for="${idOf(field)}">${field.label}${field.isRequired ? '' : html` <small class="quiet">optional</small>`}</label>${nameHtml(field)}
${edited(control(said))}${notes(said)}</div>`;
}

interface Said {
  readonly field: Field;
  readonly value: string;
  readonly problem: string | undefined;
}

/** API name of the field, shown while `namesTick` is ticked. */
const nameHtml = ({ name }: Pick<Field, 'name'>): Html => html` <code class="param">${name}</code>`;

/** Shows the API name of each field; not part of the posted form. */
export const namesTick = (): Html =>
  html`<label class="tick small quiet"><input type="checkbox" id="param-names">Show API field names</label>`;

const idOf = ({ name }: Pick<Field, 'name'>): string => `field-${name}`;

/** Hint and error of the control, referenced by aria-describedby. */
const notes = ({ field, problem }: Said): Html =>
  html`${problem ? html`<small class="bad" id="${idOf(field)}-problem">${problem}</small>` : ''}${hintOf(field) ? html`<small class="hint quiet" id="${idOf(field)}-hint">${hintOf(field)}</small>` : ''}`;

function hintOf({ kind, hint, example }: Field): string {
  // The API text for an unset field, in the wording of a form.
  const said = hint.replace(/\bAbsent: /g, 'If empty: ');
  const commas = kind === 'list' || kind === 'colors' ? 'Separate values with commas. ' : '';
  const json =
    kind === 'json' && example !== undefined ? ` JSON, such as ${JSON.stringify(example).slice(0, 160)}` : '';
  return `${commas}${said}${json}`;
}

/** References the notes of a control and focuses a control with an error. */
function described({ field, problem }: Said): Html {
  const ids = [hintOf(field) && `${idOf(field)}-hint`, problem && `${idOf(field)}-problem`].filter(Boolean);
  return html`${ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : ''}${problem ? html` aria-invalid="true" autofocus` : ''}`;
}

function control(said: Said): Html {
  const { field, value } = said;
  const { kind, name, schema } = field;
  const common = html` id="${idOf(field)}" name="${name}"${described(said)}`;
  if (kind === 'choice') return select(said, common);
  if (kind === 'json') return html`<textarea${common} rows="5" spellcheck="false">${value}</textarea>`;
  if (kind === 'number') return number(said, common);
  const most = typeof schema.maxLength === 'number' ? html` maxlength="${schema.maxLength}"` : '';
  // Texts longer than a URL are prose.
  if (kind === 'text' && Number(schema.maxLength) > URL_CHARACTERS_MAX)
    return html`<textarea${common}${most} rows="3">${value}</textarea>`;
  const known = Array.isArray(schema.examples) ? schema.examples : [];
  // Several examples are suggestions; a single one is only an illustration.
  if (kind === 'text' && known.length > 2)
    return html`<input${common}${most} value="${value}" list="${idOf(field)}-known" autocomplete="off"><datalist id="${idOf(field)}-known">${known.map((one) => html`<option value="${String(one)}"></option>`)}</datalist>`;
  const input = html`<input${common}${most} value="${value}" autocomplete="off">`;
  return kind === 'color' ? html`<at-color>${input}</at-color>` : input;
}

function number({ field: { schema }, value }: Said, common: Html): Html {
  const { minimum, maximum, type } = schema;
  return html`<input type="number"${common} value="${value}"${minimum === undefined ? '' : html` min="${minimum}"`}${maximum === undefined ? '' : html` max="${maximum}"`} step="${type === 'integer' ? '1' : 'any'}">`;
}

const select = ({ field, value }: Said, common: Html): Html =>
  html`<select${common}>${allOptions(field).map(
    (option) =>
      html`<option value="${option}"${String(option) === value ? html` selected` : ''}>${optionText(option, field)}</option>`,
  )}</select>`;

function choices(said: Said): Html {
  const { field, value } = said;
  return html`<fieldset class="field"${described(said)}><legend>${field.label}</legend>${nameHtml(field)}<div class="choice">${allOptions(
    field,
  ).map(
    (option) =>
      html`<label><input type="radio" name="${field.name}" value="${option}"${String(option) === value ? html` checked` : ''}>${optionText(option, field)}</label>`,
  )}</div>${notes(said)}</fieldset>`;
}

/** Browsers do not send an unticked box, so a hidden "false" precedes it. */
function tick(said: Said): Html {
  const { field, value } = said;
  return html`<div class="field"><input type="hidden" name="${field.name}" value="false"><label class="tick"><input type="checkbox" name="${field.name}" value="true"${described(said)}${value === 'true' ? html` checked` : ''}>${field.label}</label>${nameHtml(field)}${notes(said)}</div>`;
}

/** Adds an empty option if the field is optional and has no default. */
const allOptions = ({ options, isRequired, otherwise }: Field): readonly (string | number)[] =>
  isRequired || otherwise !== undefined || options.includes('') ? options : ['', ...options];

function isShort(field: Field): boolean {
  const texts = allOptions(field).map((option) => optionText(option, field));
  return texts.length <= CHOICES_SHOWN_MAX && texts.join('').length <= CHOICE_CHARACTERS_MAX;
}

const FORMATS = /^(png|jpeg|webp|tiff|pdf|svg|dxf|css|json|jsonl|cmyk|srgb|ase|gpl|hex|rgb|hsl|cc0)$/;

/** "phone_case" → "Phone case"; names of networks and formats as they are. */
function optionText(option: string | number, { hint, absent }: Pick<Field, 'hint' | 'absent'>): string {
  const text = String(option);
  if (text === '') return absent ?? absentText(hint);
  if (text === 'n_up') return 'N-up';
  if (text === 'webp') return 'WebP';
  if (text === 'hocr') return 'hOCR';
  if (text === 'poster_24x36') return 'Poster, 24 × 36 in';
  if (FORMATS.test(text) || /^a\d$/.test(text)) return text.toUpperCase();
  return /\d/.test(text) ? text : labelOf(text);
}

/** Effect of leaving the field unset, from its description: "Absent: by what is found." → "By what is found" */
function absentText(hint: string): string {
  const [, after, before] = /\b(?:absent|default): ([^.,;]+)|(\w+) when absent/i.exec(hint) ?? [];
  return labelOf(after ?? before ?? 'not set');
}

interface Dropped {
  readonly field: Field;
  /** Handles with spaces between. */
  readonly text: string;
  readonly problem: string | undefined;
  /** The page with another value in this field. */
  readonly linkTo: (text: string) => string;
  /** Those of every tool where absent. */
  readonly samples?: readonly Sample[];
  /** Results of earlier runs of this visitor. */
  readonly earlier?: readonly EarlierResult[];
  /** Several files at once. */
  readonly isBatch: boolean;
}

/** Input for an image or file: choose, drop, paste, sample, URL or handle. */
export function dropHtml(dropped: Dropped): Html {
  const { field, text, problem, linkTo, isBatch, samples = SAMPLES } = dropped;
  const id = `field-${field.name}`;
  const isPicture = field.kind === 'picture' || field.kind === 'pictures';
  const one = isPicture ? (isBatch ? 'Choose images' : 'Choose an image') : 'Choose a file';
  return html`<div class="field"><h2 class="minor">${field.label}${field.isRequired ? '' : html` <small class="quiet">optional</small>`}${nameHtml(field)}</h2>
<at-drop data-bytes="${UPLOAD_BYTES_MAX}" data-files="${isBatch ? RUNS_MAX : 1}">
${isPicture ? thumb(text) : ''}<div class="small"><label for="${id}">${one}</label><span class="hint quiet" role="status">${saidOf(text)}</span></div>
<input type="file" id="${id}" name="${field.name}"${isPicture ? html` accept="image/*,application/pdf"` : ''}${isBatch ? html` multiple` : ''}${problem ? html` aria-invalid="true" aria-describedby="${id}-problem" autofocus` : ''}>
</at-drop>
${problem ? html`<small class="bad" id="${id}-problem">${problem}</small>` : ''}
${isPicture && samples.length > 0 ? html`<p class="small row"><span>Samples: ${samples.map(({ name, title }, at) => html`${at > 0 ? ', ' : ''}<a href="${linkTo(`sample:${name}`)}">${title}</a>`)}</span><a href="/collection">Search the collection</a></p>` : ''}
${earlierHtml(dropped)}<details class="small"><summary>Use a URL or handle</summary><label class="unseen" for="${id}-handle">URL or handle</label><input id="${id}-handle" name="${field.name}" value="${text}" autocomplete="off" spellcheck="false"><span class="hint quiet">https://…, asset:…, result:…, artwork:…</span></details></div>`;
}

/** Earlier results that fit the field: images for an image field, any file for a file field. */
function earlierHtml({ field, earlier = [], linkTo }: Dropped): Html {
  const fit = earlier.filter(({ contentType }) => field.kind === 'file' || USABLE.test(contentType));
  if (fit.length === 0) return html``;
  return html`<div class="earlier small"><span>Earlier results:</span><ul class="row">${fit.map(
    ({ handle, tool, contentType }) => {
      const name = `${labelOf(tool)}, ${typeText(contentType)}`;
      const address = USABLE.test(contentType) ? thumbnailAddress(handle) : undefined;
      return html`<li><a href="${linkTo(handle)}">${address ? html`<img src="${address}" width="48" height="48" alt="${name}" title="${name}" loading="lazy">` : name}</a></li>`;
    },
  )}</ul></div>`;
}

/** Formats that tools accept as an image and browsers display. */
const USABLE = /^image\/(png|apng|jpeg|webp|avif|gif|tiff)$/;

/** Reserves its space before an image is chosen. */
function thumb(text: string): Html {
  const address = thumbnailAddress(picturesIn(text)[0]!);
  return html`<span class="thumb">${address ? html`<img src="${address}" width="64" height="64" alt="">` : ''}</span>`;
}

function saidOf(text: string): string {
  const pictures = picturesIn(text);
  if (text === '') return 'or drop or paste it here';
  if (pictures.length > 1) return `${pictures.length} images`;
  const sample = sampleIn(text);
  if (sample) return sample.title;
  const name = fileNameIn(text.replace(/^(upload|result):/, ''));
  if (name) return name;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
