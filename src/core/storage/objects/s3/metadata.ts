import { randomUUID } from 'node:crypto';

/** Kept with an object: the hash of its bytes, and which of several writes it was: one whose answer was lost finds itself again. */
export interface Metadata {
  readonly sha256: string;
  readonly write: string;
}

export const metadataOf = (sha256: string): Metadata => ({ sha256, write: randomUUID() });

export const headersOf = ({ sha256, write }: Metadata) => ({
  'Content-Type': 'application/octet-stream',
  'x-amz-meta-sha256': sha256,
  'x-amz-meta-write': write,
});

export const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
