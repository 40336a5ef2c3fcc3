import { DESCRIPTION } from '../../catalog/about.ts';
import type { Command, Switches } from './command.ts';
import { type Output, paint, table } from './terminal.ts';

/** The list of commands that `atelier` alone prints. */
export function overview(commands: readonly Command[], output: Output): string {
  return [
    DESCRIPTION,
    '',
    heading('Commands', output),
    listing(commands, output),
    heading('Switches', output),
    switchTable(
      {
        help: { meaning: 'show help for a command' },
        version: { meaning: 'show the version' },
      },
      output,
    ),
    heading('Example', output),
    `  ${commands[0]!.example}`,
    '',
    'See: atelier <command> --help, atelier help <tool>',
    '',
  ].join('\n');
}

/** The commands of a group, such as `atelier dataset`. */
export const groupHelp = (group: string, commands: readonly Command[], output: Output): string =>
  [
    heading('Commands', output),
    listing(
      commands.filter(({ name }) => name.startsWith(`${group} `)),
      output,
    ),
    `See: atelier ${group} <command> --help`,
    '',
  ].join('\n');

/** The help of one command. */
export function commandHelp(command: Command, output: Output): string {
  const { name, summary, words, example, switches, shown, notes } = command;
  const hasSwitches = Object.keys(switches).length > 0;
  const listed = shown ? Object.fromEntries(shown.map((key) => [key, switches[key]!])) : switches;
  return [
    summary,
    '',
    `  atelier ${[name, words, hasSwitches && '[--switches]'].filter(Boolean).join(' ')}`,
    '',
    heading('Example', output),
    `  ${example}`,
    '',
    ...(hasSwitches ? [heading('Switches', output), switchTable(listed, output)] : []),
    ...(notes ? [notes, ''] : []),
  ].join('\n');
}

/** One line for each switch. */
export const switchTable = (switches: Switches, output: Output): string =>
  table(
    Object.entries(switches).map(([name, { value, meaning }]) => [
      `  --${name}${value === undefined ? '' : ` ${value}`}`,
      meaning,
    ]),
    whole(output),
  );

const listing = (commands: readonly Command[], output: Output): string =>
  table(
    commands.map(({ name, words, summary }) => [`  ${name} ${words}`.trimEnd(), summary]),
    whole(output),
  );

const heading = (text: string, output: Output): string => paint(output, 'bold', text);

/** Help is never truncated: the reader may look for its end. */
const whole = ({ write, hasColors }: Output): Output => ({ write, ...(hasColors && { hasColors }) });
