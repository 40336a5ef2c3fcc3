import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { cookieIn } from '../cookies.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { countOf } from './words.ts';
import { type GridWork, gridWork, workGrid } from './work_grid.ts';

/** Works that a visitor saved under a name. */
export interface WorkSet {
  readonly name: string;
  readonly works: readonly string[];
}

/** All sets fit into one cookie of 4 kB. */
const SETS_MAX = 6;

const WORKS_IN_SET_MAX = 24;

const SET_NAME_CHARACTERS_MAX = 40;

const COOKIE = 'atelier_sets';

const COOKIE_CHARACTERS_MAX = 3_900;

const LIFETIME_SECONDS = 365 * 86_400;

const WORK_ID = /^[\w.-]{1,60}$/;

const FULL = `A set can contain ${WORKS_IN_SET_MAX} works, and a browser can store ${SETS_MAX} sets. Remove works or sets first.`;

/** Sets of works saved in this browser, and a set that a link names: `?name=Blue&works=met_1,met_2`. */
export const setsPage = definePage({
  name: 'collection_sets',
  path: '/collection/sets',
  room: '/collection',
  input: z.object({
    name: z.string().max(200).catch('').default(''),
    works: z.string().max(2_000).catch('').default(''),
  }),
  form: { bytesMax: 16_384, limit: { name: 'collection-sets', calls: 600, perSeconds: 3600 } },
  show: async ({ name, works }, visit) => {
    const sets = setsIn(visit.call.header('cookie'));
    if (visit.form) return change(sets, visit.form, visit);
    const shared = { name: setName(name) || 'Shared set', works: worksIn(works) };
    return shared.works.length > 0 ? sharedPage(shared, visit) : ownPage(sets, visit);
  },
});

/** Adds or removes a work, or saves or deletes a set. @throws AtelierError invalid_input */
async function change(sets: readonly WorkSet[], form: FormData, visit: Visit): Promise<Shown> {
  const field = (name: string) => String(form.get(name) ?? '');
  const name = setName(field('new_name')) || setName(field('name'));
  if (name === '') throw invalidField('name', 'Enter a name for the set.');
  const changed = changedSets(sets, { act: field('act'), name, works: worksIn(field('works')) });
  const cookie = changed && setsCookie(changed, visit.studio.publicUrl);
  if (cookie === undefined) throw new AtelierError('invalid_input', FULL);
  return { goTo: '/collection/sets', cookie };
}

function changedSets(
  sets: readonly WorkSet[],
  { act, name, works }: { readonly act: string; readonly name: string; readonly works: readonly string[] },
): readonly WorkSet[] | undefined {
  const others = sets.filter((set) => set.name !== name);
  if (act === 'delete') return others;
  if (act === 'remove')
    return sets.map((set) =>
      set.name === name ? { name, works: set.works.filter((id) => !works.includes(id)) } : set,
    );
  return works.reduce<readonly WorkSet[] | undefined>(
    (all, work) => all && withWork(all, { name, work }),
    sets,
  );
}

const COMMON = {
  shape: 'wide',
  files: ['studio.css', 'collection.css', 'picture.ts', 'run.ts'],
  policy: { 'form-action': "'self'" },
} as const;

async function ownPage(sets: readonly WorkSet[], visit: Visit): Promise<Shown> {
  const hung = await Promise.all(sets.map(async (set) => ({ set, works: await worksOf(set, visit) })));
  return {
    ...COMMON,
    title: 'Saved sets',
    heading: html`<div class="head"><h1>${sets.length === 0 ? 'No saved sets yet' : 'Saved sets'}</h1><a class="button" href="/collection">Search the collection</a></div>
<p class="lead quiet">Sets are stored in this browser. Copy the link of a set to open it elsewhere.</p>`,
    body: html`${sets.length === 0 ? html`<p>Open a work and choose “Save to a set”.</p>` : ''}${hung.map(({ set, works }) => setSection(set, works, visit))}`,
  };
}

function setSection(set: WorkSet, works: readonly GridWork[], { studio }: Visit): Html {
  const link = `${studio.publicUrl}${shareAddress(set)}`;
  return html`<section><div class="head"><h2>${set.name}</h2><div class="row"><span class="small quiet">${countOf(works.length)}</span><at-link><a href="${link}" data-label="Copy link">Link to this set</a></at-link><form method="post" action="/collection/sets"><input type="hidden" name="name" value="${set.name}"><button class="bare" name="act" value="delete">Delete<span class="unseen"> ${set.name}</span></button></form></div></div>
${works.length > 0 ? workGrid(works, { isFirst: false, action: (work) => removeForm(set, work) }) : html`<p class="quiet">No works in this set. Open a work and choose “Save to a set”.</p>`}</section>`;
}

