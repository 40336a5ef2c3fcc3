import { type Command, defineCommand } from '../command.ts';
import { findCommand } from '../find_command.ts';
import { commandHelp, groupHelp, overview } from '../help_text.ts';
import { JSON_SWITCH } from '../json_fields.ts';
import { SERVER_SWITCHES, withConnection } from '../server_switches.ts';
import { toolHelp } from '../tool_help.ts';
import { UsageError } from '../usage_error.ts';

export const helpCommand = defineCommand({
  name: 'help',
  summary: 'show the flags of a tool or the switches of a command',
  words: '[<tool or command>…]',
  example: 'atelier help resize_image',
  switches: { ...JSON_SWITCH, ...SERVER_SWITCHES },
  firstWord: 'tool',

  async run({ words, values }, world, commands) {
    const { stdout } = world.terminal;
    if (words.length === 0) {
      stdout.write(overview(commands, stdout));
      return 0;
    }
    const found = requireCommand(words, commands);
    if (!found)
      return withConnection(values, world, (connection) =>
        toolHelp(words[0]!, connection, world.terminal, values.json),
      );
    stdout.write(
      'group' in found ? groupHelp(found.group, commands, stdout) : commandHelp(found.command, stdout),
    );
    return 0;
  },
});

/** Undefined for words that may name a tool. */
function requireCommand(
  words: readonly string[],
  commands: readonly Command[],
): ReturnType<typeof findCommand> | undefined {
  try {
    return findCommand(words, commands);
  } catch (error) {
    if (error instanceof UsageError && words.length === 1) return undefined;
    throw error;
  }
}
