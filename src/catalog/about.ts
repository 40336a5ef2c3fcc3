/** What this service is, in one sentence that every document shares. At most 100 characters: MCP server cards allow no more. */
export const DESCRIPTION =
  'Pictures, print, provenance, museum works and storage for AI agents. Most tools are free.';
