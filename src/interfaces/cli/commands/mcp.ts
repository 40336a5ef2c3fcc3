import { resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { resultDestination } from '../result_destination.ts';
import { checkUrl } from '../running_server.ts';
import { SERVER_SWITCHES, WALLET_SWITCH } from '../server_switches.ts';
import { configOf } from '../setting_switches.ts';
import { UsageError } from '../usage_error.ts';

export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: 'serve MCP on standard input and output, for agents on this machine',
  words: '[<folder>]…',
  example: 'atelier mcp ~/Pictures',
  switches: {
    root: { value: '<folder>', meaning: 'folder to read files from. Default: the current folder' },
    out: { value: '<folder>', meaning: 'folder for results. Default: the folder of the input file' },
    ...WALLET_SWITCH,
    ...SERVER_SWITCHES,
  },
  notes:
    'Images can be paths of files and folders inside the folders named here or declared by the client (roots).\nWithout --url, the command uses the server that runs on the data folder, or starts one that stops with the command.',

  async run({ words, values }, world) {
    const place = await resultDestination(values.out);
    if (place.kind !== 'unnamed' && place.kind !== 'folder') throw new UsageError('--out must be a folder.');
    const url = values.url ?? world.settings.url;
    const dataDir = resolve(values['data-dir'] ?? world.settings.dataDir);
    if (url === undefined) configOf({ 'data-dir': dataDir }, world);
    await world.serveMcp({
      url: url === undefined ? undefined : checkUrl(url).replace(/\/mcp$/, ''),
      dataDir,
      bearer: values.wallet ?? world.settings.wallet,
      roots: [...words, ...(values.root === undefined ? [] : [values.root])],
      out: place.kind === 'folder' ? resolve(place.path) : undefined,
    });
    return 0;
  },
});
