import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { actLabel, actPath } from './acts.ts';

/** Link to the form of an action with its target filled in. @param spoken name of the target, for screen readers */
export const actLink = (name: string, about: string, spoken: string): Html =>
  html`<a class="act" href="${actPath(name, about)}">${actLabel({ name })}<span class="unseen"> ${spoken}</span></a>`;
