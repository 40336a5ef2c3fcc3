import { NEXT_STEP_CHARACTERS_MAX } from './limits.ts';
import { LongText } from './long_text.ts';

/** The input for a next step that repeats a call; undefined where it is too long to be sent back, as a picture is in base64. */
export function sendable(input: Record<string, unknown>): Record<string, unknown> | undefined {
  if (Object.values(input).some((value) => value instanceof LongText)) return undefined;
  return JSON.stringify(input).length <= NEXT_STEP_CHARACTERS_MAX ? input : undefined;
}
