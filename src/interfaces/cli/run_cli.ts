import { ConnectionError } from '@atelier/client/transport.ts';
import { startCommand } from './commands/start.ts';
import { findCommand } from './find_command.ts';
import { commandHelp, groupHelp, overview } from './help_text.ts';
import { parseWords } from './parse_words.ts';
import { paint, replaceControls } from './terminal.ts';
import { UsageError } from './usage_error.ts';
import { version } from './version.ts';
import type { World } from './world.ts';

/**
 * Runs one command. Exit codes: 0 done, 1 it failed, 2 used wrongly, 3 done but its file could not be written,
 * 130 stopped by Ctrl-C.
 */
export async function runCli(words: readonly string[], world: World): Promise<number> {
  const { stderr } = world.terminal;
  const say = (text: string) => stderr.write(`${paint(stderr, 'red', replaceControls(text))}\n`);
  try {
    const code = await dispatch(words, world);
    return world.signal.aborted ? 130 : code;
  } catch (error) {
    if (world.signal.aborted) return 130;
    const { message } = error as Error;
    if (error instanceof UsageError) {
      say(message);
      return 2;
    }
    say(error instanceof ConnectionError ? message : `It went wrong: ${message}`);
    return 1;
  }
}

async function dispatch(words: readonly string[], world: World): Promise<number> {
  const { stdout } = world.terminal;
  const [first] = words;
  // A server does not keep the other commands in memory.
  const commands =
    first === startCommand.name ? [startCommand] : (await import('./commands/index.ts')).commands;
  if (first === undefined || first === '--help' || first === '-h') {
    stdout.write(overview(commands, stdout));
    return 0;
  }
  if (first === '--version' || first === '-v') {
    stdout.write(`${version()}\n`);
    return 0;
  }
  const found = findCommand(words, commands);
  if ('group' in found) {
    stdout.write(groupHelp(found.group, commands, stdout));
    return 0;
  }
  const { command, rest } = found;
  if (asksForHelp(rest)) {
    if (command.help) return command.help(rest, world);
    stdout.write(commandHelp(command, stdout));
    return 0;
  }
  const typed = command.takesToolFlags ? { words: rest, values: {} } : parseWords(command, rest);
  return command.run(typed, world, commands);
}

/** After `--` come words that only look like switches. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
}
