import type { Health } from '../../features/operator/health/types.ts';
import type { Services } from '../../features/services.ts';

/** How this server is, in the few numbers its first page shows. */
export interface LiveFigures {
  readonly jobsWaiting: number;
  readonly works: number;
  readonly checksFailing: number;
}

interface LiveFiguresDeps {
  readonly services: {
    readonly jobs: Pick<Services['jobs'], 'waiting'>;
    readonly artworks: { statistics(): Promise<{ readonly edition: { readonly works: number } }> };
  };
  readonly health: Pick<Health, 'check'>;
  readonly now?: () => number;
}

/** A first page that is looked at a hundred times a second asks the database as seldom as one that is looked at once. */
const KEPT_MS = 10_000;

/** The figures of a moment ago: asked for by one visitor at a time, and by the next where that failed. */
export function createLiveFigures({
  services,
  health,
  now = () => performance.now(),
}: LiveFiguresDeps): () => Promise<LiveFigures> {
  let kept: { readonly at: number; readonly figures: Promise<LiveFigures> } | undefined;
  const read = async (): Promise<LiveFigures> => {
    const [waiting, { edition }, checks] = await Promise.all([
      services.jobs.waiting(),
      services.artworks.statistics(),
      health.check(),
    ]);
    return {
      jobsWaiting: waiting.reduce((sum, { count }) => sum + count, 0),
      works: edition.works,
      checksFailing: Object.values(checks).filter((isWell) => isWell === false).length,
    };
  };
  return () => {
    if (kept && now() - kept.at < KEPT_MS) return kept.figures;
    const figures = read();
    kept = { at: now(), figures };
    figures.catch(() => {
      if (kept?.figures === figures) kept = undefined;
    });
    return figures;
  };
}
