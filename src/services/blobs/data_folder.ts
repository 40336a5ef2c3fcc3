import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes the folder for everything the service keeps, one level at a time: Node's own way of making several at once never
 * ends where the system takes no folder, as in /proc. @throws Error saying what is wrong with it
 */
export function makeDataFolder(path: string): void {
  const folder = resolve(path);
  try {
    for (const missing of missingIn(folder)) mkdirSync(missing, { mode: 0o700 });
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `DATA_DIR ${folder} cannot be used: ${(error as Error).message}. Set DATA_DIR to a folder this user may write to.`,
    );
  }
}

/** From the outermost to the folder itself. */
function missingIn(folder: string): string[] {
  if (existsSync(folder)) return [];
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...missingIn(parent), folder];
}
