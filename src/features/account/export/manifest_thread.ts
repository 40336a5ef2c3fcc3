import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { readManifest } from './manifest_batches.ts';
import type { ManifestMessage, StoredManifest } from './read_manifest.ts';

/** Worker thread that parses one manifest: one batch per message, so that the server controls the pace. */

const port = parentPort!;
const { path, ...about } = workerData as StoredManifest;
const batches = readManifest({ ...about, text: readFileSync(path) });

port.on('message', () => port.postMessage(next()));

function next(): ManifestMessage {
  try {
    const { done, value } = batches.next();
    return done ? { isEnd: true } : { batch: value };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    const { code, message, details } = error;
    return { refusal: { code, message, errors: details.errors } };
  }
}
