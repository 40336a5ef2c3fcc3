import { type ErasedPicture, type EraseRequest, eraseObject } from '@atelier/imaging/inpaint/erase_object.ts';
import { fillByNetwork } from '@atelier/imaging/inpaint/fill_by_network.ts';
import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import type { Session } from '@atelier/imaging/onnx/session.ts';
import type { MetadataPassthrough, OnProgress } from './metadata_passthrough.ts';
import { openGraph, type StoredFile } from './open_models.ts';
import { withReadableMask } from './readable_mask.ts';
import { saveWithMetadata } from './run_convert.ts';

type Erased = ErasedPicture & { readonly metadata: CarriedMetadata };

export interface EraseByNetworkRequest extends EraseRequest {
  readonly network: StoredFile;
}

/** Erases by patch-based inpainting. @throws as `eraseObject` does */
export async function runErase(
  request: EraseRequest & MetadataPassthrough,
  onProgress?: OnProgress,
): Promise<Erased> {
  const { carry, sentFile, ...asked } = await withReadableMask(request);
  return saveWithMetadata(request.bytes, { carry, sentFile }, (finish) =>
    eraseObject(asked, { onProgress, finish }),
  );
}

/** Erases with a model that stays open in this process. @throws as `eraseObject` and `openGraph` do */
export async function runEraseByNetwork(
  { network, ...request }: EraseByNetworkRequest & MetadataPassthrough,
  onProgress?: OnProgress,
): Promise<Erased> {
  const { carry, sentFile, ...asked } = await withReadableMask(request);
  let provider: Session['provider'] | undefined;
  const filling = {
    engine: { name: network.name, version: network.sha256.slice(0, 12), weights_sha256: network.sha256 },
    async fill(picture: Parameters<typeof fillByNetwork>[1]) {
      const session = await openGraph(network);
      provider = session.provider;
      await fillByNetwork(session, picture);
    },
  };
  const erased = await saveWithMetadata(request.bytes, { carry, sentFile }, (finish) =>
    eraseObject(asked, { onProgress, finish, network: filling }),
  );
  if (!provider || network.provider === 'cpu') return erased;
  return { ...erased, engine: { ...erased.engine, provider } };
}
