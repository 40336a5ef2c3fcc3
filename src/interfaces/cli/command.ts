import type { World } from './world.ts';

/** `--name`, or `--name <value>`. */
export interface Switch {
  readonly meaning: string;
  /** What its value is called in help. Absent: it takes none. */
  readonly value?: string;
}

export type Switches = Readonly<Record<string, Switch>>;

/** Arguments after the command name. */
export interface Typed<S extends Switches = Switches> {
  readonly words: readonly string[];
  readonly values: { readonly [Name in keyof S]?: S[Name] extends { value: string } ? string : boolean };
}

/** One command. Help, completion and the refusal of what it does not know are computed from it. */
export interface Command<S extends Switches = Switches> {
  /** As it is typed; one of a group has two words. */
  readonly name: string;
  readonly summary: string;
  /** Words it takes, as help shows them: `<one>`, `[<at most one>]`, `<one or more>…`. */
  readonly words: string;
  /** One line as it is typed, for help. */
  readonly example: string;
  readonly switches: S;
  /** Those of the switches that help shows, where there are too many for a screen; notes say where the others are. Absent: all. */
  readonly shown?: readonly string[];
  /** Flags of a tool follow; it reads what was typed itself. */
  readonly takesToolFlags?: true;
  /** Type of the first argument, for completion. */
  readonly firstWord?: 'tool' | 'command' | readonly string[];
  /** More for its help. */
  readonly notes?: string;
  /** Help that depends on the words. Absent: what is computed from this value. */
  help?(words: readonly string[], world: World): Promise<number>;
  /**
   * Returns the exit code. @throws UsageError
   * @param commands all there are, for a command about commands
   */
  run(typed: Typed<S>, world: World, commands: readonly Command[]): Promise<number>;
}

/** Keeps the names of the switches as types. */
export const defineCommand = <const S extends Switches>(command: Command<S>): Command =>
  command as unknown as Command;

/** How many words a command takes. */
export function wordsBounds({ words }: Pick<Command, 'words'>): { min: number; max: number } {
  const required = words.replaceAll(/\[[^\]]*\]/g, '').match(/<[^>]+>/g) ?? [];
  const all = words.match(/<[^>]+>/g) ?? [];
  return { min: required.length, max: words.includes('…') ? Number.POSITIVE_INFINITY : all.length };
}
