import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { PRESS_PROFILE_NAME_CHARACTERS_MAX } from '../limits.ts';
import { SHIPPED_PROFILES } from './shipped.ts';
import type { PressProfileFile, PressProfiles } from './types.ts';

const SHIPPED_FOLDER = fileURLToPath(new URL('./shipped/', import.meta.url));
const EXTENSION = /\.ic[cm]$/i;

/** Profiles by name. Files of the operator are named without extension. @param folder of the operator, if any */
export function createPressProfiles({ folder }: { folder: string | undefined }): PressProfiles {
  const list = async (): Promise<PressProfileFile[]> => [...shipped, ...(await readAddedProfiles(folder))];
  return {
    list,
    async find(name, field) {
      const all = await list();
      const found = all.find((profile) => profile.name === name) ?? spelt(all, name);
      if (found) return found;
      const names = all.map((profile) => profile.name).join(', ');
      throw invalidField(
        field,
        `${field} must be one of ${names} but got ${JSON.stringify(name.slice(0, 60))}.`,
        {
          expected: `one of ${names}`,
          got: name.slice(0, 60),
        },
      );
    },
  };
}

/** The only profile that matches by letters and digits, or by its printing condition: print shops write "Coated FOGRA39" or "Fogra 39". */
function spelt(all: readonly PressProfileFile[], name: string): PressProfileFile | undefined {
  const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const sent = lettersOf(name);
  const meant = all.filter((profile) =>
    [profile.name, profile.registered ?? ''].some((known) => lettersOf(known) === sent),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

const shipped: readonly PressProfileFile[] = Object.entries(SHIPPED_PROFILES).map(([name, registered]) => ({
  name,
  registered,
  path: join(SHIPPED_FOLDER, `${name}.icc`),
}));

/** Profiles of the operator. Names of shipped profiles are skipped, so that clients can rely on them. */
async function readAddedProfiles(folder: string | undefined): Promise<PressProfileFile[]> {
  if (!folder) return [];
  const files = await readdir(folder).catch(() => [] as string[]);
  return files
    .filter((file) => EXTENSION.test(file))
    .map((file) => ({ name: file.replace(EXTENSION, ''), path: join(folder, file) }))
    .filter(({ name }) => name.length <= PRESS_PROFILE_NAME_CHARACTERS_MAX && !(name in SHIPPED_PROFILES))
    .sort((one, other) => one.name.localeCompare(other.name));
}
