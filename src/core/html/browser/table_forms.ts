/** Forms of the table, which also work without JavaScript. Scripts submit them in place; changes arrive by the event stream. */
import type { TableHost } from './table_host.ts';
import { wordsInPage } from './words_in_page.ts';

const text = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name) ?? '');

/** @param pressed submit button */
type Deed = (table: TableHost, form: HTMLFormElement, pressed: HTMLButtonElement) => Promise<unknown>;

/** Form actions by button value, as workspace endpoints. */
const TABLE_ACTIONS: Readonly<Record<string, Deed>> = {
  undo: (table) => table.post('undo', {}),
  redo: (table) => table.post('redo', {}),
  hide: (table) => table.setAside({ hidden: true }),
  trash: (table) => table.setAside({ deleted: true }),
  unhide: (table, form) => bringBack(table, form, { hidden: false }),
  restore: (table, form) => bringBack(table, form, { deleted: false }),
  empty: (table) => table.post('empty', {}),
  rename: async (table, form) => {
    await table.post('edit', { title: text(form, 'title') });
    form.closest('details')!.open = false;
  },
  describe: async (table, form) => {
    const item = Number(form.dataset.item);
    const answer = await table.post('items/edit', {
      items: [{ item, name: text(form, 'name'), caption: text(form, 'caption') }],
    });
    if (answer) table.say('Saved');
    table.refresh();
  },
  comment: async (table, form) => {
    const [item] = table.selected.length === 1 ? table.selected : [];
    const sent = { text: text(form, 'text'), ...(item && { item }) };
    if (await table.post('comments', sent)) form.reset();
  },
  branch: async (table, form) => {
    if (!(await table.post('branches', { branch: text(form, 'name') }))) return;
    form.querySelector<HTMLInputElement>('[name=name]')!.value = '';
    form.querySelector('details')!.open = false;
  },
  switch: (table, form) => switchTo(table, text(form, 'branch')),
  call: sendForm,
  repair: sendForm,
  repeat: sendForm,
  recipe: sendForm,
  claim: sendForm,
  share: (table, form) =>
    share(table, form, { role: text(form, 'role'), name: text(form, 'name') || undefined }),
  revoke: (table, form) => share(table, form, { revoke: Number(text(form, 'link')) }),
};

/** Makes a branch current at its head. */
async function switchTo(table: TableHost, name: string): Promise<void> {
  const branch = table.state.branches.find((one) => one.branch === name);
  await table.post('branches', { branch: name, at: branch?.head ?? 0 });
  if (table.panel.view === 'branches') table.refresh();
}

const bringBack = (table: TableHost, form: HTMLFormElement, change: object): Promise<unknown> =>
  table.post('items/edit', { items: [{ item: Number(text(form, 'items')), ...change }] });

/** Action name: the button value, or the `do` field of forms with other buttons. */
const deedOf = (form: HTMLFormElement, { name, value }: HTMLButtonElement): string =>
  name === 'do' ? value : text(form, 'do');

export function takeForms(table: TableHost): void {
  table.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const pressed = event.submitter as HTMLButtonElement | null;
    const deed = pressed && TABLE_ACTIONS[deedOf(form, pressed)];
    if (!deed || form.id === 'ticket') return;
    event.preventDefault();
    void deed(table, form, pressed);
  });
  table.querySelector('#branches select')?.addEventListener('change', ({ target }) => {
    void switchTo(table, (target as HTMLSelectElement).value);
  });
  const shared = table.querySelector('#share');
  shared?.addEventListener('toggle', () => offerCopy(table));
  addEventListener('click', ({ target }) => {
    for (const open of table.querySelectorAll<HTMLDetailsElement>('details.pop[open]'))
      if (!open.contains(target as Node)) open.open = false;
  });
}

/** Paid and account actions are posted as forms, with the HttpOnly cookie. */
async function sendForm(table: TableHost, form: HTMLFormElement, pressed: HTMLButtonElement): Promise<void> {
  const deed = deedOf(form, pressed);
  const body = new FormData(form);
  body.set(pressed.name, pressed.value);
  pressed.disabled = true;
  const reply = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } }).catch(
    () => undefined,
  );
  pressed.disabled = false;
  if (!reply) return table.say('No response from the server. Try again.', true);
  if (reply.redirected) {
    const act = Number(new URL(reply.url).searchParams.get('act'));
    if (/^(call|repair|repeat)$/.test(deed)) table.ran([act], pressed.textContent!.replace(/ \(.*/, ''));
    else
      table.say(
        deed === 'recipe'
          ? 'Recipe saved. Select images to find it under Your recipes.'
          : 'Table added to your wallet',
      );
    return;
  }
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const said = page.querySelector('#panel [role=alert]');
  table.say(said?.textContent ?? wordsInPage(page), true);
}

/** Reloads the links: only the owner may see them, so no event contains them. */
async function share(table: TableHost, form: HTMLFormElement, body: object): Promise<void> {
  const place = form.closest('.sheet-over')!;
  if (!(await table.post('links', body))) return;
  const reply = await fetch(`${table.dataset.path}?part=share`, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const fresh = page.querySelector('#share-links');
  if (fresh) place.replaceChildren(document.importNode(fresh, true));
  offerCopy(table);
}

function offerCopy(table: TableHost): void {
  for (const button of table.querySelectorAll<HTMLButtonElement>('#share .copy[hidden]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const input = button.closest('li')!.querySelector('input')!;
      input.select();
      try {
        await navigator.clipboard.writeText(input.value);
        table.say('Link copied');
      } catch {
        table.say('Link selected. Copy it with Ctrl+C.');
      }
    });
  }
}
