import type { DataItem } from '@atelier/imaging/permanent/arweave/data_item.ts';
import type { BaseLogger } from 'pino';
import { USER_AGENT } from '../../../config/program.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';

const BUNDLER_ANSWER_BYTES_MAX = 64 * 1024;

/** Timeout per item. A file and its record are two items. */
const ARWEAVE_UPLOAD_TIMEOUT_MS = 25_000;

interface Upload {
  /** Set by the operator, so it may be in a private network. */
  readonly url: string;
  readonly signal: AbortSignal;
  readonly logger: Pick<BaseLogger, 'warn'>;
}

/** Status with which bundlers report that an item already exists; some send no body. */
const HAS_IT = 202;

/**
 * Uploads a signed item to a bundler, which must confirm its id.
 * @throws AtelierError upstream_failed; the cause is logged
 */
export async function uploadItem({ id, parts }: DataItem, { url, signal, logger }: Upload): Promise<void> {
  const reason = await post(url, parts, signal).then(
    ({ status, id: named }) => {
      if (status === HAS_IT && named === undefined) return undefined;
      if (status < 200 || status > 299) return `the bundler returned status ${status}`;
      return named === id ? undefined : 'the bundler did not return the id of the uploaded item';
    },
    ({ cause, name, message }) => (cause as { code?: string })?.code ?? `${name}: ${message}`,
  );
  if (reason === undefined) return;
  logger.warn({ item: id, reason }, 'an upload to Arweave failed');
  throw new AtelierError(
    'upstream_failed',
    'Arweave did not accept the file, so it was not stored. You were not charged. Try again later.',
  );
}

async function post(url: string, parts: readonly Uint8Array[], signal: AbortSignal) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'user-agent': USER_AGENT },
    body: new Blob([...parts] as Uint8Array<ArrayBuffer>[]),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ARWEAVE_UPLOAD_TIMEOUT_MS)]),
  });
  return { status: response.status, id: idIn(await textOf(response)) };
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > BUNDLER_ANSWER_BYTES_MAX)
      throw new Error(`the response has more than ${BUNDLER_ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function idIn(text: string): string | undefined {
  try {
    return (parseBoundedJson(text) as { id?: string } | null)?.id;
  } catch {
    return undefined;
  }
}
