import type { StorageQuota } from '../quotas/quotas.ts';
import type { Blobs } from '../storage/blobs/blobs.ts';

/** Exact texts of responses, stored without the files that exist as results anyway. */
export interface ResponseTexts {
  /** Returns the sha256 to read it with. @throws AtelierError storage_full, too_much_kept */
  put(text: string): Promise<string>;
  /** @throws AtelierError result_not_found when a referenced file is missing; busy */
  get(sha256: string): Promise<string>;
}

/** The result files that stored responses reference. */
interface ResultFiles {
  keep(
    bytes: Uint8Array,
    contentType: string,
    options: { durable: boolean },
  ): Promise<{ readonly handle: string }>;
  stream(id: string): Promise<{ blob: Blob }>;
  open(id: string, options: { evenExpired: boolean; copies: number }): Promise<{ bytes: Uint8Array }>;
}

interface ResponseTextsDeps {
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  readonly results: ResultFiles;
  readonly quota?: StorageQuota | undefined;
  /** Maximum length of a field stored as text; a longer one that may be a file is stored as a file. */
  readonly inlineCharactersMax?: number;
}

/** Encoding of the bytes of a file in a text. */
type Written = 'base64' | 'utf8';
type Piece = string | { readonly file: string; readonly as: Written };

/** No response begins like this: its first field is always one of a tool. */
const IN_PIECES = '{"kept_in_pieces":';

/** Replaces the long fields of a text by references to files with the same bytes, and restores them on reading. */
export function createResponseTexts({
  blobs,
  results,
  quota,
  inlineCharactersMax = 16_384,
}: ResponseTextsDeps): ResponseTexts {
  const fileWith = async (bytes: Uint8Array, named: unknown): Promise<string> => {
    const id = typeof named === 'string' ? named.replace(/^result:/, '') : '';
    const { blob } = await results.stream(id).catch(() => ({ blob: undefined }));
    if (blob && (await holds(blob, bytes))) return id;
    const { handle } = await results.keep(bytes, 'application/octet-stream', { durable: true });
    return handle.replace(/^result:/, '');
  };
  const inPieces = async (text: string): Promise<Piece[]> => {
    if (text.length <= inlineCharactersMax) return [text];
    const body = JSON.parse(text) as Record<string, unknown>;
    const pieces: Piece[] = [];
    let rest = text;
    for (const [name, value] of Object.entries(body)) {
      if (typeof value !== 'string' || value.length <= inlineCharactersMax) continue;
      const [as, bytes] = bytesOf(value);
      const literal = JSON.stringify(value);
      const at = placeOf(rest, name, literal);
      if (at < 0) continue;
      pieces.push(rest.slice(0, at), { file: await fileWith(bytes, body.result), as });
      rest = rest.slice(at + literal.length);
    }
    return [...pieces, rest];
  };
  return {
    async put(text) {
      const pieces = await inPieces(text);
      const kept = pieces.length === 1 ? text : `${IN_PIECES}${JSON.stringify(pieces)}}`;
      const bytes = new TextEncoder().encode(kept);
      const become = await quota?.take(bytes.length);
      try {
        return await blobs.put(bytes);
      } catch (error) {
        become?.(0);
        throw error;
      }
    },
    async get(sha256) {
      const kept = new TextDecoder().decode(await blobs.get(sha256));
      if (!kept.startsWith(IN_PIECES)) return kept;
      const { kept_in_pieces: pieces } = JSON.parse(kept) as { kept_in_pieces: Piece[] };
      const texts = pieces.map(async (piece) => {
        if (typeof piece === 'string') return piece;
        const { bytes } = await results.open(piece.file, { evenExpired: true, copies: TEXT_COPIES });
        return JSON.stringify(
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(piece.as),
        );
      });
      return (await Promise.all(texts)).join('');
    },
  };
}

/** Copies in memory: the bytes, their text, the surrounding text, and its encoded form. */
const TEXT_COPIES = 5;

/** Decodes a text that is valid base64; any other text is stored as it is. */
function bytesOf(value: string): [Written, Buffer] {
  const decoded = Buffer.from(value, 'base64');
  return decoded.toString('base64') === value ? ['base64', decoded] : ['utf8', Buffer.from(value)];
}

/** Position of the value of a field; the name may occur in nested objects before. */
function placeOf(text: string, name: string, literal: string): number {
  const label = `${JSON.stringify(name)}:`;
  for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
    if (text.startsWith(literal, at + label.length)) return at + label.length;
  }
  return -1;
}

async function holds(blob: Blob, bytes: Uint8Array): Promise<boolean> {
  if (blob.size !== bytes.length) return false;
  let at = 0;
  for await (const piece of blob.stream()) {
    if (Buffer.compare(piece, bytes.subarray(at, at + piece.length)) !== 0) return false;
    at += piece.length;
  }
  return true;
}
