import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import { SETTING_CHARACTERS_MAX, SETTINGS_CHARACTERS_MAX } from './limits.ts';
import type { Field } from './tool_fields.ts';

/** Field texts of a form or link by field name; a missing name is an unset field. */
export type Settings = Readonly<Record<string, string>>;

/** The parameters of a page or form that are fields of the tool. */
export const settingsAmong = (fields: readonly Field[], sent: Readonly<Record<string, unknown>>): Settings =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = sentText(field, (name) => (typeof sent[name] === 'string' ? sent[name] : undefined));
      return text === undefined ? [] : [[field.name, text]];
    }),
  );

/**
 * The text of a field in a form; that of an object is put together from the controls of its parts.
 * @param sent the text of a control by its name
 * @param prefix of the names in this form, such as "2."
 */
export function sentText(
  field: Field,
  sent: (name: string) => string | undefined,
  prefix = '',
): string | undefined {
  const name = prefix + field.name;
  const own = sent(name);
  if (!field.parts) return own;
  const texts = Object.fromEntries(
    field.parts.flatMap((part) => {
      const text = sent(nameOfPart(name, part));
      return text === undefined ? [] : [[part.name, text]];
    }),
  );
  if (Object.keys(texts).length === 0) return own;
  const first = kindPart(field);
  if ((first ? texts[first.name] : own) === '') return '';
  const kind = first && texts[first.name];
  const shown = field.parts.filter(({ kinds = [] }) => !kind || kinds.length === 0 || kinds.includes(kind));
  return JSON.stringify({ ...objectOf(own), ...paramsOf(shown, texts) });
}

/** The control of a part: "layout.kind". */
export const nameOfPart = (name: string, part: Pick<Field, 'name'>): string => `${name}.${part.name}`;

/** The part that selects the kind of an object. Without a choice the object is unset. */
export const kindPart = ({ parts = [] }: Pick<Field, 'parts'>): Field | undefined =>
  parts.find(({ kind, isRequired }) => kind === 'choice' && isRequired);

/** The object in a JSON text; an empty one for any other text. */
export function objectOf(text = ''): Readonly<Record<string, unknown>> {
  try {
    const value = parseBoundedJson(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Text of a value in a control: "true", "#fff, #000", JSON for nested values. */
export function textOf({ kind }: Field, value: unknown): string {
  if (value === undefined || value === null) return '';
  if ((kind === 'list' || kind === 'colors') && Array.isArray(value)) return value.join(', ');
  if (kind === 'pictures' && Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/**
 * Parameters of the tool call. An empty control is left out, unless the field is required and takes text.
 * @throws AtelierError invalid_input for malformed JSON
 */
export const paramsOf = (fields: readonly Field[], settings: Settings): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = settings[field.name];
      // Default values are left out: some tools choose a better value than the default if the field is unset.
      const isSaid = text !== undefined && text !== textOf(field, field.otherwise);
      const value = isSaid || (field.isRequired && text !== undefined) ? readValue(field, text) : undefined;
      return value === undefined ? [] : [[field.name, value]];
    }),
  );

/** The settings without malformed JSON: the price is quoted while the form is being filled in. */
export const readableSettings = (fields: readonly Field[], settings: Settings): Settings =>
  settingsAmong(
    fields.filter((field) => isReadable(field, settings)),
    settings,
  );

function isReadable(field: Field, settings: Settings): boolean {
  try {
    paramsOf([field], settings);
    return true;
  } catch (error) {
    if (error instanceof AtelierError) return false;
    throw error;
  }
}

function readValue(field: Field, text: string): unknown {
  const { kind, options, isRequired, otherwise } = field;
  if (text.trim() === '') return kind === 'text' && isRequired ? text : undefined;
  // An unticked box is left out, unless the default is true.
  if (kind === 'tick') return text === 'true' || (otherwise === true ? false : undefined);
  if (kind === 'choice') return options.find((option) => String(option) === text) ?? text;
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === 'list' || kind === 'colors') return text.split(',').flatMap((part) => part.trim() || []);
  if (kind === 'pictures') return text.trim().split(/\s+/);
  if (kind === 'object' || kind === 'json' || (kind === 'text' && isJsonOfText(field, text)))
    return jsonIn(field, text);
  return text;
}

/** A list or an object in a field that also takes text: `where` of erase_object. */
const isJsonOfText = ({ schema }: Field, text: string): boolean =>
  /^\s*[[{]/.test(text) &&
  ((schema.anyOf as { type?: string }[] | undefined) ?? []).some(
    ({ type }) => type === 'array' || type === 'object',
  );

function jsonIn({ name, example }: Field, text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    const hint = example === undefined ? '' : `, such as ${JSON.stringify(example).slice(0, 200)}`;
    throw invalidField(name, `${name} must be JSON${hint}.`);
  }
}

/** Query of a link that reopens a page with these settings; texts too long for a URL are left out. */
export function queryOf(
  fields: readonly Field[],
  settings: Settings,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams();
  let characters = 0;
  for (const { name, otherwise } of fields.filter(({ kind }) => kind !== 'wallet')) {
    const text = settings[name] ?? '';
    if (text === '' || text === String(otherwise) || text.length > SETTING_CHARACTERS_MAX) continue;
    characters += text.length;
    if (characters <= SETTINGS_CHARACTERS_MAX) query.set(name, text);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  const text = query.toString();
  return text && `?${text}`;
}
