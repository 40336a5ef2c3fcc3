import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { VIEW_TYPE, VIEWS_EXTENSION } from '../../catalog/tool_view.ts';

/**
 * Whether the client may be one that shows views. Since 2026-07-28 every request says what its client can do. Before, only the first one
 * of a connection does, which is not remembered here: such a client is told of the views, and passes over what it does not know.
 */
export function showsViews({ envelope }: Pick<ServerContext['mcpReq'], 'envelope'>): boolean {
  const told = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  if (!told) return true;
  const { mimeTypes } = told.extensions?.[VIEWS_EXTENSION] ?? {};
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE);
}

/** What the library has checked and gives on without its type. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: {
    readonly extensions?: Readonly<Record<string, { readonly mimeTypes?: unknown }>>;
  };
}
