import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { DaySeen } from '../../../features/operator/routes/history.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../types.ts';
import { FETCHING_REFRESH_SECONDS } from './as_operator.ts';
import { fetchSentence } from './state_sentence.ts';

const operationNamed = ({ studio }: Visit, name: string) =>
  studio.operations.find((operation) => operation.name === name)!;

/** @param deep '1' tests every engine @throws AtelierError operator_required */
export const askOverview = (visit: Visit, deep?: '1' | undefined): Promise<Overview> =>
  ask(visit, operationNamed(visit, 'operator_overview'), deep ? { deep } : {}) as Promise<Overview>;

/** @throws AtelierError operator_required */
export const askDay = (visit: Visit): Promise<DaySeen> =>
  ask(visit, operationNamed(visit, 'operator_history')) as Promise<DaySeen>;

const isFetching = ({ fetches }: Overview): boolean =>
  fetches.some(({ state }) => state === 'waiting' || state === 'running');

/** Reloads a page without JavaScript while something is downloaded. */
export const liveRefresh = (overview: Overview): { refreshSeconds?: number } =>
  isFetching(overview) ? { refreshSeconds: FETCHING_REFRESH_SECONDS } : {};

/** Content that `run.ts` refreshes while something is downloaded, below the state of the download. */
export const liveFetches = (overview: Overview, content: Html): Html =>
  html`<at-run><p class="small quiet" role="status" aria-live="polite">${fetchSentence(overview)}</p>
<div id="shown"${isFetching(overview) ? html` data-live` : ''}>${content}</div></at-run>`;
