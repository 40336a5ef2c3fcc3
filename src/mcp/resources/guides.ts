import { readdirSync, readFileSync } from 'node:fs';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { ResourceKind } from './contract.ts';

const PREFIX = 'atelier://guides/';
const FOLDER = new URL('../../../docs/guides/', import.meta.url);

/** The guides of this version, as they lie in its folder. */
const names: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
  .sort();

export const guides: ResourceKind = {
  prefix: PREFIX,
  template: {
    uriTemplate: `${PREFIX}{name}`,
    name: 'guide',
    title: 'Guide',
    description: 'How to do something from beginning to end, as Markdown.',
    mimeType: 'text/markdown',
  },
  values: () => names,
  list: async () =>
    names.map((name) => ({
      uri: `${PREFIX}${name}`,
      name,
      title: titleOf(textOf(name)),
      mimeType: 'text/markdown',
    })),
  async read(name, uri) {
    if (!names.includes(name))
      throw new AtelierError(
        'result_not_found',
        `There is no guide of this name. There are: ${names.join(', ')}.`,
      );
    return { uri, mimeType: 'text/markdown', text: textOf(name) };
  },
};

const textOf = (name: string): string => readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');

const titleOf = (text: string): string => text.split('\n')[0]!.replace(/^# /, '');
