/** What this service is, in one sentence that every document shares. At most 100 characters: MCP server cards allow no more. */
export const DESCRIPTION =
  'Image tools, colour, vectors, storage and credits for AI agents. Most tools are free.';
