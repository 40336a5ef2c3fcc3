import { html } from 'hono/html';
import type { Html } from '../../core/html/html_page.ts';
import type { AnyContract } from '../../features/definitions/tool.ts';

/** Attributes by which a browser with WebMCP offers a form to its agent; the page must list `web_mcp.ts` in its files. */
export const toolAttributes = ({ name, summary }: Pick<AnyContract, 'name' | 'summary'>): Html =>
  html` toolname="${name}" tooldescription="${summary}"`;
