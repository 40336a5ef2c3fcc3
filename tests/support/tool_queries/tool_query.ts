/** A request in the words of a user, and the tool that answers it. */
export type ToolQuery = readonly [query: string, tool: string];
