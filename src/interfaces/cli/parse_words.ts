import { parseArgs } from 'node:util';
import { closest } from '../../catalog/closest.ts';
import { type Command, type Typed, wordsBounds } from './command.ts';
import { UsageError } from './usage_error.ts';

/** Reads what follows the name of a command. @throws UsageError for a switch it has not, a value too few, a word too many */
export function parseWords(command: Command, args: readonly string[]): Typed {
  const { name, switches } = command;
  const options = Object.fromEntries(
    Object.entries(switches).map(([key, { value }]) => [
      key,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  // Not strict: it would know a wrong switch, but not the one that was meant.
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(switches, token.name)) throw new UsageError(unknownSwitch(command, token.rawName));
    values[token.name] = checkedValue(command, token);
  }
  const { min, max } = wordsBounds(command);
  if (positionals.length < min)
    throw new UsageError(`"atelier ${name}" needs ${command.words}. ${seeHelp(command)}`);
  if (positionals.length > max)
    throw new UsageError(`"${positionals[max]}" is one word too many. ${seeHelp(command)}`);
  return { words: positionals, values: values as Typed['values'] };
}

function checkedValue(
  { switches }: Command,
  {
    name,
    value,
    inlineValue,
  }: { name: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string | boolean {
  const { value: wanted } = switches[name]!;
  if (wanted === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value; got "${value}".`);
    return true;
  }
  // `--limit --part`: the next switch is no value.
  const isNextSwitch = !inlineValue && value?.startsWith('--') && Object.hasOwn(switches, value.slice(2));
  if (value === undefined || value === '' || isNextSwitch)
    throw new UsageError(`--${name} needs a value: --${name} ${wanted}.`);
  return value;
}

function unknownSwitch(command: Command, typed: string): string {
  const names = [...Object.keys(command.switches), 'help'];
  const guess = closest(typed, names)[0];
  return `"atelier ${command.name}" has no switch ${typed}.${guess ? ` Did you mean --${guess}?` : ''} ${seeHelp(command)}`;
}

const seeHelp = ({ name }: Command): string => `See: atelier ${name} --help`;
