/** One-sentence description of the service, for all documents. At most 100 characters, the limit of MCP server cards. */
export const DESCRIPTION =
  'Pictures, print, provenance, museum works and storage for AI agents. Most tools are free.';
