/**
 * WebMCP: offers the tool of a form to an agent in the browser, if the browser has `modelContext` but does not read `toolname` forms
 * itself. Calls go to the endpoint of the tool, with the limits of a client without a wallet.
 */

interface ModelContext {
  registerTool(tool: object): unknown;
}

type WithModelContext = { readonly modelContext?: ModelContext };

const context = (document as WithModelContext).modelContext ?? (navigator as WithModelContext).modelContext;
/** Browsers that read `toolname` forms mark their submit events. */
const readsForms = 'agentInvoked' in SubmitEvent.prototype;
const form = document.querySelector<HTMLFormElement>('form[toolname]');
if (context && form && !readsForms) void register(context, form);

async function register({ registerTool }: ModelContext, { attributes }: HTMLFormElement): Promise<void> {
  const name = attributes.getNamedItem('toolname')?.value ?? '';
  const described = await send('get_tool_schema', { tool_name: name });
  if (!described.ok) return;
  const { input_schema: inputSchema } = described.body as { input_schema: { properties?: object } };
  const takesOutput = Object.hasOwn(inputSchema.properties ?? {}, 'output');
  registerTool.call(context, {
    name,
    description: attributes.getNamedItem('tooldescription')?.value ?? '',
    inputSchema,
    async execute(input: object) {
      const { ok, body } = await send(name, { ...input, ...(takesOutput && { output: 'url' }) });
      return { content: [{ type: 'text', text: JSON.stringify(body) }], ...(!ok && { isError: true }) };
    },
  });
}

/** Errors are returned as a response, because they say what to correct. */
async function send(tool: string, input: object): Promise<{ ok: boolean; body: object }> {
  try {
    const reply = await fetch(`/api/tools/${tool}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
    return { ok: reply.ok, body: await reply.json() };
  } catch {
    return { ok: false, body: { detail: 'No response from the server. Try again.' } };
  }
}
