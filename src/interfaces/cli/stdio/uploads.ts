import { basename } from 'node:path';
import { FILE_NAME_CHARACTERS_MAX } from '../../../features/assets/limits.ts';
import { typeOfFile } from '../files.ts';
import { UPLOAD_SPARE_MS } from './limits.ts';
import { PathRefused, type Roots, readLocated } from './readable_files.ts';
import { remember } from './remember.ts';
import type { Params, Upstream } from './upstream.ts';

/** An uploaded file of this machine. */
interface Upload {
  /** `upload:<id>` */
  readonly uri: string;
  /** Media type, detected from its first bytes. */
  readonly type: string;
}

export interface Uploads {
  /**
   * Uploads a file unless the server has it. @throws PathRefused if it may not be read, or the server refuses
   * it
   */
  send(path: string, allowed: Roots, signal: AbortSignal): Promise<Upload>;
}

export function createUploads(upstream: Upstream): Uploads {
  const known = new Map<string, Upload & { readonly until: number }>();
  return {
    async send(path, allowed, signal) {
      const { bytes, version } = await readLocated(path, allowed);
      const sent = known.get(version);
      if (sent && sent.until > Date.now()) return sent;
      const type = await typeOfFile(bytes, path);
      const response = await upstream.fetch(
        `/api/uploads?name=${encodeURIComponent(basename(path).slice(-FILE_NAME_CHARACTERS_MAX))}`,
        {
          method: 'POST',
          headers: { 'Content-Type': type },
          body: bytes as Uint8Array<ArrayBuffer>,
          signal,
        },
      );
      const { uri, expires_at: end, detail } = (await response.json().catch(() => ({}))) as Params;
      if (typeof uri !== 'string')
        throw new PathRefused(
          `${path} was not accepted: ${detail ?? `the server answered ${response.status}.`}`,
        );
      const upload = { uri, type, until: Date.parse(String(end)) - UPLOAD_SPARE_MS };
      remember(known, version, upload);
      return upload;
    },
  };
}
