import { html } from 'hono/html';
import { CREDIT_USD } from '../../../config/limits.ts';
import { noInput } from '../no_input.ts';
import { priceList } from '../price_list.ts';
import { definePage } from '../types.ts';

/** Every tool with its price; each leads to its own page. */
export const toolsPage = definePage({
  name: 'tools',
  path: '/tools',
  room: '/tools',
  input: noInput,
  show: async (_input, { studio: { tools } }) => ({
    title: 'Tools',
    summary:
      'Every tool with its price. Most are free; each runs in the browser, and shows the same call for agents.',
    shape: 'wide',
    files: ['studio.css'],
    heading: html`<div class="head"><h1>${tools.length} tools</h1><p class="quiet small">1 credit is ${CREDIT_USD.toFixed(2)} USD. Only a call that succeeds is paid.</p></div>`,
    body: priceList(tools, 2),
  }),
});
