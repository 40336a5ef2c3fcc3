import type { Box, Matrix } from '../../preflight/content/matrix.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import type { PdfStream } from '../../preflight/pdf/values.ts';

/** Artwork with live text and vectors. */
export interface LiveArt {
  /** Output document, which holds the resources of the artwork. */
  readonly made: NewDocument;
  readonly art: PdfStream;
  /** Content in technical inks, drawn once and last. */
  readonly technical?: PdfStream | undefined;
  /** From form coordinates to points from the lower left corner of the trim. */
  readonly upright: Matrix;
  /** Trim size in points. */
  readonly width: number;
  readonly height: number;
  /** Bounding box of the painted area, in the same points. Undefined if nothing is painted. */
  readonly reach: Box | undefined;
  readonly spots: readonly string[];
  /** Changes to the content, as sentences: replaced fonts. */
  readonly notes: readonly string[];
}

/** The reason why a file must be rasterised. The message is a clause. */
export class RasterisationRequired extends Error {}
