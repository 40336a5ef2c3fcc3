import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { type NpmConfig, type Proxies, readNpmConfig, readProxies } from './npm_config.ts';
import { describeCommand, type Typed } from './own_command.ts';
import { PROGRAM_FOLDER, readProgram } from './program.ts';
import { SETTINGS } from './settings.ts';

/** npm configuration of this machine, for registry access. */
export const readOwnNpmConfig = (): NpmConfig => readNpmConfig(process.env);

/** Proxies of this machine's environment. */
export const ownProxies = (): Proxies => readProxies(process.env);

/**
 * A command of this program as it must be typed on this machine, for messages to its operator.
 * @param words the words after its name, quoted for a shell
 * @param typed absent: in any folder
 */
export const ownCommand = (words: string, typed?: Typed): string =>
  describeCommand(
    words,
    { root: PROGRAM_FOLDER, isImage: readProgram().isImage, environment: process.env, hostname: hostname() },
    typed,
  );

export type Config = { [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name][0]> };

/** Settings as text, as in the environment. */
export type SettingTexts = Partial<Record<keyof typeof SETTINGS, string>>;

/**
 * Reads all settings at once. Empty values count as absent.
 * @throws Error that names every invalid setting and its rule
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, [check, meaning]]) => {
    const result = check.safeParse(environment[name] || undefined);
    if (!result.success) {
      const sent = isSecret(name) ? '' : `, not "${environment[name]!.slice(0, SHOWN_CHARACTERS)}"`;
      problems.push(`${name}: ${ruleOf(result.error.issues[0]!)}${sent}. ${meaning}`);
    }
    return [name, result.data];
  });
  if (problems.length > 0) throw new Error(`Some settings need correcting:\n  ${problems.join('\n  ')}`);
  return Object.fromEntries(entries) as Config;
}

/** Characters of an invalid setting in a message. */
const SHOWN_CHARACTERS = 60;

/** The rule of a setting for a message; checks without a text of their own get that of the library. */
function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'must be a whole number' : 'must be a number';
    case 'too_small':
      return `must ${measure(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}`;
    case 'too_big':
      return `must ${measure(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}`;
    case 'invalid_value':
      return `must be ${issue.values.slice(0, -1).join(', ')} or ${String(issue.values.at(-1))}`;
    default:
      return issue.message;
  }
}

const measure = (origin: string, relation: string, bound: number | bigint): string =>
  origin === 'string' ? `have ${relation} ${bound} characters` : `be ${relation} ${bound}`;

/** Overrides environment variables for everything this process reads afterwards. */
export const overrideSettings = (texts: SettingTexts): void => void Object.assign(process.env, texts);

/** Whether this is a valid address for STORAGE_URL. */
export const isBucketAddress = (address: string): boolean =>
  SETTINGS.STORAGE_URL[0].safeParse(address).success;

/** Secrets: never displayed, and refused on the command line, which every user of the machine can read. */
export const isSecret = (name: string): boolean => /SECRET|_(KEY|TOKEN|HEADERS)$|DATABASE_URLS?$/.test(name);

/** Settings of the CLI from the environment; flags take precedence. */
export interface CliSettings {
  /** ATELIER_URL: remote server, instead of one on this machine. */
  readonly url?: string | undefined;
  /**
   * ATELIER_WALLET: paying wallet, as address, session or key (atl_…). Unlike a flag, it is hidden from other users of the machine.
   */
  readonly wallet?: string | undefined;
  /**
   * Data folder of `atelier mcp`, which clients start in any folder: DATA_DIR, else the user's application
   * data folder.
   */
  readonly dataDir: string;
}

export const readCliSettings = (
  environment: Record<string, string | undefined> = process.env,
): CliSettings => ({
  url: environment.ATELIER_URL || undefined,
  wallet: environment.ATELIER_WALLET || undefined,
  dataDir: environment.DATA_DIR || userDataFolder(environment),
});

function userDataFolder({ XDG_DATA_HOME, LOCALAPPDATA }: Record<string, string | undefined>): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Atelier');
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData/Local'), 'Atelier');
  return join(XDG_DATA_HOME || join(homedir(), '.local/share'), 'atelier');
}

/**
 * The environment of a server that runs as a separate process.
 * @param defaults settings that the environment does not set
 * @param fixed variables that override it
 */
export const serverEnvironment = (
  defaults: SettingTexts,
  fixed: Readonly<Record<string, string>>,
): Record<string, string | undefined> => ({ ...defaults, ...process.env, ...fixed });
