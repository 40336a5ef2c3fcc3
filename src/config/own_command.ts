import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { shellWord } from './shell_word.ts';

/** Installation of this program, and the environment of its process. */
export interface OwnPlace {
  /** Folder of its package.json. */
  readonly root: string;
  /** Runs in the project's container image, which the Dockerfile marks. */
  readonly isImage: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
}

/** Where the user types a command. */
export interface Typed {
  /** Current folder of the user. Absent: any. */
  readonly folder?: string;
  /** The server has stopped, and its container with it. */
  readonly isStopped?: boolean;
}

/** Short ids, which Docker and Podman give a container as its name. */
const CONTAINER_ID = /^[0-9a-f]{12}$/;

/**
 * A command of this program for a shell: by its name if that is on the PATH, through its container, with npx
 * if npx finds it, and otherwise by its file.
 * @param words the words after the name, as `setup --yes`; quoted by the calling function
 */
export function describeCommand(words: string, place: OwnPlace, { folder, isStopped }: Typed = {}): string {
  if (place.isImage) return `${fromOutside(place, isStopped === true)} ${words}`;
  if (isOnPath(place)) return `atelier ${words}`;
  const home = npxFolder(place.root);
  if (home === undefined) return `node ${shellWord(join(place.root, 'bin/atelier.mjs'))} ${words}`;
  return home === folder ? `npx atelier ${words}` : `npx --prefix ${shellWord(home)} atelier ${words}`;
}

/**
 * The command prefix on the host of a container; a stopped container is replaced by a new one with its
 * volumes.
 */
function fromOutside({ environment, hostname }: OwnPlace, isStopped: boolean): string {
  // In a cluster the host name is that of the pod. No single command starts another pod with its volume.
  if (environment.KUBERNETES_SERVICE_HOST)
    return isStopped ? 'atelier' : `kubectl exec ${shellWord(hostname)} -- atelier`;
  const engine = existsSync('/run/.containerenv') ? 'podman' : 'docker';
  const container = CONTAINER_ID.test(hostname) ? hostname : '<container>';
  return isStopped
    ? `${engine} run --rm --volumes-from ${container} <image>`
    : `${engine} exec ${container} atelier`;
}

/**
 * Whether `atelier` on the PATH is this program. npx adds package folders to the PATH of its own processes.
 */
function isOnPath({ root, environment }: OwnPlace): boolean {
  const launcher = realPath(join(root, 'bin/atelier.mjs'));
  const folders = (environment.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const first = folders.map((path) => realPath(join(path, 'atelier'))).find((path) => path !== undefined);
  return first !== undefined && first === launcher;
}

/**
 * The folder in which npx finds it: that of a clone, or the one it was installed in. Undefined if there is
 * none.
 */
function npxFolder(root: string): string | undefined {
  if (basename(dirname(root)) !== 'node_modules')
    return existsSync(join(root, 'package-lock.json')) ? root : undefined;
  const link = join(dirname(root), '.bin/atelier');
  return existsSync(link) ? dirname(dirname(root)) : undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
