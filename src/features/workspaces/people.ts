import type { Database, Queryable } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { WORKSPACE_PEOPLE_MAX } from './limits.ts';
import { workspaceNotFound } from './refusals.ts';
import {
  findPerson,
  insertPerson,
  lockWorkspace,
  type PersonRow,
  selectPeople,
  updateWorkspace,
  type WorkspaceRow,
} from './store.ts';
import type { Author, NewPerson, Visitor } from './types.ts';

/**
 * The number of an author, who is added if new. The workspace must be locked; the caller saves the row.
 * @throws AtelierError workspace_full
 */
export async function personNumber(tx: Queryable, row: WorkspaceRow, person: NewPerson): Promise<number> {
  const known = await findPerson(tx, row.id, person);
  if (known !== undefined) return known;
  if (row.people >= WORKSPACE_PEOPLE_MAX)
    throw new AtelierError(
      'workspace_full',
      `The workspace has reached its limit of ${WORKSPACE_PEOPLE_MAX} authors. Omit the name, or copy the images to a new workspace.`,
    );
  row.people += 1;
  await insertPerson(tx, row.id, { ...person, number: row.people });
  return row.people;
}

/**
 * The number of an author, who is added if new. Does not count as a change of the workspace.
 * @throws AtelierError workspace_not_found, workspace_full
 */
export const registerPerson = (database: Database, id: string, person: NewPerson): Promise<number> =>
  database.transaction(async (tx) => {
    const row = await lockWorkspace(tx, id);
    if (!row) throw workspaceNotFound();
    const before = row.people;
    const number = await personNumber(tx, row, person);
    if (row.people > before) await updateWorkspace(tx, row, row.changedAt);
    return number;
  });

/** Authors of a workspace by number. */
export class People {
  readonly #rows: ReadonlyMap<number, PersonRow>;
  readonly #owner: string | null;

  constructor(rows: readonly PersonRow[], owner: string | null) {
    this.#rows = new Map(rows.map((row) => [row.number, row]));
    this.#owner = owner;
  }

  static async of(database: Database, { id, owner }: Pick<WorkspaceRow, 'id' | 'owner'>): Promise<People> {
    return new People(await selectPeople(database, id), owner);
  }

  has(number: number): boolean {
    return this.#rows.has(number);
  }

  seenBy(number: number, viewer: Viewer): Author {
    const person = this.#rows.get(number);
    if (!person) return { kind: 'link', name: '', is_agent: false, is_you: false };
    const { wallet, name, isAgent, link } = person;
    const isOwner = wallet !== null && wallet === this.#owner;
    const isYou = viewer.wallet ? wallet === viewer.wallet : isSame(person, viewer.author);
    return {
      kind: isOwner ? 'owner' : link === null && wallet !== null ? 'wallet' : 'link',
      name,
      is_agent: isAgent,
      is_you: isYou,
    };
  }

  /** Replaces the number of every author in an object or list. */
  inside<T>(value: unknown, viewer: Viewer): T {
    if (Array.isArray(value)) return value.map((member) => this.inside(member, viewer)) as T;
    if (typeof value !== 'object' || value === null) return value as T;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === 'author' && typeof member === 'number'
          ? this.seenBy(member, viewer)
          : this.inside(member, viewer),
      ]),
    ) as T;
  }
}

export interface Viewer {
  readonly wallet: string | undefined;
  readonly author: NewPerson;
}

export const viewerOf = ({ visitor, author }: { visitor: Visitor; author: NewPerson }): Viewer => ({
  // A pass has no wallet, but its author may have one.
  wallet: visitor.wallet ?? author.wallet ?? undefined,
  author,
});

const isSame = (a: NewPerson, b: NewPerson): boolean =>
  a.wallet === b.wallet && a.name === b.name && a.isAgent === b.isAgent && a.link === b.link;
