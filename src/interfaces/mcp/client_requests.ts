import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ImageContent,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { objectInText } from '../../core/json/object_in_text.ts';
import { OBSERVATIONS_EXAMPLE } from '../../features/enrichment/observations/observation_fields.ts';
import type { Exchange } from './exchange.ts';

interface Params {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

const KEY = 'observer';
/** Maximum observations, with room for other text of the model. */
const TOKENS_MAX = 1500;

/**
 * Answers a call. If it needs observations and the client offers its model (sampling), that model describes
 * the preview and the call continues with its observations. Only for revisions since 2026-07-28, in which
 * each request declares the capabilities of the client. A response without observations leaves the result
 * unchanged.
 * @param answer runs the call
 */
export async function askModelInPlace<P extends Params>(
  params: P,
  {
    request,
    answer,
  }: {
    request: ServerContext['mcpReq'];
    answer(params: P): Promise<CallToolResult | InputRequiredResult>;
  },
): Promise<CallToolResult | InputRequiredResult> {
  if (!offersSampling(request)) return answer(params);
  const response = inputResponse(request.inputResponses, KEY);
  if (response.kind === 'sampling') {
    const observations = observationsIn(response.result.content);
    return answer(observations ? { ...params, arguments: { ...params.arguments, observations } } : params);
  }
  const result = await answer(params);
  const image = imageToObserve(result);
  if (response.kind !== 'missing' || !image) return result;
  const { brief } = (result as CallToolResult).structuredContent as { brief: string };
  return inputRequired({ inputRequests: { [KEY]: askToObserve(image, brief, params.arguments?.language) } });
}

/** Whether the client lets the server ask its model. */
function offersSampling({ envelope }: Pick<ServerContext['mcpReq'], 'envelope'>): boolean {
  const capabilities = (
    envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: { readonly sampling?: unknown } } | undefined
  )?.[CLIENT_CAPABILITIES_META_KEY];
  return typeof capabilities?.sampling === 'object' && capabilities.sampling !== null;
}

/** The preview of a result that needs observations. */
function imageToObserve(result: CallToolResult | InputRequiredResult): ImageContent | undefined {
  if (!('content' in result) || !Array.isArray(result.content)) return undefined;
  const { structuredContent, content } = result as CallToolResult;
  const { state } = (structuredContent ?? {}) as { readonly state?: unknown };
  if (state !== 'needs_observations') return undefined;
  return content.find((block): block is ImageContent => block.type === 'image');
}

const askToObserve = ({ data, mimeType }: ImageContent, brief: string, language: unknown) =>
  inputRequired.createMessage({
    messages: [
      { role: 'user', content: { type: 'image', data, mimeType } },
      {
        role: 'user',
        content: {
          type: 'text',
          text: `${brief} Language: ${typeof language === 'string' ? language.slice(0, 20) : 'en'}. Answer with one JSON object and nothing else, such as ${JSON.stringify(OBSERVATIONS_EXAMPLE)}`,
        },
      },
    ],
    maxTokens: TOKENS_MAX,
  });

/** The observations in the text of a model; undefined if there are none. */
function observationsIn(content: unknown): unknown {
  const blocks = (Array.isArray(content) ? content : [content]) as ({ readonly text?: unknown } | null)[];
  return objectInText(
    blocks.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n'),
  );
}

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
