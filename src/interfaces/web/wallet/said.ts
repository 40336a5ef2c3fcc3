import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';

/** What a page says after a form, by the word in its address. */
export const SAID = {
  deleted: 'Deleted. For seven days it can be restored from the trash.',
  restored: 'Restored. What its key held before is a version now.',
  forgotten: 'Forgotten for good.',
  emptied: 'The trash is empty.',
  more_trash: 'Some of the trash is forgotten; there is more. Empty it again.',
  locked: 'Locked. From now on only sessions and keys spend or read.',
  unlocked: 'Unlocked. Everyone who knows the address can spend from it.',
  revoked: 'The key is revoked.',
  buyer: 'Kept. Invoices that you have not opened yet show it.',
  rules: 'These rules hold from now on.',
  closed: 'The account is closed. For seven days its files can be restored, and you can reopen it.',
  reopened: 'The account is open again. Files are in the trash; keys do not come back.',
} as const;
export type SaidName = keyof typeof SAID;

/** In addresses; anything else says nothing. */
export const doneField = z
  .enum(Object.keys(SAID) as [SaidName, ...SaidName[]])
  .optional()
  .catch(undefined);

/** What was done, and why something was not. */
export const saidHtml = (done: SaidName | undefined, problem?: string): Html =>
  html`${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}${done && !problem ? html`<p class="note" role="status">${SAID[done]}</p>` : ''}`;
