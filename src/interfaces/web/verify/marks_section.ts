import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { LAYER_NAMES } from '../../../features/provenance/tools/ai_marks_answer.ts';
import { stranger } from './stranger.ts';
import { beliefOf, NO_TRACE, saysOf, type Verification } from './words.ts';

/** What each layer says about AI, who says it, and how far it can be believed. */
export const marksSection = ({ ai_marks: marks }: Verification): Html =>
  html`<section><div class="head"><h2>Marks of AI</h2><p class="small quiet">What the file says of how the image was made. Nothing is guessed from its pixels.</p></div>
${marks.length === 0 ? html`<p>${NO_TRACE}</p>` : html`<dl class="rows wide">${marks.map(row)}</dl>`}</section>`;

function row(mark: Verification['ai_marks'][number]): Html {
  const { layer, who, software, says, place } = mark;
  const { word, tone } = saysOf(mark);
  const by = [who, software].filter((name) => name !== null).join(', ');
  return html`<div><dt>${LAYER_NAMES[layer]}</dt><dd class="${tone}">${word}</dd><dd>${by ? html`${stranger(by)}: ` : ''}${stranger(says)}<span>In ${stranger(place)}. ${beliefOf(mark)}</span></dd></div>`;
}
