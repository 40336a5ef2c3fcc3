import { requireBoundedJson } from '../../core/json/parse_bounded_json.ts';

/** More than the longest answer that is worth reading, many times over: what one answer may take of our memory. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * `fetch` as provider libraries are given it: a body ends where it grows too long, and no redirect is followed, since key and picture
 * would go along to wherever it points.
 */
export const fetchProvider: typeof fetch = async (input, init) => {
  const { status, statusText, headers, body } = await fetch(input, { ...init, redirect: 'manual' });
  return new Response(body?.pipeThrough(boundedTo(BODY_BYTES_MAX)), { status, statusText, headers });
};

/** Held back until all of it is there, because the libraries parse it at once. */
function boundedTo(bytesMax: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) controller.error(new Error('The answer is too long.'));
      else chunks.push(chunk);
    },
    flush(controller) {
      const text = Buffer.concat(chunks);
      requireBoundedJson(text);
      controller.enqueue(text);
    },
  });
}
