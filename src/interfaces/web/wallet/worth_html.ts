import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { creditsLabel } from '../frame.ts';
import { SHOWN_RESULTS } from '../tools/shown_results.ts';

/** Paid tools, each with a sample result. */
export const worthHtml = (tools: readonly AnyTool[]): Html =>
  html`<section><h2>Paid tools</h2><ul class="made worth">${tools.map(toolHtml)}</ul><p class="quiet">Most tools are free. You are not charged for failed calls.</p></section>`;

function toolHtml({ name, title, price }: AnyTool): Html {
  const image = SHOWN_RESULTS[name]?.image;
  if (!image || price.kind !== 'flat') return html``;
  return html`<li><a href="/tools/${name}"><span class="made-images"><img src="${pageFile(image.file).address}" width="${image.width}" height="${image.height}" alt="${image.alt}" loading="lazy"></span><b>${title}</b> <span class="small quiet">${creditsLabel(price.credits)}</span></a></li>`;
}
