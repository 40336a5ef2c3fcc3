import { cookieIn } from '../cookie_in.ts';

/** Works that a visitor saved under a name. */
export interface WorkSet {
  readonly name: string;
  readonly works: readonly string[];
}

/** All sets fit into one cookie of 4 kB. */
export const SETS_MAX = 6;
export const WORKS_IN_SET_MAX = 24;
export const SET_NAME_CHARACTERS_MAX = 40;
const COOKIE = 'atelier_sets';
const COOKIE_CHARACTERS_MAX = 3_900;
const LIFETIME_SECONDS = 365 * 86_400;
const WORK_ID = /^[\w.-]{1,60}$/;

/** Work ids in a comma-separated text; invalid ones are dropped. */
export const worksIn = (text: string): readonly string[] =>
  [...new Set(text.split(',').filter((id) => WORK_ID.test(id)))].slice(0, WORKS_IN_SET_MAX);

export const setName = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, SET_NAME_CHARACTERS_MAX);

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
