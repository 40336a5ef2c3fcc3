import { readdirSync, readFileSync } from 'node:fs';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { docAddress, EXAMPLE_URL } from '../../../core/html/doc_address.ts';
import type { ResourceKind } from './types.ts';

const PREFIX = 'atelier://guides/';
const FOLDER = new URL('../../../../docs/guides/', import.meta.url);

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
  async read(name, uri, { kit }) {
    if (!names.includes(name))
      throw new AtelierError(
        'result_not_found',
        `There is no guide of this name. There are: ${names.join(', ')}.`,
      );
    const { publicUrl } = kit.services.site;
    return { uri, mimeType: 'text/markdown', text: guideText(textOf(name), { name, publicUrl }) };
  },
};

const textOf = (name: string): string => readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');

/** Commands of a shell, the same in Python, and in a comment the tool calls that do the same. */
const COMMANDS = /^```sh\n.*?^```\n(?:\n```python\n.*?^```\n)?(?:\n<!-- mcp ?(.*?)-->\n)?/gms;

/** A guide for a client that calls tools: with tool calls where there are commands, and the address of this server. */
export function guideText(
  markdown: string,
  place: { readonly name: string; readonly publicUrl: string },
): string {
  const withCalls = markdown.replace(COMMANDS, (whole, calls: string | undefined) => {
    if (calls === undefined) return whole;
    return calls.trim() && `\`\`\`text\n${calls.trim()}\n\`\`\`\n`;
  });
  return linkedText(withCalls, place).replaceAll(EXAMPLE_URL, place.publicUrl);
}

/** With links that lead somewhere from wherever it is read: to pages of this server; what it does not serve stays as text. */
const linkedText = (
  markdown: string,
  { name, publicUrl }: { readonly name: string; readonly publicUrl: string },
): string =>
  markdown.replace(LINK, (whole, text: string, href: string) => {
    const address = docAddress(href, `guides/${name}`);
    if (address === undefined) return text;
    return address.startsWith('/') ? `[${text}](${publicUrl}${address})` : whole;
  });

const LINK = /(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g;

const titleOf = (text: string): string => text.split('\n')[0]!.replace(/^# /, '');
