/** An object that is filled in field by field. The text area of the form holds the same as JSON and is what is sent. */
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
    const json = disclosure('As JSON');
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

  /** Takes over what the text area has. Other text stays where it can be corrected. */
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
