import type { Context } from 'hono';
import { routePath } from 'hono/route';

/** The path of a request as it is documented, without what a caller has put into it: `/api/jobs/{id}`; undefined where nothing is served. */
export function documentedRoute(c: Context): string | undefined {
  const route = routePath(c, -1);
  return route.endsWith('*') ? undefined : route.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');
}
