import { requireBoundedJson } from '../json/parse_bounded_json.ts';

/** Many times the longest useful response of a language model; bounds the memory of one response. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * `fetch` for provider libraries: bounds the body of a response and follows no redirect, because its target would receive key and image.
 * @param bytesMax larger bodies end with an error
 */
export const createProviderFetch =
  (bytesMax: number): typeof fetch =>
  async (input, init) => {
    const { status, statusText, headers, body } = await fetch(input, { ...init, redirect: 'manual' });
    const isImage = headers.get('content-type')?.startsWith('image/') === true;
    return new Response(body?.pipeThrough(boundedTo(bytesMax, isImage)), { status, statusText, headers });
  };

/** For responses in text. */
export const fetchProvider = createProviderFetch(TEXT_BYTES_MAX);

/** Holds the body back until it is complete, because the libraries parse it at once. */
function boundedTo(
  bytesMax: number,
  isImage: boolean,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) controller.error(new Error('The response is too long.'));
      else chunks.push(chunk);
    },
    flush(controller) {
      const body = Buffer.concat(chunks);
      if (!isImage) requireBoundedJson(body);
      controller.enqueue(body);
    },
  });
}
