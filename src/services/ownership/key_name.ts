import { invalidField } from '../../errors/atelier_error.ts';
import { KEY_NAME_CHARACTERS_MAX } from '../../limits.ts';

/**
 * The name of a key in the form it is kept in: NFC, no spaces around it. Characters that show nothing or turn the direction
 * of text are refused, because two keys whose names look alike lead to revoking the wrong one.
 * @throws AtelierError invalid_input
 */
export function keyName(text: string): string {
  const name = text.normalize('NFC').trim();
  const isPlain =
    name.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u.test(name);
  if (name !== '' && [...name].length <= KEY_NAME_CHARACTERS_MAX && isPlain) return name;
  throw invalidField(
    'name',
    `name must be 1 to ${KEY_NAME_CHARACTERS_MAX} visible characters: letters, digits, spaces and signs, none that are invisible or turn the direction of text.`,
    { expected: `1 to ${KEY_NAME_CHARACTERS_MAX} visible characters` },
  );
}
