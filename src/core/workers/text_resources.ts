import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TextResources } from '@atelier/imaging/typography/draw_text.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';

const require = createRequire(import.meta.url);

/** Files for text rendering, which engines do not open themselves. */
export const TEXT_RESOURCES: TextResources = {
  readModule: DECODER_RESOURCES.readModule,
  readFont(path) {
    try {
      return readFileSync(require.resolve(path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' || code === 'ENOENT')
        return undefined;
      throw error;
    }
  },
};
