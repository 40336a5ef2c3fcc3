import type { z } from 'zod';
import { SETTINGS } from './settings.ts';

export type Config = { [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name][0]> };

/** Values of settings as text, as the environment has them. */
export type SettingTexts = Partial<Record<keyof typeof SETTINGS, string>>;

/**
 * Reads all settings at once. Empty values count as absent.
 * @throws Error naming every bad setting with what it should be
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, [check, meaning]]) => {
    const result = check.safeParse(environment[name] || undefined);
    if (!result.success) problems.push(`${name}: ${result.error.issues[0]?.message}. ${meaning}`);
    return [name, result.data];
  });
  if (problems.length > 0) throw new Error(`Some settings need correcting:\n  ${problems.join('\n  ')}`);
  return Object.fromEntries(entries) as Config;
}

/** Puts settings before those of the environment, for whatever this process reads from now on. */
export const overrideSettings = (texts: SettingTexts): void => void Object.assign(process.env, texts);

/** Whether STORAGE_URL could be that address. */
export const isBucketAddress = (address: string): boolean =>
  SETTINGS.STORAGE_URL[0].safeParse(address).success;

/** Settings that are shown to nobody and typed into no command line, which every user of the machine can read. */
export const isSecret = (name: string): boolean => /SECRET|_(KEY|TOKEN|HEADERS)$|DATABASE_URLS?$/.test(name);

/** What the command line takes from the environment; flags go before. */
export interface CliSettings {
  /** ATELIER_URL: server to call instead of one on this machine. */
  readonly url?: string | undefined;
  /** ATELIER_WALLET: wallet that pays, as address, or as session or key (atl_…), which other users of the machine do not see here. */
  readonly wallet?: string | undefined;
}

export const readCliSettings = (
  environment: Record<string, string | undefined> = process.env,
): CliSettings => ({
  url: environment.ATELIER_URL || undefined,
  wallet: environment.ATELIER_WALLET || undefined,
});
