import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { bytesLabel } from '../bytes_label.ts';
import { momentLabel } from '../moment_label.ts';
import { addressHere } from '../tools/result_html.ts';
import { STRANGERS_CHARACTERS_MAX } from './limits.ts';
import { stranger } from './stranger.ts';
import {
  CODEX_STATES,
  type Codex,
  describeCodex,
  describePolicy,
  sureOfWhisper,
  type Verification,
} from './words.ts';

/** What was read in the file itself, each with how far it can be believed; what is not there is not named. */
export const readSections = (found: Verification, publicUrl: string): Html =>
  html`${mark(found)}${found.codex ? codexSection(found.codex) : ''}${manifests(found, publicUrl)}${policy(found)}`;

function mark({ watermark_authorship: mark }: Verification): Html {
  if (!mark) return html``;
  const rows: readonly (readonly [string, Html | string])[] = [
    ['What it is worth', mark.sentence],
    ['Signed by', mark.signed_by ? html`<code>${mark.signed_by}</code>` : 'nobody who proved themselves'],
    ['Signed', mark.signed_at ? `${momentLabel(mark.signed_at)} UTC` : ''],
    ['As it was marked', shareText(mark)],
  ];
  return html`<section><div class="head"><h2>The watermark</h2><p class="small quiet">Invisible bits in the pixels themselves.</p></div>
${rowsOf(rows)}</section>`;
}

const shareText = ({ exact, share }: NonNullable<Verification['watermark_authorship']>): string => {
  if (exact) return 'Not one sample differs from the marked picture.';
  return share === null ? '' : `${Math.round(share * 100)} % of what is seen.`;
};

const rowsOf = (rows: readonly (readonly [string, Html | string])[]): Html =>
  html`<dl class="rows">${rows.filter(([, value]) => value !== '').map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A message may have line breaks; they are kept. */
const WHISPER_CHARACTERS_MAX = 2_000;

function codexSection(codex: Codex): Html {
  const { soul_whisper: whisper, state } = codex;
  const rows = describeCodex(codex).map(([name, value]) => [name, stranger(value)] as const);
  return html`<section><div class="head"><h2>What is written in the file</h2><p class="small quiet">Words of whoever made it.</p></div>
${whisper ? html`<figure class="whisper"><blockquote class="lead">${stranger(whisper.message, WHISPER_CHARACTERS_MAX)}</blockquote><figcaption class="small quiet">${whisper.sender ? html`From ${stranger(whisper.sender)}. ` : ''}${sureOfWhisper(codex)}</figcaption></figure>` : ''}
${rows.length > 0 ? html`<details><summary>The codex</summary><p class="small quiet">${CODEX_STATES[state]}</p>${rowsOf(rows)}</details>` : ''}</section>`;
}

function manifests({ kept_manifests: kept }: Verification, publicUrl: string): Html {
  if (kept.length === 0) return html``;
  return html`<section><div class="head"><h2>Manifests kept for it</h2><p class="small quiet">Each vouches for the file it was in, not for this copy.</p></div>
<ul class="sentences">${kept.map(
    ({ manifest_id: id, size_bytes: size, url }) =>
      html`<li><a href="${addressHere(publicUrl)(url)}" download>C2PA manifest</a> <span class="quiet">${bytesLabel(size)},</span> <code>${stranger(id)}</code></li>`,
  )}</ul></section>`;
}

function policy({ rights_policy: policy }: Verification): Html {
  if (!policy) return html``;
  return html`<section><div class="head"><h2>What the file says about rights</h2><p class="small quiet">Whether it may say so is not in a file.</p></div>
${policy.conflicts.length > 0 ? html`<ul class="sentences">${policy.conflicts.map((conflict) => html`<li class="bad">${stranger(conflict, 2 * STRANGERS_CHARACTERS_MAX)}</li>`)}</ul>` : ''}
${rowsOf(describePolicy(policy).map(([name, value]) => [name, stranger(value)] as const))}</section>`;
}
