import { randomUUID } from 'node:crypto';
import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { Exchange } from './exchange.ts';

const SESSION = 'Mcp-Session-Id';
/** The client stores this state in its session id, which it sends with every request. It grants no access. */
const MARK = '.asks-by-link';

/**
 * How to show a client a link in the middle of a call (elicitation, mode `url`), if it declares support.
 * Since 2026-07-28 every request declares it, and the question is a response; before, only the first one
 * does, and the question is an error.
 */
export function asksByLink(
  { headers }: Exchange,
  { envelope }: Pick<ServerContext['mcpReq'], 'envelope'>,
): 'answer' | 'error' | undefined {
  const told = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  if (told) return told.elicitation?.url ? 'answer' : undefined;
  return headers.get(SESSION)?.endsWith(MARK) ? 'error' : undefined;
}

/**
 * Headers of the response to `initialize` before 2026-07-28: a session id for clients that open links, and
 * none for others.
 */
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

/** A value that the library has validated but returns untyped. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: Capabilities;
}
