import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { DailyMetrics } from '../../../features/operator/routes/history.ts';
import { ageLabel, momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';

/** Alerts that fire, then those whose condition has not held long enough. */
export function alertList({ alerts }: Pick<DailyMetrics, 'alerts'>): Html {
  const sorted = alerts.toSorted((one, other) => Number(other.firing) - Number(one.firing));
  return html`<section id="alerts"><div class="head"><h2>Alerts</h2><p class="small quiet">Rules of <code>deploy/monitoring/alerts.yml</code> that the server evaluates itself, once a minute.</p></div>${
    sorted.length === 0
      ? html`<p class="quiet">No alerts firing.</p>`
      : ledger(
          ['Alert', 'Summary', 'State', 'Since'],
          sorted.map(({ name, severity, summary, since, firing }) => [
            html`<a href="/docs/operating/monitoring#${name.toLowerCase()}">${name}</a>`,
            summary,
            firing
              ? html`<span class="${severity === 'page' ? 'bad' : 'warn'}">firing, ${severity}</span>`
              : html`<span class="quiet">pending</span>`,
            `${ageLabel(since)} ago`,
          ]),
        )
  }</section>`;
}

/** @param most maximum number of lines */
export function warningList({ warnings }: Pick<DailyMetrics, 'warnings'>, most = warnings.length): Html {
  if (warnings.length === 0) return html`<p class="quiet">No warnings since this server started.</p>`;
  return ledger(
    ['Message', 'Detail', 'Level', 'Time, UTC'],
    warnings
      .slice(0, most)
      .map(({ at, level, message, detail }) => [
        message,
        html`<span class="clamp">${detail}</span>`,
        html`<span class="${level === 'error' ? 'bad' : 'warn'}">${level}</span>`,
        momentLabel(at),
      ]),
  );
}
