import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { foreseeSheet } from '../../../features/print/tools/print_ready.ts';
import type { Visit } from '../types.ts';
import { addressWith, type OpenedTool, type Panel, REPAIR_FORM } from './panel_html.ts';
import { imagesText } from './words.ts';

const SVG = 'image/svg+xml';

/** Low-resolution images listed by name. */
const NAMED_MAX = 3;

/**
 * Resolution check of a print sheet before it is made, with buttons for repairs. Empty for other tools.
 */
export function foreseenHtml(opened: OpenedTool, panel: Panel, { studio }: Visit): Html {
  if (opened.tool.name !== 'print_ready') return html``;
  const { catalogue } = studio.kit.services;
  if (panel.selected.length > 0 && panel.selected.every(({ media_type }) => media_type === SVG))
    return html`<p class="foreseen small"><b class="good">Vector shapes are sharp at any size.</b>${opened.settings.output_format === 'pdf' ? '' : ' Choose PDF to keep them as vectors.'}</p>`;
  const sheets = panel.selected.flatMap(({ item, name, width, height, media_type }) => {
    if (!width || !height || media_type === SVG) return [];
    const handle = `item:${item}`;
    const params = { ...opened.input, image: handle };
    const sheet = foreseeSheet(params, { picture: { width, height }, handle, catalogue });
    return sheet ? [{ ...sheet, name }] : [];
  });
  const poor = sheets.filter(({ check }) => check.status !== 'pass');
  const [first] = poor.length > 0 ? poor : sheets;
  if (!first) return html``;
  const paper = paperText(opened.settings.product_size, first.trimMm);
  if (poor.length === 0)
    return html`<p class="foreseen small"><b class="good">${first.dpi} dpi</b> ${sheets.length === 1 ? `on ${paper}: sufficient.` : `or more on each sheet: sufficient.`}</p>`;
  if (sheets.length > 1) {
    const names = poor.slice(0, NAMED_MAX).map(({ name, dpi }) => `${name} (${dpi} dpi)`);
    const more = poor.length > NAMED_MAX ? ` and ${poor.length - NAMED_MAX} more` : '';
    return html`<p class="foreseen"><b class="warn">${poor.length} of ${imagesText(sheets.length)} have too low a resolution for ${paper}:</b> ${names.join(', ')}${more}. Select one to fix it.</p>`;
  }
  const { check, dpi } = first;
  // The cheapest way, and the smaller sheet, which comes last.
  const mends = new Set([check.mend, check.other_mends?.at(-1)].flatMap((mend) => mend ?? []));
  return html`<div class="foreseen"><p><b class="${check.status === 'fail' ? 'bad' : 'warn'}">${dpi} dpi is ${check.status === 'fail' ? 'too low' : 'a little low'} for ${paper}.</b> ${needText(check.message)}</p>
${panel.canWork ? [...mends].map(repairButton) : ''}${panel.canWork && check.status === 'fail' ? html`<p class="small"><a href="${addressWith(panel, 'vectorize_image')}">A logo or a drawing? Vectorize it first</a>: vector shapes are sharp at any size.</p>` : ''}</div>`;
}

const repairButton = ({
  action,
  cost,
  gives,
  endpoint,
  params,
}: {
  readonly action: string;
  readonly cost: string;
  readonly gives: string;
  readonly endpoint: string;
  readonly params: Readonly<Record<string, unknown>>;
}): Html =>
  html`<button form="${REPAIR_FORM}" name="repair" value="${JSON.stringify({ tool: endpoint.split('/').at(-1), ...params })}">${action} (${cost.replace(/ \(.*\)$/, '')})</button> <span class="small quiet">${gives}</span>`;

/** "It takes 150 dpi at least, 225 dpi is good." */
const needText = (message: string): string =>
  message.replace(/^.*; (\w)/, (_, letter: string) => letter.toUpperCase());

/** "A4", "148 × 210 mm" */
function paperText(size: string | undefined, { width, height }: { width: number; height: number }): string {
  const name = size ?? 'a4';
  if (/^a\d$/.test(name)) return name.toUpperCase();
  return name === 'letter' ? 'Letter' : `${width} × ${height} mm`;
}
