import { readdirSync, readFileSync } from 'node:fs';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { docAddress, forReader } from '../../../core/html/doc_address.ts';
import { identify } from '../../../pipeline/authenticate.ts';
import type { ResourceKind } from './types.ts';

const PREFIX = 'atelier://guides/';
const FOLDER = new URL('../../../../docs/guides/', import.meta.url);

/** The guides of this version, from its folder. */
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
    description: 'A step-by-step guide, as Markdown.',
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
  async read(name, uri, { context, caller }) {
    if (!names.includes(name))
      throw new AtelierError('result_not_found', `Unknown guide. Available: ${names.join(', ')}.`);
    const { publicUrl } = context.services.site;
    const { wallet } = await identify(context, caller, { mustPay: false });
    return { uri, mimeType: 'text/markdown', text: guideText(textOf(name), { name, publicUrl, wallet }) };
  },
};

const textOf = (name: string): string => readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');

/** Shell commands, the same in Python, and in a comment the equivalent tool calls. */
const COMMANDS = /^```sh\n.*?^```\n(?:\n```python\n.*?^```\n)?(?:\n<!-- mcp ?(.*?)-->\n)?/gms;

interface Place {
  readonly name: string;
  readonly publicUrl: string;
  /** Wallet of the reader. */
  readonly wallet?: string | undefined;
}

/**
 * A guide for a client that calls tools: tool calls in place of commands, the URL of this server, and the
 * wallet of the reader.
 */
export function guideText(markdown: string, place: Place): string {
  const withCalls = markdown.replace(COMMANDS, (whole, calls: string | undefined) => {
    if (calls === undefined) return whole;
    return calls.trim() && `\`\`\`text\n${calls.trim()}\n\`\`\`\n`;
  });
  return forReader(linkedText(withCalls, place), place);
}

/** Makes links absolute, to pages of this server; links to anything else become text. */
const linkedText = (markdown: string, { name, publicUrl }: Place): string =>
  markdown.replace(LINK, (whole, text: string, href: string) => {
    const address = docAddress(href, `guides/${name}`);
    if (address === undefined) return text;
    return address.startsWith('/') ? `[${text}](${publicUrl}${address})` : whole;
  });

const LINK = /(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g;

const titleOf = (text: string): string => text.split('\n')[0]!.replace(/^# /, '');
