/** What a result may be written as. */
export type Container = 'png' | 'jpeg' | 'webp' | 'tiff' | 'svg' | 'pdf';

type Block = 'iim' | 'exif' | 'texts';

/** The blocks each has a place for, as they are written here; XMP all have. */
const PLACES_IN: Readonly<Record<Container, readonly Block[]>> = {
  png: ['iim', 'exif', 'texts'],
  jpeg: ['iim', 'exif'],
  webp: ['exif'],
  tiff: ['iim'],
  svg: [],
  pdf: [],
};

export const hasPlaceFor = (container: Container, block: Block): boolean =>
  PLACES_IN[container].includes(block);
