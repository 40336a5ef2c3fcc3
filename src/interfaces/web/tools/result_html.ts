import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { pictureAddress } from './picture_operation.ts';
import { json, valuesHtml } from './result_values.ts';
import { type Made, slugHtml } from './slug.ts';
import { fieldsOf } from './tool_fields.ts';

/** An answer of a tool, and what a page knows beside it. */
export interface Result {
  readonly tool: AnyTool;
  readonly answer: Made & Readonly<Record<string, unknown>>;
  readonly seconds: number | undefined;
  /** Handle of the picture that was sent, where it is one of this server. */
  readonly before: string | undefined;
  /** The page that shows it again; absent where the answer is told once. */
  readonly link: string | undefined;
}

/** Where results are to be found, and who takes them on. */
export interface Around {
  readonly publicUrl: string;
  readonly tools: readonly AnyTool[];
}

/** Formats browsers show. */
const SHOWN = /^image\/(png|jpeg|webp|avif|gif|svg\+xml)/;

/** One result: the picture beside what it was made of, what is known of it, where it can go, and whatever else was answered. */
export function resultHtml(result: Result, around: Around): Html {
  const { answer, seconds, tool } = result;
  const ourAddress = addressHere(around.publicUrl);
  return html`${proofHtml([result], around)}
${slugHtml(answer, seconds)}
${actions(result, ourAddress)}
${answer.result ? sendTo(answer, around.tools, tool) : ''}
<div class="answer">${valuesHtml(restOf(answer), ourAddress)}</div>
<details class="small"><summary>The whole answer as JSON</summary>${json(answer)}</details>`;
}

/** An address of this server as one of the page, whatever name it was opened by. */
export const addressHere =
  (publicUrl: string) =>
  (address: string): string =>
    address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;

/** The results over what they were made of; without a program beside it. Nothing where none is a picture. */
export function proofHtml(results: readonly Result[], { publicUrl }: Pick<Around, 'publicUrl'>): Html {
  const layers = results.flatMap((result) => {
    const address = shownAt(result.answer, addressHere(publicUrl));
    return address === undefined ? [] : [{ ...result.answer, address, title: result.tool.title }];
  });
  if (layers.length === 0) return html``;
  const before = results[0]?.before === undefined ? undefined : pictureAddress(results[0].before);
  return html`<div class="proof"><at-compare>
${before ? html`<figure><img src="${before}" width="1200" height="900" alt="The picture before"><figcaption>Before</figcaption></figure>` : ''}
${layers.map(
  ({ address, width = 1200, height = 900, title }, at) =>
    html`<figure class="made"><img src="${address}" width="${width}" height="${height}" alt="Result${layers.length > 1 ? ` ${at + 1}` : ''}: ${title}"${at === 0 ? html` fetchpriority="high"` : ''}><figcaption>${layers.length > 1 ? `Run ${at + 1}` : 'After'}, ${width} × ${height}</figcaption></figure>`,
)}</at-compare></div>
<div class="bar"></div>`;
}

function shownAt(
  { result, result_url: url, content_type: type = '' }: Made,
  ourAddress: (address: string) => string,
) {
  if (result === undefined || url === undefined) return undefined;
  if (SHOWN.test(type)) return ourAddress(url);
  return type === 'image/tiff' ? pictureAddress(result) : undefined;
}

function actions({ answer, tool, link }: Result, ourAddress: (address: string) => string): Html {
  const { result_url: url } = answer;
  return html`<div class="row actions">${url ? html`<a class="button main" href="${ourAddress(url)}" download="${fileName(tool.name, answer)}">Download</a>` : ''}${link ? html`<at-link><a class="button" href="${link}">Link to this run</a></at-link>` : ''}</div>`;
}

/** "resize_image_800x600.png" */
export function fileName(tool: string, { width, height, result = '' }: Made): string {
  const size = width !== undefined && height !== undefined ? `_${width}x${height}` : '';
  const ending = /\.\w{1,5}$/.exec(result)?.[0] ?? '';
  return `${tool}${size}${ending}`;
}

/** The tools that take a picture, each opened with this result. */
function sendTo({ result, content_type: type = '' }: Made, tools: readonly AnyTool[], made: AnyTool): Html {
  const kind = type.startsWith('image/') && type !== 'image/svg+xml' ? 'picture' : 'file';
  const takers = tools.flatMap((tool) => {
    const field = fieldsOf(tool).find((one) => one.kind === kind && (one.isRequired || kind === 'file'));
    return field && tool.name !== made.name ? [{ tool, field }] : [];
  });
  return html`<div class="row"><h2 class="minor">Send to</h2><ul class="chips">${takers.map(
    ({ tool: { name, title }, field }) =>
      html`<li><a href="/tools/${name}?${new URLSearchParams({ [field.name]: result ?? '' }).toString()}">${title}</a></li>`,
  )}</ul></div>`;
}

const SAID_ABOVE =
  /^(image_b64|svg|metadata|engine|degraded|degraded_reason|provider|cost|payment|next_steps|warnings)$/;
const OF_THE_FILE = /^(width|height|content_type|size_bytes|result|result_url|quality)$/;

/** What the slug does not say. */
const restOf = (answer: Result['answer']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(answer).filter(
      ([name]) => !SAID_ABOVE.test(name) && !(answer.result_url && OF_THE_FILE.test(name)),
    ),
  );
