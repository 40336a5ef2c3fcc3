import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { STRANGERS_CHARACTERS_MAX } from './limits.ts';

/** What a file or a registration says of itself: text, turned round by nothing in it, and not too long. */
export function stranger(text: string, charactersMax = STRANGERS_CHARACTERS_MAX): Html {
  const line = text.replace(/[^\P{C}\n]/gu, ' ');
  return html`<bdi>${line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line}</bdi>`;
}
