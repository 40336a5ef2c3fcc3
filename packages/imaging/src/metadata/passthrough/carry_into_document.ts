import type { NewPackets } from '../containers/new_packets.ts';
import { accountOf, type CarriedMetadata, type CarryWish, newAccount } from './carried.ts';
import { type Container, choosePackets } from './choose_packets.ts';
import { readSource, type Sources } from './read_source.ts';

export interface CarriedIntoDocument {
  readonly packets: NewPackets;
  readonly metadata: CarriedMetadata;
}

interface Document {
  readonly container: Extract<Container, 'svg' | 'pdf' | 'tiff'>;
  readonly width: number;
  readonly height: number;
  /** Colour space of the document, for the report about a profile. */
  readonly colors: string;
}

/**
 * Selects the metadata for a document that is made from an image and writes it itself: a vector trace or print sheet.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function carryIntoDocument(
  from: Sources,
  { container, width, height, colors }: Document,
  wish: CarryWish,
): Promise<CarriedIntoDocument> {
  const source = await readSource(from);
  const account = newAccount();
  if (source.icc) account.changed.set('icc', `colours were converted to ${colors}`);
  if (source.gainMap) account.dropped.set('gain_map', `only JPEG supports it, and this is ${container}`);
  const result = { width, height, isSrgb: container === 'svg' };
  const packets = await choosePackets(source, { from: from.file, result, wish, container, account });
  return { packets, metadata: accountOf(account) };
}
