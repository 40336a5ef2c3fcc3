import { DECODER_RESOURCES } from '../../src/core/workers/decoder_resources.ts';
import { zipFiles } from '../../src/core/workers/zip_files.ts';

export { DECODER_RESOURCES };
export const CONVERT_RESOURCES = { decoders: DECODER_RESOURCES, zip: zipFiles };
