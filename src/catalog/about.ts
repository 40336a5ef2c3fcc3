/** Version of the interface description, as the specification numbers it. The program has its own version. */
export const INTERFACE_VERSION = '0.5.0';

/** One-sentence description of the service, for all documents. At most 100 characters, the limit of MCP server cards. */
export const DESCRIPTION =
  'Images, print, provenance, museum works and storage for AI agents. Most tools are free.';
