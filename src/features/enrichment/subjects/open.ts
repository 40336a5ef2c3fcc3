import { join } from 'node:path';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import type { BaseLogger } from 'pino';
import type { Config } from '../../../config/config.ts';
import { openPixels } from '../../../core/workers/open.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { openModels } from '../../models/open.ts';
import type { Models } from '../../models/types.ts';
import { createKeptTerms } from './kept_terms.ts';
import { namingText } from './naming_text.ts';
import { readLabels } from './read_labels.ts';
import { createSubjects } from './subjects.ts';
import type { LabelledPicture, Subjects } from './types.ts';

interface Parts {
  readonly models: Pick<Models, 'embedder'>;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly logger: BaseLogger;
}

/** What the pair of encoders names, for a server. */
export const openSubjects = (
  { DATA_DIR: folder }: Pick<Config, 'DATA_DIR'>,
  { models, pixels, logger }: Parts,
): Subjects =>
  createSubjects({
    ...{ models, pixels, kept: createKeptTerms(join(folder, 'models', 'terms')) },
    note: (state) =>
      logger.info({ state: state.kind }, `subjects by words and pictures: ${namingText(state)}`),
  });

/** The same for the command line, with processes of its own. */
export function openOwnSubjects(config: Config): OpenedSubjects {
  const pixels = openPixels(config);
  const note = () => {};
  const kept = createKeptTerms(join(config.DATA_DIR, 'models', 'terms'));
  const { calibrate, state } = createSubjects({ models: openModels(config), pixels, kept, note });
  return {
    calibrate,
    describe: async () => namingText(await state()),
    readLabels: (path, folder) => readLabels(path, folder, SUBJECT_TERMS),
    close: () => pixels.close(),
  };
}

export interface OpenedSubjects extends Pick<Subjects, 'calibrate'> {
  /** How far the pair of encoders is. */
  describe(): Promise<string>;
  /** @throws LabelsError naming the line */
  readLabels(path: string, folder: string): Promise<LabelledPicture[]>;
  close(): Promise<void>;
}
