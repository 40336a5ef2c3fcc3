import { readFileSync } from 'node:fs';

/** Example URL of a server in the skill. */
const EXAMPLE_URL = 'http://127.0.0.1:8080';

/** `skills/atelier/SKILL.md` with the URL of this server. */
export const skillText = (publicUrl: string): string =>
  readFileSync(new URL('../../skills/atelier/SKILL.md', import.meta.url), 'utf8').replaceAll(
    EXAMPLE_URL,
    publicUrl,
  );
