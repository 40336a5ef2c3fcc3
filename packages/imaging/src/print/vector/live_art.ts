import type { Box, Matrix } from '../../preflight/content/matrix.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import type { PdfStream } from '../../preflight/pdf/values.ts';

/** What is put on a sheet with live text and vectors. */
export interface LiveArt {
  /** The file it is written into, with what the art refers to. */
  readonly made: NewDocument;
  readonly art: PdfStream;
  /** Technical inks, which are drawn once and last. */
  readonly technical?: PdfStream | undefined;
  /** From the space of the forms to points from the lower left corner of the trim. */
  readonly upright: Matrix;
  /** Of its trim, in points. */
  readonly width: number;
  readonly height: number;
  /** How far it is painted, in the same points; undefined where nothing is. */
  readonly reach: Box | undefined;
  readonly spots: readonly string[];
  /** What is not as the file has it, in sentences: fonts that were replaced. */
  readonly notes: readonly string[];
}

/** Why a file is printed as pixels: what in it cannot stay live. In words that follow "as ". */
export class NotVector extends Error {}
