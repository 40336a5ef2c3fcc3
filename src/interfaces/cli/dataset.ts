import { closest } from '../../catalog/closest.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { MUSEUM_NAMES, type MuseumName } from '../../features/artworks/museums/museums.ts';
import type { OpenedDataset } from '../../features/artworks/open_dataset.ts';
import { type ProgressView, progressView } from './progress.ts';
import { configOf } from './setting_switches.ts';
import { replaceControls } from './terminal.ts';
import { UsageError } from './usage_error.ts';
import type { World } from './world.ts';

/** Works on the dataset, shows progress, and prints expected failures as one sentence. */
export async function withDataset(
  values: Parameters<typeof configOf>[0],
  world: World,
  work: (dataset: OpenedDataset, view: ProgressView) => Promise<number>,
): Promise<number> {
  const { stderr } = world.terminal;
  const dataset = await world.openDataset(configOf(values, world));
  const view = progressView(stderr);
  try {
    return await work(dataset, view);
  } catch (error) {
    view.clear();
    if (!isExpected(error as Error)) throw error;
    stderr.write(`${replaceControls((error as Error).message)}\n`);
    return 1;
  } finally {
    await dataset.close();
  }
}

/** A failure whose message is sufficient, without a stack. */
export const isExpected = (error: Error & { code?: string }): boolean =>
  error instanceof AtelierError || error.name === 'SourceProblem' || error.code === 'ENOENT';

/** @throws UsageError with the closest name */
export function requireMuseum(word: string): MuseumName {
  const found = MUSEUM_NAMES.find((name) => name === word);
  if (found) return found;
  const guess = closest(word, MUSEUM_NAMES)[0];
  throw new UsageError(
    `There is no museum "${word}".${guess ? ` Did you mean ${guess}?` : ''} Available: ${MUSEUM_NAMES.join(', ')}.`,
  );
}
