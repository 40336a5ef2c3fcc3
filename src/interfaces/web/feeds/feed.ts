import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { FEED_LENGTH_MAX } from '../../../features/community/routes/limits.ts';
import type { AnyOperation, Operation } from '../../../features/definitions/operation.ts';
import type { Limit } from '../../../features/definitions/tool.ts';
import { callOperation } from '../../../pipeline/operations.ts';
import type { CallResponse } from '../../../pipeline/types.ts';
import { callTabs } from '../call_tabs.ts';
import type { Visit } from '../types.ts';

/** Entries on one page of a feed. */
const ENTRIES_A_PAGE = 24;
/** Entries reachable by paging: whole pages of one feed response. */
const ENTRIES_REACHED_MAX: number = Math.floor(FEED_LENGTH_MAX / ENTRIES_A_PAGE) * ENTRIES_A_PAGE;
/** The longest form with every character escaped. */
const FORM_BYTES_MAX = 32_768;
/** Rate limit of feed pages; posts have limits of their own. */
const FEED_PAGES_LIMIT: Limit = { name: 'feed-pages', calls: 1200, perSeconds: 3600, by: 'address' };

/** Limits of the forms of all feeds. */
export const feedForm = { bytesMax: FORM_BYTES_MAX, limit: FEED_PAGES_LIMIT };

/** Entries before the first one shown. */
export const fromField = z.coerce
  .number()
  .int()
  .min(0)
  .max(ENTRIES_REACHED_MAX - 1)
  .catch(0)
  .default(0);

type Endpoint = Pick<AnyOperation, 'name' | 'answer'>;
export type AnswerOf<One extends Endpoint> = z.output<Extract<One['answer'], z.ZodObject>>;

/** Calls an endpoint on behalf of the visitor, with its usual limits. @throws AtelierError of the endpoint */
export async function callEndpoint<One extends Endpoint>(
  { name }: One,
  input: Record<string, unknown>,
  { studio, caller, call: { header } }: Visit,
  method: 'GET' | 'POST' = 'GET',
): Promise<AnswerOf<One>> {
  const operation = studio.operations.find((one) => one.name === name)!;
  const answer = await callOperation(studio.context, operation, input, caller, { method, header });
  return (answer as CallResponse).body as AnswerOf<One>;
}

/** One page of the entries of a feed, newest first, with the offsets of its neighbours. */
export function pageOf<Entry>(entries: readonly Entry[], from: number) {
  const [before, after] = [from - ENTRIES_A_PAGE, from + ENTRIES_A_PAGE];
  return {
    entries: entries.slice(from, after),
    ...(from > 0 && { newer: Math.max(0, before) }),
    ...(entries.length > after && after < ENTRIES_REACHED_MAX && { older: after }),
  };
}

/** Number of entries to request for a page, plus one to detect the next page. */
export const entriesFor = (from: number): number => Math.min(ENTRIES_REACHED_MAX, from + ENTRIES_A_PAGE + 1);

/** Values of a rejected form and the reason. */
interface Draft {
  readonly values: Readonly<Record<string, string>>;
  readonly problem?: string;
  /** The invalid field, if it is a single one. */
  readonly field?: string;
}

/** Posts a form to an endpoint. @returns the draft of a rejected form, or undefined on success */
export async function post(operation: Endpoint, form: FormData, visit: Visit): Promise<Draft | undefined> {
  const values = Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const sent = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  try {
    await callEndpoint(operation, sent, visit, 'POST');
    return undefined;
  } catch (error) {
    if (!(error instanceof AtelierError) || error.status >= 500) throw error;
    const field = error.details.errors?.[0]?.field;
    return { values, problem: error.message, ...(field && { field }) };
  }
}

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
interface FormField {
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

type FeedOperation = Pick<Operation, 'path'>;

/** curl commands to read and write the feed without a client. */
export const oneLiners = (
  publicUrl: string,
  read: FeedOperation,
  write: FeedOperation,
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
