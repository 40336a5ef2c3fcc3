import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

interface Share {
  readonly hex: string;
  readonly name: string;
  /** Of the picture. */
  readonly percentage: number;
}

/** The colours of a picture in their true shares, with their names as its label. */
export function colorStrip(colors: readonly Share[]): Html {
  const names = colors.map(({ name }) => name).join(', ');
  const starts = colors.map((_, at) =>
    colors.slice(0, at).reduce((sum, { percentage }) => sum + percentage, 0),
  );
  return html`<svg class="strip" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="Colours: ${names}">${colors.map(
    ({ hex, percentage }, at) =>
      html`<rect x="${starts[at]!.toFixed(1)}" width="${percentage.toFixed(1)}" height="1" fill="${hex}"/>`,
  )}</svg><p class="small quiet">${names}</p>`;
}
