import { readFileSync, statSync } from 'node:fs';
import type { ColorLink } from '@atelier/imaging/color/color_link.ts';
import {
  linkBetweenPresses,
  linkFromPress,
  linkToPress,
  type Rendering,
} from '@atelier/imaging/color/press_link.ts';
import {
  isSameCondition,
  openPressProfile,
  type PressProfile,
} from '@atelier/imaging/color/press_profile.ts';
import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import type { PressColors } from '@atelier/imaging/print/print_sheet.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { PRESS_PROFILE_BYTES_MAX } from './limits.ts';

/** A stored profile, with its public name. */
export interface PressFile {
  readonly name: string;
  readonly path: string;
  readonly registered?: string;
}

/** Cached profiles and device links: computing one takes longer than printing a small sheet. */
const KEPT_MAX = 12;
const kept = new Map<string, unknown>();

function keep<T>(key: string, make: () => T): T {
  const found = (kept.get(key) as T | undefined) ?? make();
  kept.delete(key);
  kept.set(key, found);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return found;
}

/** @throws AtelierError invalid_input if the file is not an output profile */
export function openPress({ name, path }: PressFile): PressProfile {
  const { size, mtimeMs } = statSync(path);
  if (size > PRESS_PROFILE_BYTES_MAX)
    throw new AtelierError(
      'invalid_input',
      `The profile ${name} has more than ${PRESS_PROFILE_BYTES_MAX / 1024 ** 2} MB.`,
    );
  return keep(`profile ${path} ${mtimeMs}`, () => openPressProfile(readFileSync(path)));
}

/** Colour conversion of images for a printing condition. */
export function pressColors(press: PressFile, rendering: Rendering): PressColors {
  const profile = openPress(press);
  const { name, bytes } = profile;
  return {
    condition: { name, profile: bytes, ...(press.registered && { registered: press.registered }) },
    fromSrgb: openLinkToPress(press, rendering),
    labOf: (inks) => profile.labOf(inks, 'relative'),
    proof: openProof(press),
    fromCmyk: openLinkBetween(press, rendering),
  };
}

/** Cached device link from sRGB to the inks of a profile. */
export function openLinkToPress(file: PressFile, rendering: Rendering): ColorLink {
  const press = openPress(file);
  return keep(keyOf('to press', file, rendering), () => linkToPress(press, rendering));
}

/** Device link from inks to their appearance on paper. */
export function openProof(file: PressFile): ColorLink {
  const press = openPress(file);
  return keep(`proof ${file.path} ${statSync(file.path).mtimeMs}`, () =>
    linkFromPress(press, { paper: true }),
  );
}

/**
 * Device link for a CMYK image from the printing condition of its own profile. Undefined if that is the target's own, or if there is no
 * usable profile: then its values are treated as inks of the target.
 */
export function openLinkBetween(file: PressFile, rendering: Rendering) {
  const press = openPress(file);
  return (profile: Uint8Array | undefined): { link?: ColorLink; note: string } => {
    if (!profile)
      return {
        note: `The CMYK image has no profile. Its ink values are kept unchanged, as values for ${press.name}.`,
      };
    const unchanged = {
      note: 'The image already uses this output profile. Its ink values are kept unchanged.',
    };
    if (Buffer.compare(profile, press.bytes) === 0) return unchanged;
    try {
      const source = openPressProfile(profile);
      if (isSameCondition(source, press)) return unchanged;
      return {
        link: linkBetweenPresses(source, press, rendering),
        note: `The ink values of the image were converted from ${source.name}.`,
      };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return { note: `The profile of the CMYK image cannot be read. Its ink values are kept unchanged.` };
    }
  };
}

const keyOf = (
  kind: string,
  { path }: PressFile,
  { intent, blackPointCompensation, keepsBlack = false }: Rendering,
): string => `${kind} ${path} ${statSync(path).mtimeMs} ${intent} ${blackPointCompensation} ${keepsBlack}`;
