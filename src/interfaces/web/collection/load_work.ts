import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { SIMILARITY_CRITERIA, type SimilarityCriterion } from '../../../features/artworks/limits.ts';
import type { Artworks } from '../../../features/artworks/types.ts';
import { extractPalette } from '../../../features/images/tools/extract_palette.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import type { Visit } from '../types.ts';
import { findWorks } from './found_works.ts';
import { ALIKE_WORKS, MUSEUM_WAIT_MS, NEAR_WORKS } from './limits.ts';
import { searchQueryFields } from './search_query.ts';
import { type GridWork, gridWork } from './work_grid.ts';

export type Work = Awaited<ReturnType<Artworks['complete']>>;
type Color = z.output<typeof extractPalette.output>['colors'][number];

/** A work with the image data available within the wait limit. */
export interface LoadedWork {
  readonly work: Work;
  readonly picture: WorkPicture;
  /** Sorted by share, descending. Unset: not extracted yet. */
  readonly colors?: readonly Color[];
  readonly near: readonly GridWork[];
  /** Similar works by aspect; aspects without a result in time are omitted. */
  readonly alike: readonly { readonly by: SimilarityCriterion; readonly works: readonly GridWork[] }[];
}

export interface WorkPicture {
  /** Path of the IIIF image service, without a trailing slash. Unset: IIIF is disabled. */
  readonly service?: string;
  /** Path of a large image. */
  readonly large: string;
  /** Size of the stored image in px. Unset: not downloaded yet. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Sentence that explains a missing image. */
  readonly problem?: string;
}

/** Reads a work and completes it from its museum within MUSEUM_WAIT_MS. @throws AtelierError artwork_not_found */
export async function loadWork(id: string, visit: Visit): Promise<LoadedWork> {
  const { artworks } = visit.studio.context.services;
  const work = (await withinWait(artworks.complete(id))) ?? (await artworks.find(id));
  const [picture, colors, near, alike] = await Promise.all([
    seePicture(id, visit),
    seeColors(id, visit),
    artworks.others(work.record, NEAR_WORKS),
    Promise.all(SIMILARITY_CRITERIA.map(async (by) => ({ by, works: await seeAlike(id, by, visit) }))),
  ]);
  return {
    work,
    picture,
    ...(colors && { colors }),
    near: near.map(({ record }) => gridWork(record, artworks)),
    alike: alike.filter(({ works }) => works.length > 0),
  };
}

/** Paths and size of the image of a work; without a size if the image does not arrive in time. */
export async function seePicture(id: string, { studio, call }: Visit): Promise<WorkPicture> {
  const { iiif, artworks } = studio.context.services;
  const large = pathOf(artworks.link(id, 'large').url);
  try {
    const service = pathOf(iiif.service(id, 3));
    const info = (await withinWait(iiif.info(id, 3, call))) as
      | { readonly width: number; readonly height: number }
      | undefined;
    return { service, large, ...(info && { size: { width: info.width, height: info.height } }) };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    // IIIF may be disabled; the image is available without it.
    return error.code === 'not_found' ? { large } : { large, problem: error.message };
  }
}

/** Calls extract_palette on behalf of the visitor; undefined if it fails or takes too long. */
async function seeColors(id: string, { studio, caller }: Visit): Promise<readonly Color[] | undefined> {
  try {
    const input = { image: `artwork:${id}` };
    const answer = await withinWait(callTool(studio.context, extractPalette.name, input, caller));
    return answer && (answer.body as unknown as { colors: readonly Color[] }).colors;
  } catch (error) {
    if (error instanceof AtelierError) return undefined;
    throw error;
  }
}

/** Searches on behalf of the visitor; empty if the search fails or takes too long. */
async function seeAlike(id: string, by: SimilarityCriterion, visit: Visit): Promise<readonly GridWork[]> {
  const asked = searchQueryFields.parse({ like: `artwork:${id}`, like_by: by });
  try {
    const found = await withinWait(findWorks(asked, visit));
    return found && 'works' in found ? found.works.slice(0, ALIKE_WORKS) : [];
  } catch (error) {
    if (error instanceof AtelierError) return [];
    throw error;
  }
}

/** Result within the wait limit, else undefined; the work continues, so that the next request finds it done. */
function withinWait<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, setTimeout(MUSEUM_WAIT_MS, undefined, { ref: false })]);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
