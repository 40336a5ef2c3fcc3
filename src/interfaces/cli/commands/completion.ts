import type { Body } from '@atelier/client/transport.ts';
import { CALL_SWITCHES } from '../call_switches.ts';
import { readCatalogue, readToolSchema } from '../client.ts';
import { type Command, defineCommand } from '../command.ts';
import { type Choices, completionScript, SHELLS, type Shell } from '../completion_script.ts';
import { flagOf, toolDescription } from '../input_schema.ts';
import { SERVER_SWITCHES, withConnection } from '../server_switches.ts';
import { UsageError } from '../usage_error.ts';

export const completionCommand = defineCommand({
  name: 'completion',
  summary: `print a completion script: ${SHELLS.join(', ')}`,
  words: '<shell>',
  example: 'atelier completion bash > ~/.atelier_completion',
  switches: SERVER_SWITCHES,
  firstWord: SHELLS,
  notes: `  bash   source <(atelier completion bash)                                     in ~/.bashrc
  zsh    source <(atelier completion zsh)                                      in ~/.zshrc
  fish   atelier completion fish > ~/.config/fish/completions/atelier.fish

With npx the program is no command of the shell: npm link makes it one.`,

  run({ words: [shell = ''], values }, world, commands) {
    if (!(SHELLS as readonly string[]).includes(shell))
      throw new UsageError(`The shell must be one of ${SHELLS.join(', ')}; got "${shell}".`);
    return withConnection(values, world, async (connection) => {
      const { body } = await readCatalogue(connection, 'search_tools', { query: '' });
      const names = (body.tools as { name: string }[]).map(({ name }) => name);
      const flags: Choices = {};
      for (const name of names) {
        const { body: described } = await readToolSchema(connection, name);
        flags[`call ${name}`] = flagsOf(described);
        Object.assign(flags, valuesOf(name, described));
      }
      world.terminal.stdout.write(
        completionScript(shell as Shell, { ...choices(names, commands), ...flags }),
      );
      return 0;
    });
  },
});

const flagsOf = (described: Body): string[] => [
  ...new Set([
    ...Object.keys(toolDescription(described).fields).map(flagOf),
    ...Object.keys(CALL_SWITCHES).map((name) => `--${name}`),
  ]),
];

/** The possible values of a tool's flag, if there are few. */
function valuesOf(tool: string, described: Body): Choices {
  const entries = Object.entries(toolDescription(described).fields).map(([field, schema]) => {
    const values = (schema.enum ?? schema.items?.enum ?? []).map(String);
    // Other values would need quoting in three shells.
    return [`call ${tool} ${flagOf(field)}`, values.filter((value) => /^[\w.+-]+$/.test(value))] as const;
  });
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
}

/** The possible continuations of each beginning of a command. */
function choices(tools: readonly string[], commands: readonly Command[]): Choices {
  const found: Choices = { '': ['--help', '--version'] };
  for (const { name, switches, firstWord, takesToolFlags } of commands) {
    const [group, member] = name.split(' ') as [string, string?];
    if (!found['']!.includes(group)) found['']!.push(group);
    if (member) found[group] = [...(found[group] ?? []), member];
    found[name] = [
      ...(firstWord === 'tool' ? tools : (firstWord ?? [])),
      ...(takesToolFlags ? [] : Object.keys(switches).map((other) => `--${other}`)),
      '--help',
    ];
  }
  found.help!.push(...found['']!.filter((word) => !word.startsWith('-')));
  return found;
}
