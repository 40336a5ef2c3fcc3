import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { cookieIn } from '../cookies.ts';
import type { Visit } from '../types.ts';
import { RESULTS_OFFERED_MAX, RUNS_REMEMBERED_MAX } from './limits.ts';
import { readRuns } from './read_runs.ts';
import type { Made } from './slug.ts';

/** Ids of the latest runs of this browser, newest first. HttpOnly; reading a run is authorised like any job. */
const COOKIE = 'atelier_runs';
const LIFETIME_SECONDS = 86_400;
const BETWEEN = '.';

/** A result that can be reused as input. */
export interface EarlierResult {
  /** `result:…` */
  readonly handle: string;
  /** Name of the tool that made it. */
  readonly tool: string;
  readonly contentType: string;
}

/** Set-Cookie value with the new runs before the earlier ones. */
export function runsCookie({ call, studio: { publicUrl } }: Visit, started: readonly string[]): string {
  const ids = [...new Set([...started, ...rememberedIn(call.header('cookie'))])];
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const value = ids.slice(0, RUNS_REMEMBERED_MAX).join(BETWEEN);
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFETIME_SECONDS}${secure}`;
}

/** Ids of the latest runs of this browser, newest first. */
export const rememberedRuns = ({ call }: Pick<Visit, 'call'>): readonly string[] =>
  rememberedIn(call.header('cookie'));

/** File results of these runs that the visitor may still read. */
export async function earlierResults(visit: Visit): Promise<readonly EarlierResult[]> {
  const ids = rememberedRuns(visit).slice(0, RESULTS_OFFERED_MAX);
  // If the list cannot be read, the form works without it.
  const runs = await readRuns(visit, ids).catch(nothingRefused);
  return runs.flatMap(({ job }) => {
    const { result: handle, content_type: contentType = '' } = (job?.result ?? {}) as Made;
    return job && handle ? [{ handle, tool: job.tool, contentType }] : [];
  });
}

const rememberedIn = (cookies: string | undefined): readonly string[] =>
  (cookieIn(cookies, COOKIE) ?? '')
    .split(BETWEEN)
    .filter((id) => /^job_\w{1,80}$/.test(id))
    .slice(0, RUNS_REMEMBERED_MAX);

function nothingRefused(error: unknown): [] {
  if (error instanceof AtelierError) return [];
  throw error;
}
