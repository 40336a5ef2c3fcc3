import type { Rendering } from '@atelier/imaging/color/press_link.ts';
import {
  convertToPress,
  type PressConversionRequest,
  type PressConversionResult,
} from '@atelier/imaging/print/convert_to_press.ts';
import { openLinkBetween, openLinkToPress, openPress, openProof, type PressFile } from './open_press.ts';

export interface PressRequest extends PressConversionRequest {
  readonly press: PressFile;
  readonly rendering: Rendering;
  /** Returns a soft proof instead of the inks. */
  readonly isProof: boolean;
}

export interface PressFileAnswer extends Omit<PressConversionResult, 'pieces'> {
  readonly bytes: Uint8Array;
  /** Name of the output profile. */
  readonly profile: string;
}

/** Converts an image for a printing condition whose profile is stored on the disk. */
export async function runConvertToPress({
  press,
  rendering,
  isProof,
  ...wish
}: PressRequest): Promise<PressFileAnswer> {
  const profile = openPress(press);
  const { name, bytes } = profile;
  const { pieces, ...picture } = await convertToPress(
    wish,
    {
      condition: { name, profile: bytes, ...(press.registered && { registered: press.registered }) },
      fromSrgb: openLinkToPress(press, rendering),
      labOf: (inks) => profile.labOf(inks, 'relative'),
      fromCmyk: openLinkBetween(press, rendering),
    },
    isProof ? openProof(press) : undefined,
  );
  return { ...picture, bytes: Buffer.concat(pieces), profile: name };
}
