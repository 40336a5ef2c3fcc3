/**
 * The view's side of MCP Apps (SEP-1865, revision 2026-01-26): JSON-RPC by postMessage with the host. A view has no network access;
 * all requests go through the host.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** A content block of a response, with the fields that views read. */
export interface Block {
  readonly type: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly text?: string;
}

/** CallToolResult of the protocol. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content?: readonly Block[];
  readonly structuredContent?: Fields;
  readonly _meta?: Fields;
}

/** Notifications of the host; each at most once per call. */
export interface Listener {
  onInput(input: Fields): void;
  onAnswer(answer: ToolAnswer): void;
  onCancelled(): void;
}

interface HostContext {
  readonly toolInfo?: { readonly tool?: { readonly title?: string; readonly name?: string } };
  readonly theme?: 'light' | 'dark';
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> };
  readonly availableDisplayModes?: readonly string[];
  readonly displayMode?: string;
  readonly safeAreaInsets?: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;
}

interface Message {
  readonly jsonrpc?: string;
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { readonly message?: string };
}

const PROTOCOL = '2026-01-26';

const waiting = new Map<number | string, (message: Message) => void>();
let lastId = 0;
let capabilities: Fields = {};
let context: HostContext = {};

/** Capabilities of the host. */
export const hostCan = (what: 'openLinks' | 'serverTools'): boolean => what in capabilities;
export const hostContext = (): HostContext => context;
/** The called tool, if the host names it. */
export const toolCalled = () => ({
  name: String(context.toolInfo?.tool?.name ?? ''),
  title: String(context.toolInfo?.tool?.title ?? ''),
});

/** Performs the handshake with the host, then passes its messages to the listener. @throws Error if the host rejects the request */
export async function connectHost(name: string, listener: Listener): Promise<void> {
  addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
    if (source === parent && data?.jsonrpc === '2.0') receive(data, listener);
  });
  const opened = await ask('ui/initialize', {
    appInfo: { name, version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    protocolVersion: PROTOCOL,
  });
  capabilities = (opened.hostCapabilities ?? {}) as Fields;
  changeContext((opened.hostContext ?? {}) as HostContext);
  tell('ui/notifications/initialized', {});
  const root = document.documentElement;
  let reported = '';
  new ResizeObserver(() => {
    const { width, height } = root.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    if (reported === JSON.stringify(size)) return;
    reported = JSON.stringify(size);
    tell('ui/notifications/size-changed', size);
  }).observe(root);
}

/** Calls a tool of the server of this view, as its client. @throws Error if the host rejects the request */
export const callTool = (name: string, input: Fields, meta?: Fields): Promise<ToolAnswer> =>
  ask('tools/call', { name, arguments: input, ...(meta && { _meta: meta }) });

/** @throws Error if the host rejects the request */
export const openLink = (url: string): Promise<void> => askFor('ui/open-link', { url });

/** Sends a chat message on behalf of the user. @throws Error if the host rejects the request */
export const sayToModel = (text: string): Promise<void> =>
  askFor('ui/message', { role: 'user', content: [{ type: 'text', text }] });

export const changeDisplayMode = (mode: string): Promise<Fields> => ask('ui/request-display-mode', { mode });

/** Some hosts refuse with an error, some with a flag in the result. */
async function askFor(method: string, params: Fields): Promise<void> {
  const { isError } = await ask(method, params);
  if (isError) throw new Error('the host rejected the request');
}

function receive(message: Message, listener: Listener): void {
  const { id, method, params = {} } = message;
  if (method === undefined) {
    if (id === undefined) return;
    waiting.get(id)?.(message);
    waiting.delete(id);
  } else if (id !== undefined) answerRequest(id, method);
  else if (method === 'ui/notifications/tool-input') listener.onInput((params.arguments ?? {}) as Fields);
  else if (method === 'ui/notifications/tool-result') listener.onAnswer(params);
  else if (method === 'ui/notifications/tool-cancelled') listener.onCancelled();
  else if (method === 'ui/notifications/host-context-changed') changeContext(params);
}

/** There is no state to save at teardown. */
function answerRequest(id: number | string, method: string): void {
  const isKnown = method === 'ping' || method === 'ui/resource-teardown';
  send({ id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: `No ${method} here.` } }) });
}

function ask(method: string, params: Fields): Promise<Fields> {
  lastId += 1;
  const id = lastId;
  send({ id, method, params });
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ error, result = {} }) => {
      if (error) reject(new Error(error.message ?? 'the host rejected the request'));
      else resolve(result);
    });
  });
}

const tell = (method: string, params: Fields): void => send({ method, params });

/** Target origin `*`: the view cannot know the origin of its host. It sends only what is meant for the host. */
const send = (message: object): void => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

/** Applies colours and fonts of the host; others keep the defaults of the view. */
function changeContext(changed: HostContext): void {
  context = { ...context, ...changed };
  const { style } = document.documentElement;
  if (context.theme === 'light' || context.theme === 'dark') style.colorScheme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
    if (name.startsWith('--') && typeof value === 'string') style.setProperty(name, value);
  const { top = 0, right = 0, bottom = 0, left = 0 } = context.safeAreaInsets ?? {};
  document.body.style.padding = [top, right, bottom, left].map((side) => `${Number(side)}px`).join(' ');
}
