import { html } from 'hono/html';
import type { Item } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { Preflight } from '../../../features/print/tools/preflight.ts';
import type { ActDetails } from '../../../features/workspaces/types.ts';
import { valuesHtml } from '../tools/result_html.ts';
import { reasonText } from './failures_html.ts';
import { REPAIR_CHARACTERS_MAX } from './limits.ts';

type Repair = NonNullable<Preflight['checks'][number]['mend']>;

/** Problems that a tool reports about its result, worst first, each with a repair call. */
export function verdictHtml(
  { act, answer, error, state }: ActDetails,
  { path, canWork }: { path: string; canWork: boolean },
): Html {
  if (state === 'failed' && error)
    return html`<section class="verdict-note" aria-label="Result"><h2 class="minor bad">Failed</h2><p>${reasonText(error.detail)}</p>${/charged/.test(error.detail) ? '' : html`<p class="small quiet">You were not charged.</p>`}</section>`;
  const {
    preflight,
    degraded_reason: degraded,
    warnings,
  } = (answer ?? {}) as {
    preflight?: Preflight;
    degraded_reason?: string;
    warnings?: readonly string[];
  };
  const faults = (preflight?.checks ?? [])
    .filter(({ status }) => status !== 'pass')
    .toSorted((one, other) => Number(other.status === 'fail') - Number(one.status === 'fail'));
  if (!preflight && !degraded && !warnings?.length) return html``;
  return html`<section class="verdict-note" aria-label="Result">${preflight && faults.length === 0 ? html`<p><b class="good">Ready to print.</b> ${preflight.summary}</p>` : ''}
${faults.map(({ status, message, mend, other_mends: others = [] }) => html`<div class="fault"><p><b class="${status === 'fail' ? 'bad' : 'warn'}">${status === 'fail' ? 'Problem' : 'Warning'}</b> ${message}</p>${canWork ? [mend, ...others].map((repair) => (repair ? repairHtml(repair, { act, path }) : '')) : ''}</div>`)}
${degraded ? html`<p><b class="warn">Lower quality</b> ${degraded}</p>` : ''}${(warnings ?? []).map((warning) => html`<p class="small quiet">${warning}</p>`)}</section>`;
}

function repairHtml(
  { action, cost, gives, endpoint, params }: Repair,
  { act, path }: { act: number; path: string },
): Html {
  const input = JSON.stringify(params);
  const tool = /^POST \/api\/tools\/(\w+)$/.exec(endpoint)?.[1];
  if (!tool || input.length > REPAIR_CHARACTERS_MAX) return html``;
  return html`<form method="post" action="${path}?act=${act}" class="repair"><input type="hidden" name="tool" value="${tool}"><input type="hidden" name="input" value="${input}"><button name="do" value="call">${action} (${cost.replace(/ \(.*\)$/, '')})</button> <span class="small quiet">${gives}</span></form>`;
}

const OF_THE_FILE =
  /^(preflight|degraded|degraded_reason|warnings|metadata|result|result_url|content_type|size_bytes|width|height|name|image_b64|svg|file_b64|quality)$/;

/** The response of a tool besides its file; its summary first. */
export function answerHtml(
  { answer }: Pick<ActDetails, 'answer'>,
  ourAddress: (address: string) => string,
): Html {
  const { summary, ...rest } = Object.fromEntries(
    Object.entries(answer ?? {}).filter(([name]) => !OF_THE_FILE.test(name)),
  );
  const values = Object.keys(rest).length > 0 ? valuesHtml(rest, ourAddress) : html``;
  return typeof summary === 'string'
    ? html`<p><b>${summary}</b></p><details class="answer small"><summary>Details</summary>${values}</details>`
    : html`<div class="answer">${values}</div>`;
}

/** Form to edit the generated alt text and save it as the caption. */
export function altTextHtml({ answer }: Pick<ActDetails, 'answer'>, item: Item, path: string): Html {
  const { alt_text: text } = (answer?.metadata ?? {}) as { alt_text?: string };
  if (!text) return html``;
  return html`<form method="post" action="${path}?items=${item.item}" class="stack-small alt-text" data-item="${item.item}"><input type="hidden" name="name" value="${item.name}"><label><span>Alternative text</span><textarea name="caption" maxlength="500" rows="4">${item.caption || text}</textarea></label><button class="main" name="do" value="describe">Save as caption</button></form>`;
}
