import { describe, expect, test } from 'vitest';
import {
  type Act,
  actFacts,
  afterChange,
  type Branch,
  type Change,
  hiddenItems,
  historyOf,
  type Item,
  movedActs,
  shownItems,
  type TableState,
  undoneActs,
} from './browser/table_state.ts';

const ADA = { name: 'Ada', is_agent: false, is_you: true };

const item = (number: number, more: Partial<Item> = {}): Item => ({
  item: number,
  kind: 'image',
  name: `${number}.png`,
  caption: '',
  x: null,
  y: null,
  hidden: false,
  deleted: false,
  act: null,
  media_type: 'image/png',
  bytes: 1,
  width: 10,
  height: 10,
  author: ADA,
  ...more,
});

const act = (number: number, parent: number | null, more: Partial<Act> = {}): Act => ({
  act: number,
  tool: 'edit_image',
  state: 'done',
  parent,
  inputs: [1],
  outputs: [],
  author: ADA,
  credits: 0,
  error: null,
  started_at: '2026-11-26T10:00:00Z',
  ended_at: null,
  ...more,
});

const branch = (head: number | null, tip = head, name = 'main', isCurrent = true): Branch => ({
  branch: name,
  head,
  tip,
  is_current: isCurrent,
});

/** A table with one image, from which two acts made 2 and 3, and another branch made 4. */
const table = (head: number | null, tip = head): TableState => ({
  workspace: { title: 'Table', event: 7, branch: 'main' },
  items: [item(1), item(2, { act: 1 }), item(3, { act: 2 }), item(4, { act: 3 })],
  acts: [act(1, null), act(2, 1), act(3, 1)],
  branches: [branch(head, tip), branch(3, 3, 'other', false)],
  comments: [],
  watchers: [],
});
const numbers = (items: readonly Item[]) => items.map((one) => one.item);

describe('visible table items', () => {
  test('include added images and outputs of the actions on the current branch', () => {
    expect(numbers(shownItems(table(2)))).toEqual([1, 2, 3]);
    expect(numbers(shownItems(table(1, 2)))).toEqual([1, 2]);
    expect(numbers(shownItems(table(null, 2)))).toEqual([1]);
  });

  test('exclude hidden images and images in the trash', () => {
    const state = { ...table(2), items: [item(1, { hidden: true }), item(2, { deleted: true }), item(5)] };
    expect(numbers(shownItems(state))).toEqual([5]);
    expect(numbers(hiddenItems(state))).toEqual([1]);
  });

  test('include outputs of older actions that are not loaded', () => {
    const state = { ...table(3), acts: [act(3, 2)] };
    expect(numbers(shownItems(state))).toEqual([1, 2, 3, 4]);
  });
});

test('the history contains the actions of the branch, plus running and failed actions', () => {
  const state = { ...table(1, 2), acts: [...table(1).acts, act(4, 1, { state: 'failed' })] };
  expect(historyOf(state).map((one) => one.act)).toEqual([1, 2, 4]);
  expect([...undoneActs(state)]).toEqual([2]);
});

describe('a table event', () => {
  const change = (more: Partial<Change>): Change => ({
    event: 8,
    at: '2026-11-26T10:00:00Z',
    by: ADA,
    kind: 'items_added',
    ...more,
  });

  test('that was already applied is a repeat, and a skipped number is a gap', () => {
    expect(afterChange(table(2), change({ event: 7 }))).toBe('repeat');
    expect(afterChange(table(2), change({ event: 9 }))).toBe('gap');
  });

  test('for an action adds its outputs and moves the branch', () => {
    const made = change({
      kind: 'act_done',
      act: act(5, 2, { outputs: [9] }),
      items: [item(9, { act: 5 })],
      branch: branch(5),
    });
    const next = afterChange(table(2), made);
    if (typeof next === 'string') throw new Error(next);
    expect(numbers(shownItems(next))).toEqual([1, 2, 3, 9]);
    expect(next.workspace.event).toBe(8);
  });

  test('that makes another branch current shows the outputs of that branch', () => {
    const moved = change({ kind: 'branch_moved', branch: branch(3, 3, 'other'), current: 'other' });
    const next = afterChange(table(2), moved) as TableState;
    expect(numbers(shownItems(next))).toEqual([1, 2, 4]);
    expect(next.workspace.branch).toBe('other');
  });

  test('for an emptied trash removes its items', () => {
    const next = afterChange(table(2), change({ kind: 'trash_emptied', items: [3] })) as TableState;
    expect(numbers(next.items)).toEqual([1, 2, 4]);
  });
});

describe('the effect of undo and redo', () => {
  const moved = (before: TableState, after: TableState) => {
    const { deed, acts } = movedActs(before, after);
    return [deed, acts.map((one) => one.act)];
  };

  test('is derived from the actions between the two states', () => {
    expect(moved(table(2), table(null, 2))).toEqual(['undone', [2, 1]]);
    expect(moved(table(1, 2), table(2))).toEqual(['redone', [2]]);
  });

  test('is empty if another branch is shown', () => {
    const other = { ...table(2), branches: [branch(2, 2, 'main', false), branch(3, 3, 'other')] };
    expect(moved(table(2), other)).toEqual(['undone', []]);
  });
});

test.each([
  [{ credits: 1 }, false, 'you, 1 credit'],
  [{ credits: 0 }, false, 'you'],
  [{ credits: 2 }, true, 'you, undone'],
  [{ state: 'failed' as const }, false, 'you, failed'],
  [{ author: { name: '', is_agent: false, is_you: false } }, false, ''],
])('for an action with %j, undone %s, the history shows "%s"', (more, isUndone, text) => {
  expect(actFacts(act(1, null, more), isUndone)).toBe(text);
});
