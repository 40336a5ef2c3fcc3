import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DATASET_DOWNLOAD_STALL_MS, MUSEUM_TERMS_BYTES_MAX } from '../limits.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { connectionProblem, type Retries, refusalOf, retryTransient } from './retry_transient.ts';

interface TermsPage extends Retries {
  readonly url: string;
  /** The page is stored here under its sha256, as evidence of the terms that were read. */
  readonly folder: string;
  readonly fetch: typeof fetch;
}

/**
 * Downloads and stores a page of terms; returns the sha256 of its bytes.
 * @throws SourceProblem if it cannot be downloaded
 */
export async function fetchTerms(wanted: TermsPage): Promise<string> {
  const page = await retryTransient(() => read(wanted), wanted);
  const sha256 = createHash('sha256').update(page).digest('hex');
  await mkdir(wanted.folder, { recursive: true, mode: 0o700 });
  await writeFile(join(wanted.folder, `${sha256}.html`), page, { mode: 0o600 });
  return sha256;
}

async function read({ url, fetch, signal }: TermsPage): Promise<Buffer> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(DATASET_DOWNLOAD_STALL_MS)]);
  try {
    const response = await fetch(url, { signal: stop });
    if (!response.ok) throw refusalOf(url, response);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MUSEUM_TERMS_BYTES_MAX) throw new SourceProblem(`${url} is too long for a page of terms.`);
      chunks.push(chunk);
    }
    if (bytes === 0) throw new SourceProblem(`${url} is empty.`);
    return Buffer.concat(chunks);
  } catch (error) {
    if (signal.aborted || error instanceof SourceProblem) throw error;
    throw connectionProblem(url, error);
  }
}
