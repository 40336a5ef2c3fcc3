import { MCP_IDENTITY } from '../../src/catalog/mcp_card.ts';

interface Program {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/**
 * manifest.json of an MCP bundle (.mcpb), version 0.3 of its specification: programs such as Claude Desktop
 * unpack the bundle and start `atelier mcp` with the folders that the user chooses.
 */
export const bundleManifest = ({ name, version, description, license }: Program) => ({
  manifest_version: '0.3',
  name,
  display_name: MCP_IDENTITY.title,
  version,
  description,
  author: { name: 'The Atelier authors' },
  license,
  server: {
    type: 'node',
    entry_point: 'bin/atelier.mjs',
    mcp_config: {
      command: 'node',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the host program
      args: ['${__dirname}/bin/atelier.mjs', 'mcp', '${user_config.folders}'],
    },
  },
  tools_generated: true,
  prompts_generated: true,
  keywords: ['images', 'print', 'provenance', 'mcp'],
  compatibility: { platforms: [process.platform], runtimes: { node: '>=20' } },
  user_config: {
    folders: {
      type: 'directory',
      title: 'Folders with images',
      description: 'Files in these folders may be read, and results are written beside them.',
      multiple: true,
      required: true,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the host program
      default: ['${HOME}/Pictures'],
    },
  },
});

/**
 * The entry of the MCP registry with the bundle as its package. The URL is that of a release in the
 * repository that the server name implies.
 */
export function registryEntry(
  entry: { readonly name: string; readonly version: string },
  bundle: { readonly file: string; readonly sha256: string },
) {
  const [owner, repository] = entry.name.replace(/^io\.github\./, '').split('/');
  return {
    ...entry,
    packages: [
      {
        registryType: 'mcpb',
        identifier: `https://github.com/${owner}/${repository}/releases/download/v${entry.version}/${bundle.file}`,
        fileSha256: bundle.sha256,
        transport: { type: 'stdio' },
      },
    ],
  };
}
