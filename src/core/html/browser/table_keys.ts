/** Keyboard shortcuts of the table and their list. */
import { pressable } from './pressable.ts';
import type { TableHost } from './table_host.ts';

const KEYS: readonly (readonly [keys: string, deed: string])[] = [
  ['Arrow keys', 'Go to the next image'],
  ['Home, End', 'Go to the first or last image'],
  ['Shift and arrow keys', 'Extend the selection'],
  ['Alt and arrow keys', 'Move the selected images'],
  ['Space', 'Add to or remove from the selection'],
  ['Ctrl A', 'Select all'],
  ['Enter', 'Open the image'],
  ['Escape', 'Close, or clear the selection'],
  ['C', 'Compare two selected images'],
  ['Delete', 'Hide the selected images'],
  ['Ctrl Z', 'Undo the last step'],
  ['Ctrl Shift Z', 'Redo the last step'],
  ['/', 'Find a tool'],
  ['+ − 0', 'Zoom in, zoom out, show all'],
  ['?', 'Show keyboard shortcuts'],
];

const isTyping = (target: EventTarget | null): boolean =>
  (target as Element | null)?.matches(
    'input:not([type=range], [type=checkbox], [type=radio]), textarea, select',
  ) ?? false;

export function listenToKeys(table: TableHost): void {
  const dialog = keysDialog();
  table.append(dialog);
  const show = table.querySelector<HTMLButtonElement>('#show-keys');
  show?.addEventListener('click', () => dialog.showModal());
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target) || dialog.open || event.defaultPrevented) return;
    if (press(table, event, () => dialog.showModal())) event.preventDefault();
  });
}

/** @returns whether the key was handled */
function press(table: TableHost, event: KeyboardEvent, help: () => void): boolean {
  const { key } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (isControl && key.toLowerCase() === 'z') return undo(table, event.shiftKey);
  if (isControl || event.altKey) return false;
  if (key === '?') help();
  else if (key === 'Escape') return leave(table);
  else if (key === '/') findTools(table);
  else if (key === 'Delete' && isOnTable(event.target)) void table.setAside({ hidden: true });
  else if (key.toLowerCase() === 'c' && table.selected.length === 2) table.compare();
  else return false;
  return true;
}

/** On the stage, the same key deletes a box or stroke. */
const isOnTable = (target: EventTarget | null): boolean =>
  !(target as Element | null)?.closest('at-stage, .panel');

/** An open editor list handles undo itself. */
function undo(table: TableHost, isRedo: boolean): boolean {
  if (!table.canWork || table.querySelector('at-list')) return false;
  void table.post(isRedo ? 'redo' : 'undo', {});
  return true;
}

function leave(table: TableHost): boolean {
  if (table.mode !== 'board') table.back();
  else if (table.panel.tool) table.openTool(undefined);
  else if (table.selected.length > 0) {
    table.board.setSelected([]);
    table.select([]);
  } else return false;
  return true;
}

function keysDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = 'keys-dialog';
  dialog.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = 'Keyboard shortcuts';
  const list = document.createElement('dl');
  for (const [keys, deed] of KEYS) {
    const [term, words] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = keys;
    words.textContent = deed;
    list.append(term, words);
  }
  dialog.append(
    title,
    list,
    pressable('Close', () => dialog.close()),
  );
  return dialog;
}

/** Focuses the search for tools, also while the panel loads: what is typed stays in it when the panel is redrawn. */
function findTools(table: HTMLElement): void {
  const find = table.querySelector<HTMLElement>('#find-tool');
  find?.closest<HTMLElement>('[inert]')?.removeAttribute('inert');
  find?.focus();
}
