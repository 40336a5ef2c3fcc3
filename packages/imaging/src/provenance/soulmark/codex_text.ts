import { createHash } from 'node:crypto';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { JSON_LIMITS, scanJson } from '../../json/scan_json.ts';
import { canonicalJson } from './canonical_json.ts';
import { CODEX_BYTES_MAX } from './limits.ts';

/** Packs a codex for a file: canonical JSON (RFC 8785), deflated, base64. @throws TypeError like `canonicalJson` */
export function packCodex(codex: object): { packed: string; sha256: string; sizeBytes: number } {
  const text = Buffer.from(canonicalJson(codex));
  return {
    packed: deflateRawSync(text, { level: constants.Z_BEST_COMPRESSION }).toString('base64'),
    sha256: sha256Of(text),
    sizeBytes: text.length,
  };
}

/** The codex of a file and its hash; undefined if it is damaged, too large or not a JSON object. */
export function unpackCodex(packed: string): { codex: Record<string, unknown>; sha256: string } | undefined {
  try {
    const text = inflateRawSync(Buffer.from(packed, 'base64'), {
      maxOutputLength: CODEX_BYTES_MAX,
    });
    if (scanJson(text, JSON_LIMITS).excess) return undefined;
    const codex: unknown = JSON.parse(text.toString());
    if (typeof codex !== 'object' || codex === null || Array.isArray(codex)) return undefined;
    // Hashes the canonical form, because other writers may order members differently.
    return { codex: codex as Record<string, unknown>, sha256: sha256Of(Buffer.from(canonicalJson(codex))) };
  } catch {
    return undefined;
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
