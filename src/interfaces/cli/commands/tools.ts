import type { Body } from '@atelier/client/transport.ts';
import { readCatalogue } from '../client.ts';
import { defineCommand } from '../command.ts';
import { failureText } from '../failure_text.ts';
import { JSON_SWITCH, pickRows } from '../json_fields.ts';
import { SERVER_SWITCHES, withConnection } from '../server_switches.ts';
import { printableJson, replaceControls, table } from '../terminal.ts';
import { priceText } from '../tool_help.ts';

interface Listing {
  readonly name: string;
  readonly description: string;
  readonly cost: { readonly credit: number };
}

export const toolsCommand = defineCommand({
  name: 'tools',
  summary: 'find tools, with name, price and description',
  words: '[<word>…]',
  example: 'atelier tools enlarge',
  switches: { ...JSON_SWITCH, ...SERVER_SWITCHES },

  run: ({ words, values }, world) =>
    withConnection(values, world, async (connection) => {
      const { stdout, stderr } = world.terminal;
      const { status, body } = await readCatalogue(connection, 'search_tools', { query: words.join(' ') });
      if (status !== 200) {
        stderr.write(failureText(body, { tool: 'search_tools' }));
        return 1;
      }
      const tools = body.tools as Listing[];
      if (tools.length === 0) stderr.write('No tool matches. List all tools: atelier tools\n');
      stdout.write(
        values.json === undefined
          ? table(tools.map(row), stdout)
          : printableJson(pickRows(tools as unknown as Body[], values.json)),
      );
      return 0;
    }),
});

const row = ({ name, description, cost }: Listing): string[] =>
  [name, priceText(cost.credit), description].map(replaceControls);
