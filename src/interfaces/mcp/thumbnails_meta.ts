import { viewOf } from '../../catalog/tool_view.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { Services } from '../../features/services.ts';
import { THUMBNAILS_MAX } from './limits.ts';
import { THUMBNAILS_KEY } from './meta_keys.ts';

/**
 * Links to small pictures of the works an answer lists, for the view to show; a model is not shown `_meta`, and loses nothing, for it can
 * send `artwork:<credit_id>` to any tool. Nothing is fetched before somebody looks.
 */
export function thumbnailsMeta(
  { artworks }: Pick<Services, 'artworks'>,
  tool: AnyTool,
  body: Record<string, unknown>,
): Record<string, unknown> {
  if (viewOf(tool) !== 'contact_sheet') return {};
  const ids = Object.values(body)
    .filter(Array.isArray)
    .flat()
    .filter(hasPicture)
    .map(({ credit_id: id }) => id)
    .slice(0, THUMBNAILS_MAX);
  if (ids.length === 0) return {};
  return { [THUMBNAILS_KEY]: Object.fromEntries(ids.map((id) => [id, artworks.link(id, 'small').url])) };
}

interface Work {
  readonly credit_id: string;
  readonly image_available?: boolean;
  readonly download_url?: string | null;
}

function hasPicture(entry: unknown): entry is Work {
  if (typeof entry !== 'object' || entry === null) return false;
  const { credit_id: id, image_available: isThere, download_url: url } = entry as Partial<Work>;
  return typeof id === 'string' && (isThere === true || typeof url === 'string');
}
