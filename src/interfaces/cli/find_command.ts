import { closest } from '../../catalog/closest.ts';
import type { Command } from './command.ts';
import { UsageError } from './usage_error.ts';

type Found = { command: Command; rest: readonly string[] } | { group: string };

/**
 * Finds the command at the beginning of the words, or the group they name. @throws UsageError with the
 * closest name
 */
export function findCommand(words: readonly string[], commands: readonly Command[]): Found {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(name(command).length) };
  }
  const [first = '', second] = words;
  const members = commands.filter((command) => name(command).length > 1 && name(command)[0] === first);
  if (members.length === 0)
    throw unknownWord(
      first,
      commands.map((command) => name(command)[0]!),
      'atelier',
    );
  if (second === undefined || second === '--help' || second === '-h') return { group: first };
  throw unknownWord(
    second,
    members.map((command) => name(command)[1]!),
    `atelier ${first}`,
  );
}

const name = ({ name }: Command): string[] => name.split(' ');

function unknownWord(word: string, names: readonly string[], before: string): UsageError {
  const guess = closest(word, names)[0];
  return new UsageError(
    `There is no command "${before} ${word}".${guess ? ` Did you mean "${before} ${guess}"?` : ''} See: ${before} --help`,
  );
}
