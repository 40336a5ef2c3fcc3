/** Editor for the fields of an object. The text area holds the same object as JSON, which the form sends. */
import { disclosure } from './disclosure.ts';
import { fill, readControl } from './item_controls.ts';
import { type Item, itemsIn, valueAt, withValue } from './item_values.ts';

class ObjectFields extends HTMLElement {
  item: Item = {};
  fields = document.createElement('div');

  connectedCallback() {
    const { area, fields } = this;
    fields.className = 'fields';
    fields.append(this.querySelector('template')!.content.cloneNode(true));
    const json = disclosure('JSON');
    json.className = 'small';
    area.replaceWith(fields, json);
    json.append(area);
    area.addEventListener('input', ({ isTrusted }) => {
      if (isTrusted) this.read();
    });
    fields.addEventListener('input', (event) => this.change(event));
    this.read();
  }

  get area(): HTMLTextAreaElement {
    return this.querySelector('textarea[name]')!;
  }

  /** Reads the text area; invalid JSON stays there to be corrected. */
  read() {
    const [item] = itemsIn(this.area.value.trim() === '' ? '[{}]' : `[${this.area.value}]`) ?? [];
    if (!item) return;
    this.item = item;
    for (const control of this.fields.querySelectorAll<HTMLInputElement>('[data-field]'))
      fill(control, valueAt(item, control.dataset.field!));
  }

  change(event: Event) {
    const control = event.target as HTMLInputElement;
    const { field } = control.dataset;
    if (field === undefined) return;
    event.stopPropagation();
    this.item = withValue(this.item, field, readControl(control));
    this.area.value = Object.keys(this.item).length === 0 ? '' : JSON.stringify(this.item, null, 2);
    this.area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

customElements.define('at-object', ObjectFields);
