import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { LIKENESSES, type Likeness } from '../../../features/artworks/limits.ts';
import type { Artworks } from '../../../features/artworks/types.ts';
import { extractPalette } from '../../../features/images/tools/extract_palette.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import type { Visit } from '../types.ts';
import { askedFields } from './asked.ts';
import { findWorks } from './found_works.ts';
import { type HungWork, hungWork } from './hung_work.ts';
import { ALIKE_WORKS, MUSEUM_WAIT_MS, NEAR_WORKS } from './limits.ts';

export type Work = Awaited<ReturnType<Artworks['complete']>>;
type Color = z.output<typeof extractPalette.output>['colors'][number];

/** A work with whatever can be said of its picture without keeping anybody waiting. */
export interface SeenWork {
  readonly work: Work;
  readonly picture: WorkPicture;
  /** The largest share first; absent: not measured yet. */
  readonly colors?: readonly Color[];
  readonly near: readonly HungWork[];
  /** Works that are like it in one way each; ways in which nothing is known in time are left out. */
  readonly alike: readonly { readonly by: Likeness; readonly works: readonly HungWork[] }[];
}

export interface WorkPicture {
  /** Path of the picture as an image service (IIIF), without a slash at its end; absent where this server has none. */
  readonly service?: string;
  /** Path of a picture large enough for a page. */
  readonly large: string;
  /** In pixels, of the picture that is here; absent: it has not come yet. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Why there is none: a sentence. */
  readonly problem?: string;
}

/** Looks at a work; its museum is asked where that helps, and waited for only so long. @throws AtelierError artwork_not_found */
export async function seeWork(id: string, visit: Visit): Promise<SeenWork> {
  const { artworks } = visit.studio.kit.services;
  const work = (await withinWait(artworks.complete(id))) ?? (await artworks.find(id));
  const [picture, colors, near, alike] = await Promise.all([
    seePicture(id, visit),
    seeColors(id, visit),
    artworks.others(work.record, NEAR_WORKS),
    Promise.all(LIKENESSES.map(async (by) => ({ by, works: await seeAlike(id, by, visit) }))),
  ]);
  return {
    work,
    picture,
    ...(colors && { colors }),
    near: near.map(({ record }) => hungWork(record, artworks)),
    alike: alike.filter(({ works }) => works.length > 0),
  };
}

/** How the picture of a work can be shown. Where it does not come in time, its size is left out. */
export async function seePicture(id: string, { studio, call }: Visit): Promise<WorkPicture> {
  const { iiif, artworks } = studio.kit.services;
  const large = pathOf(artworks.link(id, 'large').url);
  try {
    const service = pathOf(iiif.service(id, 3));
    const info = (await withinWait(iiif.info(id, 3, call))) as
      | { readonly width: number; readonly height: number }
      | undefined;
    return { service, large, ...(info && { size: { width: info.width, height: info.height } }) };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    // IIIF may be switched off; the picture is there without it.
    return error.code === 'not_found' ? { large } : { large, problem: error.message };
  }
}

/** As the free tool measures them, in the name of the visitor; where it cannot just now, a page does without. */
async function seeColors(id: string, { studio, caller }: Visit): Promise<readonly Color[] | undefined> {
  try {
    const input = { image: `artwork:${id}` };
    const answer = await withinWait(callTool(studio.kit, extractPalette.name, input, caller));
    return answer && (answer.body as unknown as { colors: readonly Color[] }).colors;
  } catch (error) {
    if (error instanceof AtelierError) return undefined;
    throw error;
  }
}

/** In the name of the visitor; a page does without where the search is refused or takes too long. */
async function seeAlike(id: string, by: Likeness, visit: Visit): Promise<readonly HungWork[]> {
  const asked = askedFields.parse({ like: `artwork:${id}`, like_by: by });
  try {
    const found = await withinWait(findWorks(asked, visit));
    return found && 'works' in found ? found.works.slice(0, ALIKE_WORKS) : [];
  } catch (error) {
    if (error instanceof AtelierError) return [];
    throw error;
  }
}

/** What comes of it in time; undefined: it goes on without us, so that the next who asks finds it done. */
function withinWait<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, setTimeout(MUSEUM_WAIT_MS, undefined, { ref: false })]);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
