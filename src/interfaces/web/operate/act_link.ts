import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { actLabel, actPath } from './acts.ts';

/** Leads to the form of an act, with what it is about filled in. @param spoken what that is, for screen readers */
export const actLink = (name: string, about: string, spoken: string): Html =>
  html`<a class="act" href="${actPath(name, about)}">${actLabel({ name })}<span class="unseen"> ${spoken}</span></a>`;
