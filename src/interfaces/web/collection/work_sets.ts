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

/** Ids of works in a text with commas between; others are left out. */
export const worksIn = (text: string): readonly string[] =>
  [...new Set(text.split(',').filter((id) => WORK_ID.test(id)))].slice(0, WORKS_IN_SET_MAX);

export const setName = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, SET_NAME_CHARACTERS_MAX);

/** The sets of this browser; what a cookie holds otherwise is left out. */
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

/** A value of Set-Cookie; undefined where the sets do not fit. */
export function setsCookie(sets: readonly WorkSet[], publicUrl: string): string | undefined {
  const text = sets
    .map(({ name, works }) => `${encodeURIComponent(name)}:${encodeURIComponent(works.join(','))}`)
    .join('/');
  if (text.length > COOKIE_CHARACTERS_MAX) return undefined;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${text}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFETIME_SECONDS}${secure}`;
}

/** Adds a work to the set of that name, which is made where there is none; undefined where there is no room. */
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
