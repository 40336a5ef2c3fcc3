export { readDecoderModule } from '../../src/core/workers/read_decoder_module.ts';
