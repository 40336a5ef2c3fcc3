import type { Operation } from './document.ts';

/** Values remembered per name, and links per path. */
const KEPT = 40;
const LENGTH_MAX = 300;

/** Values from the server's responses: ids, handles and links that later requests use. */
export class Pool {
  readonly #values = new Map<string, unknown[]>();
  readonly #links = new Map<string, string[]>();
  readonly #patterns: readonly { readonly path: string; readonly pattern: RegExp }[];

  constructor(operations: readonly Operation[]) {
    this.#patterns = operations
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => ({ path, pattern: patternOf(path) }));
  }

  add(name: string, value: unknown): void {
    push(this.#values, name, value);
  }

  /** Records every text and number of a response, under the name of its member and of its resource. */
  learn(path: string, answer: unknown, name = ''): void {
    if (Array.isArray(answer)) for (const item of answer) this.learn(path, item, name);
    else if (answer !== null && typeof answer === 'object')
      for (const [member, value] of Object.entries(answer)) this.learn(path, value, member);
    else if (typeof answer === 'number' || (typeof answer === 'string' && answer.length <= LENGTH_MAX)) {
      this.add(name, answer);
      this.add(`${roomOf(path)} ${name}`, answer);
      if (typeof answer === 'string' && /^(https?:\/)?\//.test(answer)) this.#learnLink(answer);
    }
  }

  value(path: string, name: string, pick: number): unknown {
    const values = this.#values.get(`${roomOf(path)} ${name}`) ?? this.#values.get(name);
    return values?.[pick % values.length];
  }

  /** A URL with query that the server has returned, for the endpoint at `path`. */
  link(path: string, pick: number): string | undefined {
    const links = this.#links.get(path);
    return links?.[pick % links.length];
  }

  #learnLink(text: string): void {
    const { pathname, search } = new URL(text, 'http://server.invalid');
    const found = this.#patterns.find(({ pattern }) => pattern.test(pathname));
    if (!found) return;
    push(this.#links, found.path, `${pathname}${search}`);
    for (const [name, value] of Object.entries(found.pattern.exec(pathname)?.groups ?? {}))
      this.add(`${roomOf(found.path)} ${name}`, decodeURIComponent(value));
  }
}

/** `/api/jobs/{id}` → `jobs`. */
const roomOf = (path: string): string => path.split('/')[path.startsWith('/api/') ? 2 : 1] ?? '';

/** Pattern of `/a/{b}`, with named groups. */
export const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

function push<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name) ?? [];
  list.push(value);
  lists.set(name, list.slice(-KEPT));
}
