import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { priceLabel } from '../labels.ts';
import type { RecipeStep } from './read_recipe.ts';

const VALUE_CHARACTERS_MAX = 60;

/** The steps of a recipe in order, with parameters and prices. */
export const stepsList = (steps: readonly RecipeStep[], tools: readonly AnyTool[]): Html =>
  html`<ol class="steps">${steps.map(({ tool: name, params, save_as: place }) => {
    const tool = tools.find((one) => one.name === name);
    return html`<li><b>${tool ? html`<a href="/tools/${name}">${tool.title}</a>` : name}</b> <span class="quiet">${tool ? priceLabel(tool.price) : 'no longer available'}</span>
<p class="small quiet">${paramsText(params)}. Result: <code>${place}</code>.</p></li>`;
  })}</ol>`;

/** "image $photo, product poster" */
function paramsText(params: RecipeStep['params']): string {
  const texts = Object.entries(params).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${name} ${text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text}`;
  });
  return texts.join(', ') || 'Default settings';
}

/** "Prepare for print, then Show it on a product" */
export const stepsText = (steps: readonly RecipeStep[], tools: readonly AnyTool[]): string =>
  steps.map(({ tool }) => tools.find(({ name }) => name === tool)?.title ?? tool).join(', then ');
