import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { asAtelierError } from '../../../pipeline/errors.ts';
import { recordClientError } from '../../../pipeline/observe.ts';
import { assets } from './assets.ts';
import { guides } from './guides.ts';
import { results } from './results.ts';
import { toolSchemas } from './tool_schemas.ts';
import type { Contents, Listed, Reader, ResourceKind } from './types.ts';
import { views } from './views.ts';
import { works } from './works.ts';

/** @throws ProtocolError, see `asProtocolError` */
export function readResource(uri: string, reader: Reader): Promise<Contents> {
  return told(uri, reader, async () => {
    const kind = resourceKinds.find(({ prefix }) => uri.startsWith(prefix));
    if (!kind) throw new AtelierError('result_not_found', `Resource ${uri.slice(0, 200)} not found.`);
    return kind.read(uri.slice(kind.prefix.length), uri, reader);
  });
}

/**
 * Resources that need no id: the guides, and the stored files of the client's own wallet. @throws
 * ProtocolError
 */
export function listResources(reader: Reader): Promise<Listed[]> {
  return told('atelier://', reader, async () => {
    const lists = await Promise.all(resourceKinds.map((kind) => kind.list?.(reader) ?? []));
    return lists.flat();
  });
}

async function told<T>(uri: string, { context, caller }: Reader, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { address, requestId } = caller;
    await recordClientError(context, asAtelierError(error), { address, requestId, about: 'resources' });
    throw asProtocolError(error, uri);
  }
}

/**
 * Maps not found to the protocol's error; other client errors keep their code and members; server errors
 * become internal error.
 */
function asProtocolError(error: unknown, uri: string): unknown {
  if (!(error instanceof AtelierError)) return error;
  if (error.status === 404) return new ResourceNotFoundError(uri, error.message);
  const { code, message, details } = error;
  const isOurs = error.status >= 500;
  return new ProtocolError(
    isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
    message,
    { code, retry_after_s: details.retryAfterSeconds, ...details.members },
  );
}

/** All kinds of resources. */
export const resourceKinds: readonly ResourceKind[] = [guides, works, assets, results, toolSchemas, views];
