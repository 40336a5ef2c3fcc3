import type { BaseLogger } from 'pino';
import type { Config } from '../../../config/config.ts';
import type { Leases } from '../../../core/cluster/leases/types.ts';
import type { Database } from '../../../core/database/types.ts';
import { MUSEUM_NAMES, type MuseumName } from '../../artworks/museums/museums.ts';
import type { Models } from '../types.ts';
import { namesHere } from './names_here.ts';
import { isRecommended, namesMeant, offerNames } from './offers.ts';
import { type Background, pullInBackground } from './pull_in_background.ts';
import { runSetup } from './run_setup.ts';
import type { Offer } from './types.ts';

interface BackgroundDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly models: Pick<Models, 'list'>;
  readonly logger: BaseLogger;
}

/** What MODELS_PULL and MUSEUMS_PULL name. @throws Error for a name there is not */
export const wantedOf = ({ MODELS_PULL, MUSEUMS_PULL }: Config): Offer['name'][] => [
  ...namesIn('MODELS_PULL', MODELS_PULL, (name) => !isMuseum(name)),
  ...namesIn('MUSEUMS_PULL', MUSEUMS_PULL, isMuseum),
];

/** Fetches what the settings name. @throws Error for a name there is not */
export function openBackground(
  config: Config,
  { database, leases, models, logger }: BackgroundDeps,
): Background {
  const { DATA_DIR: dataDir } = config;
  return pullInBackground({
    wanted: wantedOf(config),
    logger,
    here: () => namesHere(database, models),
    hold: async (name, lost) =>
      // Networks are files of this folder, which one process at a time sets up anyway.
      isMuseum(name) ? leases.hold(`museum ${name}`, lost) : async () => {},
    run: (name, signal) => runSetup(name, { dataDir, signal }),
  });
}

const isMuseum = (name: string): name is MuseumName => MUSEUM_NAMES.some((museum) => museum === name);

/** @throws Error */
function namesIn(
  setting: string,
  items: readonly string[],
  belongs: (name: string) => boolean,
): Offer['name'][] {
  const offered = offerNames().filter(belongs);
  return [
    ...new Set(
      items.flatMap((item) => {
        if (item === 'recommended') return offered.filter(isRecommended);
        const found = namesMeant(item).filter(belongs);
        if (found.length > 0) return found;
        throw new Error(
          `${setting}: "${item.slice(0, 60)}" is none of them. There are: recommended, ${offered.join(', ')}.`,
        );
      }),
    ),
  ];
}
