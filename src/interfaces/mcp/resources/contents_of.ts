import type { Contents } from './types.ts';

/** Text as text, other bytes as base64. */
export function contentsOf(uri: string, contentType: string, bytes: Uint8Array): Contents {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isText(contentType)
    ? { uri, mimeType: contentType, text: buffer.toString('utf8') }
    : { uri, mimeType: contentType, blob: buffer.toString('base64') };
}

const isText = (contentType: string): boolean => /^text\/|[/+](json|xml)\b/.test(contentType);

/** An object as a JSON file. */
export const jsonContents = (uri: string, value: unknown): Contents => ({
  uri,
  mimeType: 'application/json',
  text: JSON.stringify(value),
});
