import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, describe } from 'vitest';
import { needs } from './test_requirements.ts';

/** Settings of a server that stores its bytes there. */
export interface StorageSettings {
  readonly STORAGE_URL: string;
  readonly STORAGE_KEY_ID: string;
  readonly STORAGE_SECRET_KEY: string;
}

/** Runs a suite on each available third-party object store; `settings` name an empty location in it. */
export function forEachS3Server(suite: (name: string, settings: () => StorageSettings) => void): void {
  describe('s3rver', () => {
    const server = s3rver();
    suite('s3rver', server);
  });
  describe('swift', needs('Swift'), () => suite('swift', swift));
}

/** In this process, in a temporary folder. */
export function s3rver(): () => StorageSettings {
  let settings: StorageSettings;
  let close = async () => {};
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'atelier-s3rver-'));
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      directory,
      silent: true,
      configureBuckets: [{ name: 'atelier' }],
    });
    const { port } = await server.run();
    settings = {
      STORAGE_URL: `http://127.0.0.1:${port}/atelier/tests`,
      STORAGE_KEY_ID: 'S3RVER',
      STORAGE_SECRET_KEY: 'S3RVER',
    };
    close = async () => {
      await server.close();
      await rm(directory, { recursive: true });
    };
  });
  afterAll(() => close());
  return () => settings;
}

/** TEST_STORAGE_URL names a bucket with its keys, as .ci/swift prints it; each file uses its own prefix. */
const PREFIX = randomUUID();
export function swift(): StorageSettings {
  const { origin, pathname, username, password } = new URL(process.env.TEST_STORAGE_URL!);
  return {
    STORAGE_URL: `${origin}${pathname}/${PREFIX}`,
    STORAGE_KEY_ID: decodeURIComponent(username),
    STORAGE_SECRET_KEY: decodeURIComponent(password),
  };
}
