import type { EngineChoice, Enrichment } from '../../services/enrichment/contract.ts';
import type { Outlook, OutlookContext } from '../tool.ts';
import { blindness } from './blindness.ts';

/** What a dry run says of who will look at the picture. */
export async function sightOutlook(
  enrichment: Parameters<typeof blindness>[0] & Pick<Enrichment, 'modelRefusal'>,
  engine: EngineChoice,
  asked: Pick<OutlookContext, 'address' | 'callerKey'>,
): Promise<Outlook> {
  const detail = await enrichment.modelRefusal(engine, asked);
  return {
    ...(await blindness(enrichment, engine)),
    ...(detail !== undefined && { refusal: { check: 'vision', detail } }),
  };
}
