import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { spawnProgram } from '../support/spawn_program.ts';
import { UNLIMITED } from '../support/unlimited.ts';

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
  }
}

const SETTINGS = {
  PORT: '0',
  LOG_LEVEL: 'error',
  // The suite says nothing of networks outside.
  LIVE_WORKS: 'false',
  ...UNLIMITED,
  ADDRESS_LIMIT_FACTOR: '1000000',
  UPLOADS_PER_HOUR: '1000000',
  CAFE_POSTS_PER_DAY: '1000000',
  GALLERY_POSTS_PER_DAY: '1000000',
  REGISTRY_SIGNATURES_PER_DAY: '1000000',
};

/**
 * Gives the suite its base URL: CONFORMANCE_URL when set (any server that claims the specification), else the service
 * itself, started as its users start it, in a folder of its own.
 */
export default async function provideServer({
  provide,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.CONFORMANCE_URL) {
    provide('baseUrl', process.env.CONFORMANCE_URL.replace(/\/$/, ''));
    return undefined;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-conformance-'));
  const server = spawnProgram(['src/main.ts'], { ...SETTINGS, DATA_DIR: dataDir });
  const stop = async () => {
    const stopped = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await stopped;
    await rm(dataDir, { recursive: true, force: true });
  };
  provide('baseUrl', await addressOf(server.stdout));
  return stop;
}

/** The address the service prints when it listens. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (address) {
      output.resume();
      return address;
    }
  }
  throw new Error(`the service stopped before it listened:\n${text}`);
}
