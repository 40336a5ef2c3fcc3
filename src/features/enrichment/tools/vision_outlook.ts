import type { Outlook, OutlookContext } from '../../definitions/tool.ts';
import type { Enrichment, EnrichRequest } from '../types.ts';
import { whyNoVision } from './why_no_vision.ts';

/** Dry run: whether a vision model reads the image, and whether the response is degraded. */
export async function visionOutlook(
  enrichment: Pick<Enrichment, 'canDescribe' | 'modelRefusal'>,
  { engine, language }: Pick<EnrichRequest, 'engine' | 'language'>,
  asked: Pick<OutlookContext, 'address' | 'callerKey'>,
): Promise<Outlook> {
  const reason = await whyNoVision(enrichment, engine, language);
  const refused = await enrichment.modelRefusal(engine, asked);
  return {
    ...(reason === undefined ? { degraded: false } : { degraded: true, degraded_reason: reason }),
    ...(refused !== undefined && { refusal: { check: 'vision', detail: refused } }),
  };
}
