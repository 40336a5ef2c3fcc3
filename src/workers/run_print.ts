import type { Rendering } from '../engines/color/press_link.ts';
import { type PrintedSheet, type PrintWish, printSheet } from '../engines/print/print_sheet.ts';
import { openLinkBetween, openLinkToPress, openPress, type PressFile } from './open_press.ts';

export interface PrintRequest extends PrintWish {
  readonly press: PressFile;
  readonly rendering: Rendering;
}

export interface PrintedFile extends Omit<PrintedSheet, 'pieces'> {
  readonly bytes: Uint8Array;
  /** What the profile of the press calls itself. */
  readonly profile: string;
}

/** Makes a sheet for a press whose profile lies on the disk. */
export async function runPrint(
  { press, rendering, ...wish }: PrintRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<PrintedFile> {
  const { name, bytes } = openPress(press);
  const { pieces, ...sheet } = await printSheet(
    wish,
    {
      condition: { name, profile: bytes, ...(press.registered && { registered: press.registered }) },
      fromSrgb: openLinkToPress(press, rendering),
      fromCmyk: openLinkBetween(press, rendering),
    },
    onProgress,
  );
  return { ...sheet, bytes: Buffer.concat(pieces), profile: name };
}
