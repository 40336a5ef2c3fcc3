import type { Health } from '../../features/operator/health/health.ts';
import type { Services } from '../../features/services.ts';

/** Server figures shown on the home page. */
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

/** Cache time, so that the load on the database does not depend on page views. */
const KEPT_MS = 10_000;

/** Cached figures, refreshed by one request at a time; a failed refresh is retried by the next request. */
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
