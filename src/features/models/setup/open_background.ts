import { join } from 'node:path';
import type { BaseLogger } from 'pino';
import type { Config } from '../../../config/config.ts';
import type { Leases } from '../../../core/cluster/leases/leases.ts';
import { holdLock } from '../../../core/database/process_lock.ts';
import type { Database } from '../../../core/database/types.ts';
import { makeFolder } from '../../../core/storage/blobs/disk.ts';
import { MUSEUM_NAMES, type MuseumName } from '../../artworks/museums/museums.ts';
import { smallestDownloadOf } from '../manifest.ts';
import type { ModelState, Models } from '../types.ts';
import { isRecommended, namesMeant, offerNames } from './offers.ts';
import { type Background, pullInBackground } from './pull_in_background.ts';
import { installedNames } from './require_fetchable.ts';
import { runSetup } from './run_setup.ts';
import type { Offer } from './types.ts';

interface BackgroundDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly models: Pick<Models, 'list'>;
  readonly logger: BaseLogger;
}

const FIRST: Offer['name'] = 'isnet_general';

/** Names in MODELS_PULL and MUSEUMS_PULL. @throws Error for an unknown name */
export const wantedOf = ({
  MODELS_PULL,
  MUSEUMS_PULL,
}: Pick<Config, 'MODELS_PULL' | 'MUSEUMS_PULL'>): Offer['name'][] => [
  ...namesIn('MODELS_PULL', MODELS_PULL, (name) => !isMuseum(name)),
  ...namesIn('MUSEUMS_PULL', MUSEUMS_PULL, isMuseum),
];

/** Downloads what the settings name, in the background. @throws Error for an unknown name */
export function openBackground(
  config: Config,
  { database, leases, models, logger }: BackgroundDeps,
): Background & {
  /** Line for the operator with the pending downloads; undefined where there are none. */
  announcement(): Promise<string | undefined>;
} {
  const { DATA_DIR: dataDir } = config;
  // Background removal gains most from its model.
  const wanted = wantedOf(config).sort((one, other) => Number(other === FIRST) - Number(one === FIRST));
  const background = pullInBackground({
    wanted,
    logger,
    here: () => installedNames(database, models),
    hold: (name, lost) => (isMuseum(name) ? leases.hold(`museum ${name}`, lost) : holdModels(dataDir)),
    run: (name, watch) => runSetup(name, { dataDir, ...watch }),
  });
  return { ...background, announcement: async () => announce(wanted, await models.list()) };
}

/**
 * Locks the models of a data folder. Models are files, not rows: servers that share a folder take turns, and servers with separate
 * folders download separately.
 */
export async function holdModels(dataDir: string): Promise<(() => Promise<void>) | undefined> {
  const folder = join(dataDir, 'models');
  await makeFolder(folder);
  try {
    const release = holdLock(join(folder, 'background.lock'), () => new HeldElsewhere());
    return async () => release();
  } catch (error) {
    if (error instanceof HeldElsewhere) return undefined;
    throw error;
  }
}

/** Another server is downloading to the same folder. */
class HeldElsewhere extends Error {}

function announce(wanted: readonly Offer['name'][], states: readonly ModelState[]): string | undefined {
  const missing = states.filter(({ name, installed }) => wanted.includes(name) && !installed);
  if (missing.length === 0) return undefined;
  // One package may contain several models.
  const downloads = new Map<string, number>();
  for (const { entry } of missing) {
    const download = smallestDownloadOf(entry);
    if (download) downloads.set(download.from, download.bytes);
  }
  const bytes = [...downloads.values()].reduce((sum, size) => sum + size, 0);
  const licences = [...new Set(missing.map(({ licence }) => licence))].sort().join(', ');
  const names = missing.map(({ name }) => name).join(', ');
  const networks = missing.length === 1 ? 'network' : 'networks';
  return `Downloading ${missing.length} ${networks} in the background (${Math.round(bytes / 1e6)} MB, licences ${licences}): ${names}. MODELS_PULL=none turns this off.`;
}

const isMuseum = (name: string): name is MuseumName => MUSEUM_NAMES.some((museum) => museum === name);

/** Parses the names in a setting. @throws Error for an unknown name */
function namesIn(
  setting: string,
  items: readonly string[],
  belongs: (name: string) => boolean,
): Offer['name'][] {
  const offered = offerNames().filter(belongs);
  if (items.includes('none')) {
    if (items.length === 1) return [];
    throw new Error(`${setting}: "none" cannot be combined with other names.`);
  }
  return [
    ...new Set(
      items.flatMap((item) => {
        if (item === 'recommended') return offered.filter(isRecommended);
        if (item === 'all') return offered;
        const found = namesMeant(item).filter(belongs);
        if (found.length > 0) return found;
        throw new Error(
          `${setting}: "${item.slice(0, 60)}" is unknown. Available: none, recommended, all, ${offered.join(', ')}.`,
        );
      }),
    ),
  ];
}
