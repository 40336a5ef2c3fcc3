import { measureGroups, thresholdsOf } from '@atelier/imaging/vision/calibrate_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { InstalledEmbedder, Models } from '../../models/types.ts';
import type { KeptTerms } from './kept_terms.ts';
import { lookAtLabelled } from './look_at_labelled.ts';
import { createTermVectors, keyOf } from './term_vectors.ts';
import type { Calibration, NamingState, Subjects } from './types.ts';

interface Parts {
  readonly models: Pick<Models, 'embedder'>;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly kept: KeptTerms;
  /** Told once for each state a network is found in. */
  note(state: NamingState): void;
}

export function createSubjects({ models, pixels, kept, note }: Parts): Subjects {
  const vectors = createTermVectors(pixels, kept);
  const stopping = new AbortController();
  /** A network that gave no vectors is asked again by the next process. */
  let failed = '';
  let noted = '';
  return {
    async naming() {
      const network = await models.embedder();
      const calibration = network && (await kept.calibration(keyOf(network)));
      if (!calibration || isSilent(calibration)) return undefined;
      const terms = await kept.vectors(keyOf(network));
      return terms && { ...network, terms, thresholds: thresholdsOf(calibration.groups) };
    },
    state: async () => stateOf(await models.embedder(), kept),
    async prepare(max) {
      const network = await models.embedder();
      if (!network || failed === keyOf(network)) return 0;
      const state = await stateOf(network, kept);
      const words = `${keyOf(network)} ${JSON.stringify(state)}`;
      if (noted !== words) note(state);
      noted = words;
      if (state.kind === 'absent' || state.hasVectors) return 0;
      try {
        return await vectors.make(network, max, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return 0;
        if (!isPassing(error)) failed = keyOf(network);
        throw error;
      }
    },
    async calibrate(pictures, watch) {
      const network = await models.embedder();
      if (!network) throw notInstalled();
      const terms = await vectors.ready(network, watch);
      const seen = await lookAtLabelled(pixels, { ...network, terms, thresholds: {} }, pictures, watch);
      const groups = measureGroups(seen, SUBJECT_TERMS);
      const calibration = { network: network.name, pictures: seen.length, groups };
      await kept.keepCalibration(keyOf(network), calibration);
      return calibration;
    },
    stop: () => stopping.abort(),
  };
}

async function stateOf(network: InstalledEmbedder | undefined, kept: KeptTerms): Promise<NamingState> {
  if (!network) return { kind: 'absent' };
  const key = keyOf(network);
  const [vectors, calibration] = await Promise.all([kept.vectors(key), kept.calibration(key)]);
  const known = { network: network.name, hasVectors: vectors !== undefined };
  if (!calibration) return { kind: 'uncalibrated', ...known };
  return { kind: isSilent(calibration) ? 'silent' : 'speaking', ...known, calibration };
}

const isSilent = ({ groups }: Calibration): boolean => Object.keys(thresholdsOf(groups)).length === 0;

/** What another minute may mend. */
const isPassing = (error: unknown): boolean =>
  error instanceof AtelierError && ['busy', 'timed_out', 'storage_full'].includes(error.code);

const notInstalled = () =>
  new AtelierError(
    'model_unavailable',
    'No pair of encoders with its vocabulary is installed here, so there is nothing to calibrate. "atelier models pull tinyclip" brings it; without a network: atelier models add <file> --accept, for the graph and for its tokenizer.json.',
  );
