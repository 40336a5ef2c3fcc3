import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MCP_CLIENTS } from './mcp_clients.ts';

const guide = readFileSync(
  new URL('../../docs/guides/agents_on_this_machine.md', import.meta.url),
  'utf8',
).replaceAll(/\s+/g, ' ');
const FOLDER = '~/Pictures';
const ABSOLUTE = '/home/me/Pictures';

test.each(MCP_CLIENTS.map((client) => [client.name, client] as const))(
  'the guide contains the configuration for %s',
  (name, { localSetting }) => {
    const text = (folder: string) => {
      const setting = localSetting(folder);
      return (
        typeof setting === 'string' ? setting : JSON.stringify(setting, null, 1).replace(/[[\]{}]/g, ' $& ')
      ).replaceAll(/\s+/g, ' ');
    };
    expect(guide).toContain(name);
    const spaced = guide.replaceAll(/[[\]{}]/g, ' $& ').replaceAll(/\s+/g, ' ');
    expect([spaced, guide].some((page) => page.includes(text(FOLDER)) || page.includes(text(ABSOLUTE)))).toBe(
      true,
    );
  },
);
