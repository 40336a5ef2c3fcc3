import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { actLink } from './act_link.ts';

type Fetch = Overview['fetches'][number];

const isLive = ({ state }: Fetch): boolean => state === 'waiting' || state === 'running';

/** How far a fetch is, or why it has not come; undefined where there is nothing to say of it. */
export function fetchState(fetch: Fetch | undefined): Html | undefined {
  if (!fetch || fetch.state === 'done') return undefined;
  const { name, fraction, said, state } = fetch;
  if (state === 'failed') return html`<span class="bad">failed</span> <span class="small">${said}</span>`;
  if (state === 'stopped') return html`<span class="quiet">stopped</span>`;
  if (state === 'waiting') return html`<span class="quiet">waits for a server</span>`;
  return html`<progress max="1" value="${fraction}" aria-label="${name}">${Math.round(fraction * 100)} %</progress><span class="small quiet">${said}</span>`;
}

interface Known {
  readonly fetch: Fetch | undefined;
  readonly canBeFetched: boolean;
}

/** What can be done about it: begin, or end it. */
export function fetchAct(name: string, { fetch, canBeFetched }: Known): Html | string {
  if (fetch && isLive(fetch))
    return fetch.unwanted ? 'stops' : actLink('end', `fetch_${name}`, `fetching ${name}`);
  return canBeFetched ? actLink('fetch', name, name) : '';
}
