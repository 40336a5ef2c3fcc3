import { AtelierError } from '../errors/atelier_error.ts';
import type { CallContext } from '../tools/tool.ts';
import type { Body, Reply } from './client.ts';

/** Answers search_tools and get_tool_schema from the list of this program: no server, no database, nothing written. */
export async function readLocalCatalogue(name: string, input: Body): Promise<Reply> {
  // Loaded when it is needed: with a server at hand reading all tools would be most of a command's time.
  const { createCatalogue } = await import('../catalogue/create_catalogue.ts');
  const { tools } = await import('../tools/index.ts');
  const tool = tools.find((other) => other.name === name)!;
  try {
    const services = { catalogue: createCatalogue(tools) };
    const body = await tool.run(tool.input.parse(input), services as never, {} as CallContext);
    return { status: 200, body: body as Body };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    const { status, message, details } = error;
    return { status, body: { status, detail: message, ...details.members } };
  }
}
