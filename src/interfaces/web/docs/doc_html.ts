import { basename } from 'node:path';
import { html, raw } from 'hono/html';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { type DocReader, docAddress, FIRST, forReader } from '../../../core/html/doc_address.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { type PageFileName, pageFile } from '../../../core/html/page_files.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { callTabs, commandNote } from '../call_tabs.ts';
import { sampleAddress } from '../samples.ts';
import { type Doc, readDocs } from './read_docs.ts';
import { runnableBlock } from './runnable_calls.ts';

interface Reader extends DocReader {
  /** Tools the page may call. Unset without a server, as in an export. */
  readonly tools?: readonly AnyTool[];
}

/**
 * A page of the documentation as HTML: headings can be linked to, links lead to pages of the studio, images are its own files, and a
 * command with the same in Python below it becomes two tabs. Free calls can be run from the page. The text is trusted, so its markup is kept.
 */
export function docHtml(
  { name, markdown }: Pick<Doc, 'name' | 'markdown'>,
  { tools = [], ...reader }: Reader = {},
): Html {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const marked = new Marked({
    hooks: { processAllTokens: (tokens) => withRuns(withNote(withTabs(tokens), name), byName) },
    walkTokens: (token) => {
      if (token.type === 'image') token.href = pageFile(basename(token.href) as PageFileName).address;
    },
    renderer: {
      ...REACHED_BY_KEYBOARD,
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      /** Files beside the documentation are not served, so their names stay as text. */
      link({ href, tokens }) {
        const address = docAddress(href, name);
        const text = this.parser.parseInline(tokens);
        return address === undefined ? text : `<a href="${escapeText(address)}">${text}</a>`;
      },
    },
  });
  return raw(marked.parse(forReader(markdown, reader), { async: false }));
}

/** Commands of a shell that are followed by Python, as tabs. */
function withTabs(tokens: Token[]): Token[] {
  const blocks = tokens.filter(({ type }) => type !== 'space');
  return blocks.flatMap((token, at) => {
    const next = blocks[at + 1];
    if (isCode(token, 'python') && at > 0 && isCode(blocks[at - 1]!, 'sh')) return [];
    if (!isCode(token, 'sh') || next === undefined || !isCode(next, 'python')) return [token];
    const tabs = [
      { name: 'Shell', text: token.text },
      { name: 'Python', text: next.text },
    ];
    const text = String(callTabs(`commands-${at}`, 'Shell or Python', tabs));
    return [{ type: 'html', block: true, pre: false, raw: text, text }];
  });
}

/** The page that explains how to get the command. */
const COMMAND_PAGE = 'guides/command_line';

/** Adds the installation note below the first command of the page. */
function withNote(tokens: Token[], name: string): Token[] {
  const first = tokens.findIndex(
    ({ raw: text, type }) =>
      type !== 'space' && /^(```sh|<fieldset)/.test(text) && text.includes('npx atelier'),
  );
  if (first < 0 || name === COMMAND_PAGE) return tokens;
  const text = String(commandNote);
  const note = { type: 'html', block: true, pre: false, raw: text, text };
  return tokens.toSpliced(first + 1, 0, note);
}

/** Comments with tool calls, as a button that runs what can be run. */
const withRuns = (tokens: Token[], tools: ReadonlyMap<string, AnyTool>): Token[] =>
  tokens.map((token) => {
    const block = token.type === 'html' ? runnableBlock(token.raw, tools) : undefined;
    if (!block) return token;
    const { calls, sample, fileName, isPart } = block;
    const note = [
      fileName && `“${sample.title}” is used in place of ${fileName}.`,
      isPart && 'Calls that cost credits or need an account are omitted.',
    ];
    const text = String(
      html`<at-calls class="runs" data-calls="${JSON.stringify(calls)}" data-sample="${sampleAddress(sample)}" data-note="${note.filter(Boolean).join(' ')}"></at-calls>\n`,
    );
    return { type: 'html', block: true, pre: false, raw: text, text };
  });

const isCode = (token: Token, language: string): token is Tokens.Code =>
  token.type === 'code' && token.lang === language;

/** Languages of code to copy; other blocks are responses. */
const TO_SEND = new Set(['sh', 'python', 'js', 'ts', 'yaml', 'nginx', 'ini', 'toml']);

/** Blocks that may overflow are focusable, so that arrow keys scroll them. */
const REACHED_BY_KEYBOARD: RendererObject = {
  code({ text, lang }) {
    const block = `<pre tabindex="0"><code>${escapeText(text)}\n</code></pre>`;
    return lang && TO_SEND.has(lang) ? `<at-copy>${block}</at-copy>\n` : `${block}\n`;
  },
  table({ header, rows }) {
    const row = (cells: Tokens.TableCell[]) =>
      this.tablerow({ text: cells.map((cell) => this.tablecell(cell)).join('') });
    const head = header.some(({ text }) => text !== '') ? `<thead>${row(header)}</thead>` : '';
    const body = rows.map(row).join('');
    return `<div class="over" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
  },
  tablecell({ tokens, header, text }) {
    const content = this.parser.parseInline(tokens);
    return header && text !== '' ? `<th scope="col">${content}</th>` : `<td>${content}</td>`;
  },
  checkbox: () => '<span aria-hidden="true">☐</span> ',
};

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** As the forges make them: lower case, without signs, dashes for spaces. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Links to the pages of the same folder. */
export const contentsOf = ({ name, folder }: Doc): Html =>
  html`<nav aria-label="Pages"><p><a href="/docs">Documentation</a></p><ul>${inFolder(folder).map(
    (doc) =>
      html`<li><a href="/docs/${doc.name}"${doc.name === name ? html` aria-current="page"` : ''}>${doc.title}</a></li>`,
  )}</ul></nav>`;

const inFolder = (folder: string): readonly Doc[] =>
  [...readDocs().values()].filter((doc) => doc.folder === folder && doc.name !== FIRST);

export const QUERY_CHARACTERS_MAX = 200;

/** Submits to `/docs?q=`. @param style a class of the form: `find`, with `slim` above a page */
export const searchForm = (query = '', style = 'find'): Html =>
  html`<form action="/docs" role="search" class="${style}"><div class="ask"><input type="search" name="q" value="${query}" maxlength="${QUERY_CHARACTERS_MAX}" placeholder="Search the documentation" aria-label="Search the documentation" size="1"><button>Search</button></div></form>`;
