import { unknownTool } from '../../catalog/unknown_tool.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { AnyOperation } from '../../features/definitions/operation.ts';
import type { PipelineContext } from '../../pipeline/types.ts';

interface Routes {
  readonly kit: PipelineContext;
  readonly operations: readonly AnyOperation[];
  readonly mounts: Readonly<Record<string, unknown>>;
}

/** What is served at a path; nothing where nothing is. */
export function methodsAt({ kit, operations, mounts }: Routes, path: string): string[] {
  const [, tool] = TOOL_PATH.exec(path) ?? [];
  if (tool) return kit.services.catalogue.find(tool) ? ['POST'] : [];
  if (Object.hasOwn(mounts, path)) return ['POST'];
  const methods = operations
    .filter((operation) => pathPattern(operation.path).test(path))
    .flatMap((operation) => operation.methods);
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)];
}

/** A path we know with another method is 405 with Allow; anything else is 404. */
export function nothingHere(
  routes: Routes,
  { method, path }: { readonly method: string; readonly path: string },
): AtelierError {
  const allowed = methodsAt(routes, path);
  if (allowed.length === 0) {
    const [, tool] = TOOL_PATH.exec(path) ?? [];
    if (tool) return unknownTool(routes.kit.services.catalogue, tool);
    return new AtelierError(
      'not_found',
      `Nothing is served at ${path.slice(0, 200)}. See /openapi.json for every path.`,
    );
  }
  const allow = allowed.join(', ');
  return new AtelierError('method_not_allowed', `${path.slice(0, 200)} takes ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  });
}

const TOOL_PATH = /^\/api\/tools\/([^/]+)$/;

/** `/a/{b}/{c}` → `/a/:b/:c{.+}`: the last parameter may hold slashes (asset keys do). */
export const honoPath = (path: string): string =>
  path.replace(/\{(\w+)\}$/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');

const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{\w+\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );
