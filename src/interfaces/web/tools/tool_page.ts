import { html } from 'hono/html';
import { z } from 'zod';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { definePage } from '../types.ts';
import { batchField } from './post_run.ts';
import { RUN_FORM, runField, runPage } from './run_page.ts';
import { runnableTool } from './runnable.ts';
import { queryOf } from './settings.ts';
import type { Field } from './tool_fields.ts';

/** A tool page: the form and the runs named in the URL. `?width=800&run=…` restores both. */
export const toolPage = definePage({
  name: 'tool',
  path: '/tools/{page}',
  room: '/tools',
  input: z.looseObject({ page: z.string().max(100), run: runField }),
  form: RUN_FORM,
  async show({ page, run, ...query }, visit) {
    const { catalogue } = visit.studio.context.services;
    const tool = catalogue.find(page);
    if (!tool) throw unknownTool(catalogue, page);
    const runnable = runnableTool(tool);
    const heading = html`<div class="head"><h1>${tool.title}</h1><p class="quiet"><code>${tool.name}</code> ${tool.summary.replaceAll('`', '')}</p></div>`;
    const about = batchField(runnable.fields) ? html`` : examples(tool, runnable.fields);
    return runPage(runnable, { run, query, heading, about }, visit);
  },
});

/** Example links for a tool that takes no image. */
function examples(tool: AnyTool, fields: readonly Field[]): Html {
  const links = tool.examples.slice(0, 3).map((example) => {
    const texts = fields.flatMap((field) =>
      example[field.name] === undefined ? [] : [[field, exampleText(example[field.name])] as const],
    );
    return {
      query: queryOf(fields, Object.fromEntries(texts.map(([{ name }, text]) => [name, text]))),
      texts,
    };
  });
  const filled = links.filter(({ query }) => query !== '');
  return html`${filled.length > 0 ? html`<h2 class="minor">Try</h2><ul class="examples">${filled.map(({ query, texts }) => html`<li><a href="/tools/${tool.name}${query}">${texts.map(([{ label }, text]) => `${label} ${text.slice(0, 60)}`).join(', ')}</a></li>`)}</ul>` : ''}`;
}

const exampleText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
