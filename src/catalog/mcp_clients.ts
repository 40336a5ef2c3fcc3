/** An MCP client, with its configuration for a user. */
export interface McpClient {
  readonly name: string;
  /** Pattern of its client name in the handshake. */
  readonly known: RegExp;
  /** Location of the setting. */
  readonly where: string;
  /** @param payer payment credential, as the value of Authorization; absent: free tools only */
  setting(url: string, payer?: string): string | object;
  /** Setting for `atelier mcp` on the user's machine, which may read the files of this folder. */
  localSetting(folder: string): string | object;
}

const COMMAND = 'atelier';
const local = (folder: string) => ({ command: COMMAND, args: ['mcp', folder] });

/** Clients with a documented configuration. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: 'Claude Code',
    known: /claude[- ]code/i,
    where: 'in a shell',
    setting: (url, payer) =>
      `claude mcp add --transport http atelier ${url}${payer ? ` --header "Authorization: ${payer}"` : ''}`,
    localSetting: (folder) => `claude mcp add atelier -- ${COMMAND} mcp ${folder}`,
  },
  {
    name: 'Cursor',
    known: /cursor/i,
    where: '~/.cursor/mcp.json',
    setting: (url, payer) => ({ mcpServers: { atelier: { url, ...headersOf(payer) } } }),
    localSetting: (folder) => ({ mcpServers: { atelier: local(folder) } }),
  },
  {
    name: 'VS Code',
    known: /visual studio code|vscode/i,
    where: '.vscode/mcp.json',
    setting: (url, payer) => ({ servers: { atelier: { type: 'http', url, ...headersOf(payer) } } }),
    localSetting: (folder) => ({ servers: { atelier: { type: 'stdio', ...local(folder) } } }),
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
    localSetting: (folder) => ({ mcpServers: { atelier: local(folder) } }),
  },
  {
    name: 'Codex',
    known: /codex/i,
    where: 'in a shell',
    // The wallet is read from an environment variable, so it is in no file.
    setting: (url, payer) =>
      `codex mcp add atelier --url ${url}${payer ? ' --bearer-token-env-var ATELIER_WALLET' : ''}`,
    localSetting: (folder) => `codex mcp add atelier -- ${COMMAND} mcp ${folder}`,
  },
  {
    name: 'Gemini CLI',
    known: /gemini/i,
    where: 'in a shell',
    setting: (url, payer) =>
      `gemini mcp add --transport http atelier ${url}${payer ? ` --header "Authorization: ${payer}"` : ''}`,
    localSetting: (folder) => `gemini mcp add atelier ${COMMAND} mcp ${folder}`,
  },
];

const headersOf = (payer: string | undefined) => (payer ? { headers: { Authorization: payer } } : {});
