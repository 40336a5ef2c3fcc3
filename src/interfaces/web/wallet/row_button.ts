import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

/** A form with one button. @param about object of the action, for screen readers */
export const rowButton = ({
  act,
  field,
  value,
  label,
  about,
}: {
  act: string;
  field: string;
  value: string;
  label: string;
  about: string;
}): Html =>
  html`<form method="post"><input type="hidden" name="${field}" value="${value}"><button class="bare" name="act" value="${act}" aria-label="${label} ${about}">${label}</button></form>`;
