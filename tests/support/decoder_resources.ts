export { DECODER_RESOURCES } from '../../src/core/workers/decoder_resources.ts';