const removeForm = (set: WorkSet, { id, title }: GridWork): Html =>
  html`<form method="post" action="/collection/sets"><input type="hidden" name="name" value="${set.name}"><input type="hidden" name="works" value="${id}"><button class="bare small" name="act" value="remove">Remove<span class="unseen"> ${title}</span></button></form>`;

const shareAddress = ({ name, works }: WorkSet): string =>
  `/collection/sets?${new URLSearchParams({ name, works: works.join(',') })}`;

async function sharedPage(set: WorkSet, visit: Visit): Promise<Shown> {
  const works = await worksOf(set, visit);
  return {
    ...COMMON,
    title: set.name,
    heading: html`<div class="head"><h1>${set.name}</h1><form class="row" method="post" action="/collection/sets"><input type="hidden" name="name" value="${set.name}"><input type="hidden" name="works" value="${set.works.join(',')}"><button name="act" value="add">Save set</button><a href="/collection/sets">Go to saved sets</a></form></div>`,
    body: html`<p class="quiet">${countOf(works.length)}.</p>${workGrid(works, { isFirst: true })}`,
  };
}

/** Works no longer in the collection are omitted. */
async function worksOf({ works }: WorkSet, { studio }: Visit): Promise<readonly GridWork[]> {
  const { artworks } = studio.context.services;
  const found = await Promise.all(works.map((id) => artworks.find(id).catch(withoutMissing)));
  return found.flatMap((work) => (work ? [gridWork(work.record, artworks)] : []));
}

function withoutMissing(error: unknown): undefined {
  if (error instanceof AtelierError && error.status < 500) return undefined;
  throw error;
}

/** Saves a work to one of the sets of this browser, or a new one. */
export function saveToSet(work: string, cookies: string | undefined): Html {
  const sets = setsIn(cookies);
  const own = sets.length > 0;
  return html`<details class="use save-to"><summary class="button">Save to a set</summary><form class="stack" method="post" action="/collection/sets"><input type="hidden" name="works" value="${work}">${own ? html`<label><span>Set</span><select name="name">${sets.map(({ name }) => html`<option>${name}</option>`)}</select></label>` : ''}<label><span>${own ? 'Or a new set' : 'Name of the set'}</span><input name="new_name" maxlength="${SET_NAME_CHARACTERS_MAX}"${own ? '' : html` required`} autocomplete="off"></label><button name="act" value="add">Save</button></form></details>`;
}

/** Work ids in a comma-separated text; invalid ones are dropped. */
export const worksIn = (text: string): readonly string[] =>
  [...new Set(text.split(',').filter((id) => WORK_ID.test(id)))].slice(0, WORKS_IN_SET_MAX);

const setName = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, SET_NAME_CHARACTERS_MAX);

/** The sets in the cookie; invalid parts are dropped. */
export function setsIn(cookies: string | undefined): readonly WorkSet[] {
  const text = cookieIn(cookies, COOKIE) ?? '';
  return text
    .split('/')
    .flatMap((part) => {
      const [name = '', works = ''] = part.split(':');
      const set = { name: setName(decoded(name)), works: worksIn(decoded(works)) };
      return set.name === '' ? [] : [set];
    })
    .slice(0, SETS_MAX);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Set-Cookie value; undefined if the sets do not fit. */
export function setsCookie(sets: readonly WorkSet[], publicUrl: string): string | undefined {
  const text = sets
    .map(({ name, works }) => `${encodeURIComponent(name)}:${encodeURIComponent(works.join(','))}`)
    .join('/');
  if (text.length > COOKIE_CHARACTERS_MAX) return undefined;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${text}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFETIME_SECONDS}${secure}`;
}

/** Adds a work to the named set, creating it if needed; undefined if a limit is reached. */
export function withWork(
  sets: readonly WorkSet[],
  { name, work }: { readonly name: string; readonly work: string },
): readonly WorkSet[] | undefined {
  const known = sets.find((set) => set.name === name);
  if (!known) return sets.length < SETS_MAX ? [...sets, { name, works: [work] }] : undefined;
  if (known.works.includes(work)) return sets;
  if (known.works.length >= WORKS_IN_SET_MAX) return undefined;
  return sets.map((set) => (set === known ? { name, works: [...set.works, work] } : set));
}
