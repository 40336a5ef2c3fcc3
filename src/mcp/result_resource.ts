import { AtelierError } from '../errors/atelier_error.ts';
import { BASE64_COPIES, RESOURCE_BYTES_MAX } from '../limits.ts';
import type { Results } from '../services/results/contract.ts';

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

/**
 * The bytes as base64, or as text where they are text.
 * @throws AtelierError result_not_found; payload_too_large, which names the link to fetch instead; busy
 */
export async function readResult(
  results: Results,
  uri: string,
): Promise<ResourceContents & ({ blob: string } | { text: string })> {
  if (!uri.startsWith(PREFIX))
    throw new AtelierError('result_not_found', `Nothing is kept under ${uri.slice(0, 200)}.`);
  const id = uri.slice(PREFIX.length);
  const options = { bytesMax: RESOURCE_BYTES_MAX, copies: BASE64_COPIES };
  const { bytes, contentType } = await results.open(id, options).catch((error: unknown) => {
    throw error instanceof AtelierError && error.code === 'payload_too_large'
      ? tooLarge(results.linkTo(id))
      : error;
  });
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isText(contentType)
    ? { uri, mimeType: contentType, text: buffer.toString('utf8') }
    : { uri, mimeType: contentType, blob: buffer.toString('base64') };
}

const isText = (contentType: string): boolean => /^text\/|[/+](json|xml)\b/.test(contentType);

const tooLarge = (link: string): AtelierError =>
  new AtelierError(
    'payload_too_large',
    `It has more than ${RESOURCE_BYTES_MAX / 2 ** 20} MB, too much for a message. Fetch it from ${link}`,
    { members: { result_url: link } },
  );
