import { AtelierError } from '../errors.ts';
import type { Results } from '../services/results/index.ts';

const PREFIX = 'atelier://results/';

/** Shown by resources/templates/list: the way to a result for a client that cannot follow links. */
export const RESULT_TEMPLATE = {
  uriTemplate: `${PREFIX}{id}`,
  name: 'result',
  title: 'Result of a tool',
  description: 'The bytes behind result:<id>, kept for 24 hours.',
};

interface ResourceContents {
  [key: string]: unknown;
  uri: string;
  mimeType: string;
}

/** The bytes as base64, or as text where they are text. @throws AtelierError result_not_found */
export async function readResult(
  results: Results,
  uri: string,
): Promise<ResourceContents & ({ blob: string } | { text: string })> {
  if (!uri.startsWith(PREFIX))
    throw new AtelierError('result_not_found', `Nothing is kept under ${uri.slice(0, 200)}.`);
  const { bytes, contentType } = await results.open(uri.slice(PREFIX.length));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isText(contentType)
    ? { uri, mimeType: contentType, text: buffer.toString('utf8') }
    : { uri, mimeType: contentType, blob: buffer.toString('base64') };
}

const isText = (contentType: string): boolean => /^text\/|[/+](json|xml)\b/.test(contentType);
