/** Table state from endpoints and events, and derived values. No `document`: the server uses it too. */

export interface Author {
  readonly name: string;
  readonly is_agent: boolean;
  readonly is_you: boolean;
}

export interface Item {
  readonly item: number;
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly caption: string;
  readonly x: number | null;
  readonly y: number | null;
  readonly hidden: boolean;
  readonly deleted: boolean;
  /** Act that created it. null: added by upload. */
  readonly act: number | null;
  readonly media_type: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly author: Author;
}

/** Derivatives of an image: at most 128, 320 or 1600 px. */
export type ShownSize = 'large' | 'small' | 'tiny';

export interface Act {
  readonly act: number;
  readonly tool: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly parent: number | null;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly author: Author;
  readonly credits: number;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

export interface Branch {
  readonly branch: string;
  /** Current act. null: none. */
  readonly head: number | null;
  /** Last act that redo can reach. */
  readonly tip: number | null;
  readonly is_current: boolean;
}

export interface Comment {
  readonly comment: number;
  readonly text: string;
  readonly item: number | null;
  readonly act: number | null;
  readonly author: Author;
  readonly created_at: string;
  readonly deleted: boolean;
}

export interface TableState {
  readonly workspace: { readonly title: string; readonly event: number; readonly branch: string };
  readonly items: readonly Item[];
  /** The newest entries, unordered. */
  readonly acts: readonly Act[];
  readonly branches: readonly Branch[];
  readonly comments: readonly Comment[];
  readonly watchers: readonly Author[];
}

/** An event of the stream. */
export interface Change {
  readonly event: number;
  readonly at: string;
  readonly by: Author;
  readonly kind: string;
  readonly items?: readonly Item[] | readonly number[];
  readonly act?: Act;
  readonly branch?: Branch;
  readonly current?: string;
  readonly was?: string;
  readonly removed?: true;
  readonly comment?: Comment;
  readonly title?: string;
}

const newestFirst = (one: Act, other: Act): number => other.act - one.act;

export const currentBranch = ({ branches }: Pick<TableState, 'branches'>): Branch | undefined =>
  branches.find(({ is_current: isCurrent }) => isCurrent);

/**
 * Acts from the head of a branch back to the first, newest first. The chain ends at acts that are not loaded.
 * @returns also the number below which acts are unknown; those count as shown
 */
export function chainOf(
  { acts }: Pick<TableState, 'acts'>,
  from: number | null,
): { readonly chain: readonly Act[]; readonly unknownBelow: number } {
  const byNumber = new Map(acts.map((act) => [act.act, act]));
  const chain: Act[] = [];
  let at = from;
  while (at !== null) {
    const act = byNumber.get(at);
    if (!act) return { chain, unknownBelow: at + 1 };
    chain.push(act);
    at = act.parent;
  }
  return { chain, unknownBelow: 0 };
}

/** Visible items: not hidden or deleted, and added or created on the current branch. */
export function shownItems(state: Pick<TableState, 'items' | 'acts' | 'branches'>): readonly Item[] {
  const { chain, unknownBelow } = chainOf(state, currentBranch(state)?.head ?? null);
  const onBranch = new Set(chain.map(({ act }) => act));
  return state.items.filter(
    ({ hidden, deleted, act }) =>
      !hidden && !deleted && (act === null || onBranch.has(act) || act < unknownBelow),
  );
}

/** Hidden items. */
export const hiddenItems = ({ items }: Pick<TableState, 'items'>): readonly Item[] =>
  items.filter(({ hidden, deleted }) => hidden && !deleted);

/** Deleted items; they use space until the trash is emptied. */
export const trashedItems = ({ items }: Pick<TableState, 'items'>): readonly Item[] =>
  items.filter(({ deleted }) => deleted);

/** Latest image of a branch: the newest created on it, else the last added. */
export function imageAt(state: Pick<TableState, 'items' | 'acts'>, head: number | null): Item | undefined {
  const images = new Map(
    state.items.filter(({ kind, deleted }) => kind === 'image' && !deleted).map((item) => [item.item, item]),
  );
  for (const { outputs } of chainOf(state, head).chain) {
    const made = outputs.find((number) => images.has(number));
    if (made !== undefined) return images.get(made);
  }
  return [...images.values()].findLast(({ act }) => act === null);
}

/** Acts of the history: running, failed, and those of the current branch up to its tip. Oldest first. */
export function historyOf(state: Pick<TableState, 'acts' | 'branches'>): readonly Act[] {
  const branch = currentBranch(state);
  const { chain } = chainOf(state, branch?.tip ?? branch?.head ?? null);
  const shown = new Set(chain);
  const loose = state.acts.filter(({ state: stage }) => stage !== 'done');
  return [...new Set([...shown, ...loose])].toSorted(newestFirst).reverse();
}

/** Undone acts between head and tip, available for redo. */
export function undoneActs(state: Pick<TableState, 'acts' | 'branches'>): ReadonlySet<number> {
  const branch = currentBranch(state);
  const { chain } = chainOf(state, branch?.tip ?? null);
  const end = chain.findIndex(({ act }) => act === branch?.head);
  return new Set((end < 0 ? chain : chain.slice(0, end)).map(({ act }) => act));
}

/** State after an event; `repeat` for a known event, `gap` if earlier events are missing. */
export function afterChange(state: TableState, change: Change): TableState | 'repeat' | 'gap' {
  const { event } = state.workspace;
  if (change.event <= event) return 'repeat';
  if (change.event > event + 1) return 'gap';
  const workspace = {
    ...state.workspace,
    event: change.event,
    ...(change.title !== undefined && { title: change.title }),
    ...(change.current !== undefined && { branch: change.current }),
  };
  return { ...withParts(state, change), workspace };
}

function withParts(state: TableState, change: Change): TableState {
  const items = (change.items ?? []) as readonly (Item | number)[];
  const whole = items.filter((item) => typeof item === 'object');
  const gone = new Set(items.filter((item) => typeof item === 'number'));
  const kept = state.items.filter(({ item }) => !gone.has(item));
  return {
    ...state,
    items: merged(kept, whole, ({ item }) => item),
    acts: merged(state.acts, change.act ? [change.act] : [], ({ act }) => act),
    comments: merged(state.comments, change.comment ? [change.comment] : [], ({ comment }) => comment),
    branches: branchesAfter(state.branches, change),
  };
}

/** Merges by key: replaces known entries in place and appends new ones. */
function merged<One>(
  old: readonly One[],
  fresh: readonly One[],
  keyOf: (one: One) => number,
): readonly One[] {
  if (fresh.length === 0) return old;
  const all = new Map(old.map((one) => [keyOf(one), one]));
  for (const one of fresh) all.set(keyOf(one), one);
  return [...all.values()];
}

function branchesAfter(
  branches: readonly Branch[],
  { branch, current, was, removed }: Change,
): readonly Branch[] {
  if (!branch) return branches;
  const others = branches.filter((one) => one.branch !== branch.branch && one.branch !== was);
  const all = removed ? others : [...others, branch];
  const name = current ?? branches.find((one) => one.is_current)?.branch;
  return all.map((one) => ({ ...one, is_current: one.branch === name }));
}

/** "Ada", "you", "Cutter (agent)" */
export const authorText = ({ name, is_agent: isAgent, is_you: isYou }: Author): string =>
  isYou && !isAgent ? 'you' : isAgent ? `${name} (agent)` : name;

/** "Ada, 2 credits", "Cutter (agent), failed", "you, undone" */
export function actFacts({ state, author, credits }: Act, isUndone: boolean): string {
  const price = credits === 0 ? '' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
  const stage = isUndone ? 'undone' : { running: 'running', failed: 'failed', done: price }[state];
  return [author.name && authorText(author), stage].filter(Boolean).join(', ');
}

/** Acts undone or redone between two states of a branch; empty after a branch switch. */
export function movedActs(
  before: TableState,
  after: TableState,
): { readonly deed: 'undone' | 'redone'; readonly acts: readonly Act[] } {
  const [from, to] = [before, after].map((state) => {
    const branch = currentBranch(state);
    return { name: branch?.branch, chain: chainOf(state, branch?.head ?? null).chain };
  }) as [Side, Side];
  if (from.name !== to.name) return { deed: 'undone', acts: [] };
  const gone = from.chain.filter(({ act }) => !to.chain.some((other) => other.act === act));
  const back = to.chain.filter(({ act }) => !from.chain.some((other) => other.act === act));
  return gone.length > 0 ? { deed: 'undone', acts: gone } : { deed: 'redone', acts: back };
}

interface Side {
  readonly name: string | undefined;
  readonly chain: readonly Act[];
}

/** "1200 × 800, PNG", or only the type of other files. */
export function factsText({
  width,
  height,
  media_type: type,
}: Pick<Item, 'width' | 'height' | 'media_type'>): string {
  const kind = type
    .replace(/^(image|application|text)\//, '')
    .replace(/\+xml$/, '')
    .toUpperCase();
  return width && height ? `${width} × ${height}, ${kind}` : kind;
}
