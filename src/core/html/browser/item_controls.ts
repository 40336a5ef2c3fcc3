/** Reading and filling the controls of `item_forms.ts`. */
import { jsonIn, lengthOf } from './item_values.ts';

/** Value of a control; undefined for the default value. */
export function readControl(control: HTMLInputElement): unknown {
  const { kind, default: otherwise } = control.dataset;
  if (kind === 'boolean') return control.checked === (otherwise !== undefined) ? undefined : control.checked;
  const text = control.value;
  if (kind === 'where') return text === 'boxes' ? [] : text;
  if (kind === 'length') return lengthOf(text);
  if (kind === 'number') return text === '' || text === otherwise ? undefined : Number(text);
  if (kind === 'json') return jsonIn(text);
  if (kind === 'lines') return linesOf(text);
  const isDefault = control.querySelector?.('option:checked[data-default]') !== null;
  return text === '' || (control.matches('select') && isDefault) ? undefined : text;
}

/** One entry per line. */
function linesOf(text: string): readonly string[] | undefined {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return lines.length === 0 ? undefined : lines;
}

export function fill(control: HTMLInputElement, value: unknown): void {
  const { kind } = control.dataset;
  if (kind === 'where') control.value = Array.isArray(value) ? 'boxes' : String(value ?? 'all');
  else if (value === undefined) {
    if (/^(length|json|lines)$/.test(kind ?? '')) control.value = '';
  } else if (kind === 'lines' && Array.isArray(value)) control.value = value.join('\n');
  else if (kind === 'boolean') control.checked = value === true;
  else control.value = typeof value === 'object' ? JSON.stringify(value) : String(value);
  showOutput(control);
}

/** The number beside a slider. */
export function showOutput(control: HTMLInputElement): void {
  const output = control.parentElement?.querySelector('output');
  if (output && control.type === 'range') output.textContent = control.value;
}
