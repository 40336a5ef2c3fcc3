import { ONNXRUNTIME } from '../engines/onnx/open_session.ts';
import { upscaleImage } from '../engines/upscale/upscale_image.ts';
import { type ModelFile, openModel } from './open_models.ts';

export interface UpscaleRequest {
  readonly bytes: Uint8Array;
  readonly model: ModelFile;
}

export interface EnlargedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly engine: { name: string; version: string; weights_sha256: string };
}

/** Enlarges a picture with a network that stays open in this process for the next one. */
export async function runUpscale(
  { bytes, model }: UpscaleRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<EnlargedImage> {
  onProgress(0.12, 'Opening the network');
  const network = await openModel(model);
  const { pieces, ...picture } = await upscaleImage(bytes, network, (fraction, message) =>
    onProgress(0.15 + 0.8 * fraction, message),
  );
  return {
    ...picture,
    bytes: Buffer.concat(pieces),
    engine: { ...ONNXRUNTIME, weights_sha256: model.sha256 },
  };
}
