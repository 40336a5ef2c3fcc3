import { resolve } from 'node:path';
import { answerPlace } from '../answer_place.ts';
import { defineCommand } from '../command.ts';
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
    root: { value: '<folder>', meaning: 'folder whose files may be read; the current one if none is named' },
    out: { value: '<folder>', meaning: 'where results go; beside their input if not given' },
    ...WALLET_SWITCH,
    ...SERVER_SWITCHES,
  },
  notes:
    'Images may be paths of files and folders, within the folders named here and those the client declares (roots).\nWithout --url it uses the server that runs on the data folder, or starts one that ends with it.',

  async run({ words, values }, world) {
    const place = await answerPlace(values.out);
    if (place.kind !== 'unnamed' && place.kind !== 'folder') throw new UsageError('--out names a folder.');
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
