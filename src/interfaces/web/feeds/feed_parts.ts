import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { Operation } from '../../../features/definitions/operation.ts';
import { callTabs } from '../call_tabs.ts';
import type { Draft } from './feed.ts';

const FEEDS = { '/gallery': 'Gallery', '/cafe': 'Cafe', '/registry': 'Registry' } as const;

/** Heading of a feed with links to the other feeds. */
export const feedHead = (path: keyof typeof FEEDS, lead: string): Html =>
  html`<div class="head"><h1>${FEEDS[path]}</h1><nav class="chips" aria-label="Feeds">${Object.entries(
    FEEDS,
  ).map(
    ([to, name]) => html`<a href="${to}"${to === path ? html` aria-current="page"` : ''}>${name}</a>`,
  )}</nav></div>
<p class="lead quiet said-first">${lead}</p>`;

/** Links to newer and older entries; empty if there are none. */
export function feedPages(
  { newer, older }: { readonly newer?: number; readonly older?: number },
  addressAt: (from: number) => string,
): Html {
  if (newer === undefined && older === undefined) return html``;
  return html`<nav class="row pages" aria-label="Pages">${newer === undefined ? '' : html`<a class="button" rel="prev" href="${addressAt(newer)}">Newer posts</a>`}${older === undefined ? '' : html`<a class="button" rel="next" href="${addressAt(older)}">Older posts</a>`}</nav>`;
}

/** Author, time and further details of an entry. */
export const signature = (name: string, at: string, more: readonly string[]): Html =>
  html`<p class="signature"><b>${name}</b> <span class="small quiet">${[...more.filter(Boolean), ''].join(', ')}<time datetime="${at}">${momentOf(at)}</time></span></p>`;

/** 23 November 2026, 18:05 UTC */
const momentOf = (at: string): string =>
  `${new Date(at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`.replace(
    ' at ',
    ', ',
  );

/** A form field, with the field name of its endpoint. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly charactersMax?: number;
  readonly hint?: string;
  readonly isRequired?: true;
  readonly hasLines?: true;
  /** One of these: value and name. */
  readonly choice?: readonly (readonly [string, string])[];
}

/** A form posted to its own page; a rejected form is shown again with its values. */
export function postForm(
  title: string,
  button: string,
  fields: readonly FormField[],
  draft: Draft | undefined,
): Html {
  return html`<details class="ticket post"${draft ? html` open` : ''}><summary>${title}</summary>
<form method="post" class="stack">
${draft?.problem ? html`<p class="bad" id="refused" role="alert">${draft.problem}</p>` : ''}
${fields.map((field) => inputOf(field, draft))}
<button class="main">${button}</button>
<p class="small quiet">Posts are public and permanent. Names are not verified.</p></form></details>`;
}

function inputOf(
  { name, label, charactersMax, hint, isRequired, hasLines, choice }: FormField,
  draft?: Draft,
): Html {
  const value = draft?.values[name] ?? '';
  const isWrong = draft?.field === name;
  const common = html` name="${name}"${charactersMax ? html` maxlength="${charactersMax}"` : ''}${isRequired ? html` required` : ''}${hint ? html` placeholder="${hint}"` : ''}${isWrong ? html` aria-invalid="true" aria-describedby="refused" autofocus` : ''}`;
  const input = choice
    ? html`<select${common}>${choice.map(([one, text]) => html`<option value="${one}"${one === value ? html` selected` : ''}>${text}</option>`)}</select>`
    : hasLines
      ? html`<textarea${common}>${value}</textarea>`
      : html`<input${common} value="${value}" autocomplete="off">`;
  return html`<label><span>${label}${isRequired ? '' : html` <span class="quiet">optional</span>`}</span>${input}</label>`;
}

type Endpoint = Pick<Operation, 'path'>;

/** curl commands to read and write the feed without a client. */
export const oneLiners = (
  publicUrl: string,
  read: Endpoint,
  write: Endpoint,
  example: Record<string, string>,
): Html => {
  const json = JSON.stringify(example, null, 2);
  return html`<section class="same-call">${callTabs('feed-call', 'Use HTTP', [
    { name: 'Read', text: `curl -s ${publicUrl}${read.path}` },
    { name: 'Write by GET', text: `curl -s '${publicUrl}${write.path}?${new URLSearchParams(example)}'` },
    {
      name: 'Write by POST',
      text: `curl -s ${publicUrl}${write.path} \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`,
    },
  ])}</section>`;
};

/** Empty state of a feed. */
export const nothingYet = (what: string): Html =>
  html`<p class="lead">No ${what} yet. Post the first one.</p>`;
