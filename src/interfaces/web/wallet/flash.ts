import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';

/** Messages after a form, by the value of the `done` parameter. */
export const FLASH_MESSAGES = {
  deleted: 'File deleted. You can restore it from the trash for 7 days.',
  restored: 'File restored. The file it replaced is now an earlier version.',
  forgotten: 'File permanently deleted.',
  emptied: 'Trash emptied.',
  more_trash: 'Part of the trash was permanently deleted. Empty the trash again to delete the rest.',
  locked: 'Wallet locked. Only sessions and keys can spend its credits and read its files.',
  unlocked: 'Wallet unlocked. Anyone who knows its address can spend its credits.',
  revoked: 'Key revoked.',
  buyer: 'Billing details saved. They appear on invoices that you have not opened yet.',
  rules: 'Rules saved.',
  closed: 'Account closed. For 7 days you can reopen it and restore its files.',
  reopened: 'Account reopened. Its files are in the trash. Revoked keys stay revoked.',
} as const;
export type FlashName = keyof typeof FLASH_MESSAGES;

/** URL parameter; other values are ignored. */
export const doneField = z
  .enum(Object.keys(FLASH_MESSAGES) as [FlashName, ...FlashName[]])
  .optional()
  .catch(undefined);

/** Success or error message of a form. */
export const flashHtml = (done: FlashName | undefined, problem?: string): Html =>
  html`${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}${done && !problem ? html`<p class="note" role="status">${FLASH_MESSAGES[done]}</p>` : ''}`;
