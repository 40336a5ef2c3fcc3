import type { World } from './world.ts';

/** `--name`, or `--name <value>`. */
export interface Switch {
  readonly meaning: string;
  /** Placeholder of the value in help. Absent: the switch has no value. */
  readonly value?: string;
}

export type Switches = Readonly<Record<string, Switch>>;

/** Arguments after the command name. */
export interface Typed<S extends Switches = Switches> {
  readonly words: readonly string[];
  readonly values: { readonly [Name in keyof S]?: S[Name] extends { value: string } ? string : boolean };
}

/** One command. Help, completion and the errors about unknown words are derived from it. */
export interface Command<S extends Switches = Switches> {
  /** As typed; a command of a group has two words. */
  readonly name: string;
  readonly summary: string;
  /** Positional arguments in the notation of help: `<one>`, `[<at most one>]`, `<one or more>…`. */
  readonly words: string;
  /** One example command line, for help. */
  readonly example: string;
  readonly switches: S;
  /**
   * The switches shown in help if there are too many for a screen; the notes say where the others are listed.
   * Absent: all.
   */
  readonly shown?: readonly string[];
  /** Flags of a tool follow, which the command parses itself. */
  readonly takesToolFlags?: true;
  /** Type of the first argument, for completion. */
  readonly firstWord?: 'tool' | 'command' | readonly string[];
  /** Additional help text. */
  readonly notes?: string;
  /** Prints help that depends on the words. Absent: help derived from this value. */
  help?(words: readonly string[], world: World): Promise<number>;
  /**
   * Runs the command and returns the exit code. @throws UsageError
   * @param commands all commands, for commands about commands
   */
  run(typed: Typed<S>, world: World, commands: readonly Command[]): Promise<number>;
}

/** Preserves the names of the switches as types. */
export const defineCommand = <const S extends Switches>(command: Command<S>): Command =>
  command as unknown as Command;

/** Minimum and maximum number of positional arguments. */
export function wordsBounds({ words }: Pick<Command, 'words'>): { min: number; max: number } {
  const required = words.replaceAll(/\[[^\]]*\]/g, '').match(/<[^>]+>/g) ?? [];
  const all = words.match(/<[^>]+>/g) ?? [];
  return { min: required.length, max: words.includes('…') ? Number.POSITIVE_INFINITY : all.length };
}
