import { z } from 'zod';
import { enumSynonyms } from '../../definitions/spellings.ts';
import { PRESS_PROFILE_NAME_CHARACTERS_MAX } from '../limits.ts';
import type { SHIPPED_PROFILES } from '../profiles/shipped.ts';

const PRESSES: Record<keyof typeof SHIPPED_PROFILES, string> = {
  coated_fogra39: 'offset on coated paper, Europe',
  uncoated_fogra29: 'offset on white uncoated paper, Europe',
  coated_gracol2006: 'offset on coated paper, GRACoL, America',
};
export const DEFAULT_PRESS: keyof typeof PRESSES = 'coated_fogra39';

/** Names of the shipped printing conditions, for descriptions. */
export const PRESSES_TEXT = `${Object.entries(PRESSES)
  .map(([name, about]) => `${name} (${about})`)
  .join(', ')}, or one the operator has added`;

/** The same for compact schemas. */
export const PRESSES_BRIEF = `Or ${Object.keys(PRESSES)
  .filter((name) => name !== DEFAULT_PRESS)
  .join(', ')} …`;

export const pressField = z.string().min(1).max(PRESS_PROFILE_NAME_CHARACTERS_MAX);

export const intentField = z
  .enum(['perceptual', 'relative', 'saturation', 'absolute'])
  .describe('For colours beyond the inks; relative suits flat artwork and logos.');

/** Aliases of printing conditions; ISO Coated v2 is a profile of FOGRA39. */
const PRESSES_ELSEWHERE: Readonly<Record<string, string>> = {
  fogra39: 'coated_fogra39',
  iso_coated_v2: 'coated_fogra39',
  iso_coated_v2_eci: 'coated_fogra39',
  fogra29: 'uncoated_fogra29',
  gracol: 'coated_gracol2006',
  gracol2006: 'coated_gracol2006',
};
const pressInWords = enumSynonyms({
  ...PRESSES_ELSEWHERE,
  ...Object.fromEntries(Object.values(PRESSES_ELSEWHERE).map((name) => [name, name])),
});

/** A press by another name of it, or by its own otherwise written. */
export const pressMeant = (sent: unknown): string | undefined => pressInWords(sent) as string | undefined;

/** Alias `profile` of the field. */
export function namedPress(sent: unknown): { profile: string } | undefined {
  const profile = pressMeant(sent);
  return profile === undefined || profile === sent ? undefined : { profile };
}
