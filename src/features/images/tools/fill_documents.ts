import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import type { SentLayer } from '../../definitions/edit_operations/layer_fields.ts';
import { isSourceImage } from '../../definitions/images_in.ts';

/** Values of a document, by name. */
export type Row = Readonly<Record<string, string | number | null | { readonly image: SourceImage }>>;

/** `{{name}}`, with or without spaces. */
const PLACEHOLDER = /\{\{\s*([^{}]{1,100}?)\s*\}\}/g;
/** A text that consists of one placeholder. */
const ONLY_PLACEHOLDER = /^\s*\{\{\s*([^{}]{1,100}?)\s*\}\}\s*$/;
/** Texts of a layer that may have placeholders. */
const TEXTS = ['text', 'name', 'link_to'] as const;
/** Replaces an empty value: a text layer without text is an error, but tables have empty cells. */
const ZERO_WIDTH_SPACE = '\u200b';
const NAMED_MAX = 20;

/** Placeholder name in an image of a layer, an operation or a mask; undefined where it has none. */
export const placeholderOf = (image: unknown): string | undefined =>
  typeof image === 'string' ? ONLY_PLACEHOLDER.exec(image)?.[1] : undefined;

/**
 * Replaces `{{name}}` in layers by the values of a document. Placeholders inside values are not replaced. Layers with an empty image
 * are omitted.
 * @param row has all names that `requireNames` requires
 * @returns the filled layers, and the names of empty images
 */
export function fillLayers(layers: readonly SentLayer[], row: Row): { filled: SentLayer[]; empty: string[] } {
  const empty: string[] = [];
  const fill = (all: readonly SentLayer[]): SentLayer[] =>
    all.flatMap((layer) => {
      const name = placeholderOf(layer.image);
      if (name !== undefined && isEmpty(row[name])) {
        empty.push(name);
        return [];
      }
      return [
        {
          ...fillOne(layer, row),
          ...(layer.operations && { operations: layer.operations.map((one) => fillOne(one, row)) }),
          ...(layer.mask && { mask: fillOne(layer.mask, row) }),
          ...(layer.layers && { layers: fill(layer.layers) }),
        },
      ];
    });
  return { filled: fill(layers), empty };
}

const isEmpty = (value: Row[string] | undefined): boolean => value === null || value === '';

/** Fills the texts and the image of a layer, an operation or a mask. */
function fillOne<Fillable extends object>(sent: Fillable, row: Row): Fillable {
  const fields = sent as Readonly<Record<string, unknown>>;
  const texts = TEXTS.flatMap((field) => {
    const text = fields[field];
    if (typeof text !== 'string') return [];
    const filled = text.replace(PLACEHOLDER, (whole, name: string) => textOf(row[name]) ?? whole);
    return [[field, text.trim() !== '' && filled.trim() === '' ? ZERO_WIDTH_SPACE : filled] as const];
  });
  const name = placeholderOf(fields.image);
  const value = name === undefined ? undefined : row[name];
  return {
    ...sent,
    ...Object.fromEntries(texts),
    ...(typeof value === 'object' && value !== null && { image: value.image }),
  };
}

function textOf(value: Row[string] | undefined): string | undefined {
  if (value === null) return '';
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}

/**
 * Checks before drawing that every document has all used names, in the form that the layer needs.
 * @throws AtelierError invalid_input naming the missing values by row
 */
export function requireNames(layers: readonly SentLayer[], data: readonly Row[]): { unused: string[] } {
  const [texts, images] = [new Set<string>(), new Set<string>()];
  collectNames(layers, texts, images);
  const problems = data.flatMap((row, at) => [
    ...[...texts]
      .filter((name) => textOf(Object.hasOwn(row, name) ? row[name] : undefined) === undefined)
      .map((name) => `data.${at} has no text ${JSON.stringify(name)}`),
    ...[...images]
      .filter((name) => !isImage(Object.hasOwn(row, name) ? row[name] : undefined))
      .map(
        (name) => `data.${at} has no image ${JSON.stringify(name)}: send a handle, or {"image": "https://…"}`,
      ),
  ]);
  if (problems.length > 0) {
    const more = problems.length > NAMED_MAX ? `, and ${problems.length - NAMED_MAX} more` : '';
    throw invalidField(
      'data',
      `${problems.slice(0, NAMED_MAX).join('; ')}${more}. Layers use it as {{name}}.`,
    );
  }
  const used = new Set([...texts, ...images]);
  return { unused: [...new Set(data.flatMap((row) => Object.keys(row)))].filter((name) => !used.has(name)) };
}

const isImage = (value: Row[string] | undefined): boolean =>
  isEmpty(value) || (typeof value === 'object' && isSourceImage(value?.image));

function collectNames(layers: readonly SentLayer[], texts: Set<string>, images: Set<string>): void {
  for (const layer of layers) {
    for (const sent of [layer, ...(layer.operations ?? []), layer.mask ?? {}]) {
      const fields = sent as Readonly<Record<string, unknown>>;
      for (const field of TEXTS)
        for (const [, name] of String(fields[field] ?? '').matchAll(PLACEHOLDER)) texts.add(name!);
      const image = placeholderOf(fields.image);
      if (image !== undefined) images.add(image);
    }
    collectNames(layer.layers ?? [], texts, images);
  }
}
