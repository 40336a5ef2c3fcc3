import { randomUUID } from 'node:crypto';
import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { Exchange } from './exchange.ts';

const SESSION = 'Mcp-Session-Id';
/** What we have no memory for, the client carries: it sends its session id with every request. It opens nothing. */
const MARK = '.asks-by-link';

/**
 * How a client can be led to a link of ours in the middle of a call (elicitation, mode `url`), where it has said that it can. Since
 * 2026-07-28 every request says so, and the question is an answer; before, only the first one does, and the question is an error.
 */
export function asksByLink(
  { headers }: Exchange,
  { envelope }: Pick<ServerContext['mcpReq'], 'envelope'>,
): 'answer' | 'error' | undefined {
  const told = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  if (told) return told.elicitation?.url ? 'answer' : undefined;
  return headers.get(SESSION)?.endsWith(MARK) ? 'error' : undefined;
}

/** Headers of the answer to an opening of before 2026-07-28: a session id for clients that open links, and none for any other. */
export function sessionOf(body: unknown): Record<string, string> {
  const { method, params } = (body ?? {}) as Opening;
  const canOpen = method === 'initialize' && params?.capabilities?.elicitation?.url;
  return canOpen ? { [SESSION]: `${randomUUID()}${MARK}` } : {};
}

interface Capabilities {
  readonly elicitation?: { readonly url?: unknown };
}

interface Opening {
  readonly method?: unknown;
  readonly params?: { readonly capabilities?: Capabilities };
}

/** What the library has checked and gives on without its type. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: Capabilities;
}
