import { type Config, isSecret, type SettingTexts } from '../../config/config.ts';
import { SETTINGS } from '../../config/settings.ts';
import type { Switch, Switches } from './command.ts';
import { UsageError } from './usage_error.ts';
import type { World } from './world.ts';

type Name = keyof typeof SETTINGS;

/** Converts `DATA_DIR` to `--data-dir`, with the description and default of the settings table. */
export const settingSwitches = (names: readonly Name[]): Switches =>
  Object.fromEntries(
    names.map((name) => {
      const [check, meaning] = SETTINGS[name];
      const unset = check.safeParse(undefined).data;
      const isStated = unset !== undefined && unset !== '' && !Array.isArray(unset);
      // A setting that accepts "true" as true is a switch; every other setting takes a value.
      const isFlag = check.safeParse('true').data === true;
      return [
        name.toLowerCase().replaceAll('_', '-'),
        {
          meaning: isStated && !isFlag ? `${meaning} Default: ${unset}.` : meaning,
          ...(!isFlag && { value: `<${name.toLowerCase().split('_').at(-1)}>` }),
        },
      ];
    }),
  );

/** For commands that work in the folder of a server. */
export const DATA_SWITCH = settingSwitches(['DATA_DIR']) as { readonly 'data-dir': Required<Switch> };

/** All settings except secrets, which belong in the environment. */
export const PUBLIC_SETTINGS = (Object.keys(SETTINGS) as Name[]).filter((name) => !isSecret(name));

/** Settings that a first start may need; `atelier config` lists all. */
export const FIRST_SETTINGS = [
  'port',
  'host',
  'public-url',
  'data-dir',
  'storage-url',
  'models-pull',
  'museums-pull',
  'live-works',
  'trusted-proxies',
  'jobs-here',
  'log-level',
];

/** Converts typed switches to environment variables. */
export function settingsOf(values: Readonly<Record<string, string | boolean | undefined>>): SettingTexts {
  const texts = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name.toUpperCase().replaceAll('-', '_'), String(value)] as const)
    .filter(([name]) => Object.hasOwn(SETTINGS, name));
  return Object.fromEntries(texts);
}

/** @throws UsageError that names every invalid setting */
export function configOf(values: Parameters<typeof settingsOf>[0], world: World): Config {
  try {
    return world.readConfig(settingsOf(values));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
