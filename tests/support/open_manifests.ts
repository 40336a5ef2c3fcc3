import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPrepareManifest, runReadManifest } from '../../src/core/workers/run_c2pa.ts';
import { createManifests, manifestCertificate } from '../../src/features/provenance/manifests/manifests.ts';
import { createTimeStamps, type TimeStamps } from '../../src/features/provenance/timestamps/timestamps.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/make_c2pa_certificate.sh');
const pixels = {
  run: (async (engine: string, input: never) =>
    engine === 'read_manifest' ? runReadManifest(input) : runPrepareManifest(input)) as never,
};

/** Without a time-stamping authority. */
export const UNSTAMPED = createTimeStamps({ urls: [], trust: [], logger: { warn: () => {} } });

/** The service that reads manifests in this process, and writes them if it has a certificate and key. */
export const openManifests = (
  pems?: readonly [certificate: string, key: string],
  timeStamps: Pick<TimeStamps, 'stamp' | 'trust'> = UNSTAMPED,
) =>
  createManifests({
    timeStamps,
    pixels,
    certificate: pems && manifestCertificate(...pems),
    generator: { name: 'atelier', version: '1' },
  });

/** Control values for one image; waiting for other work is not tested here. */
export const control = { pixels: 0, signal: new AbortController().signal };

/** A self-signed certificate and its key, as PEM. Needs OpenSSL. */
export function developmentCertificate(days = 2): [certificate: string, key: string] {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-c2pa-'));
  try {
    execFileSync(SCRIPT, [folder, String(days)]);
    const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    return [certificate!, key!];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
