/** An MCP client, with its configuration for a user. */
export interface McpClient {
  readonly name: string;
  /** Pattern of its client name in the handshake. */
  readonly known: RegExp;
  /** Location of the setting. */
  readonly where: string;
  /** @param payer payment credential, as the value of Authorization; absent: free tools only */
  setting(url: string, payer?: string): string | object;
}

/** Clients with a documented configuration. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: 'Claude Code',
    known: /claude[- ]code/i,
    where: 'in a shell',
    setting: (url, payer) =>
      `claude mcp add --transport http atelier ${url}${payer ? ` --header "Authorization: ${payer}"` : ''}`,
  },
  {
    name: 'Cursor',
    known: /cursor/i,
    where: '~/.cursor/mcp.json',
    setting: (url, payer) => ({ mcpServers: { atelier: { url, ...headersOf(payer) } } }),
  },
  {
    name: 'VS Code',
    known: /visual studio code|vscode/i,
    where: '.vscode/mcp.json',
    setting: (url, payer) => ({ servers: { atelier: { type: 'http', url, ...headersOf(payer) } } }),
  },
  {
    name: 'Claude Desktop',
    known: /claude-ai|claude[- ]desktop/i,
    where: 'claude_desktop_config.json',
    setting: (url, payer) => ({
      mcpServers: {
        atelier: {
          command: 'npx',
          args: ['-y', 'mcp-remote', url, ...(payer ? ['--header', `Authorization: ${payer}`] : [])],
        },
      },
    }),
  },
];

const headersOf = (payer: string | undefined) => (payer ? { headers: { Authorization: payer } } : {});
