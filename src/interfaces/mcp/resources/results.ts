import { BASE64_COPIES, RESOURCE_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { contentsOf } from './contents_of.ts';
import type { ResourceKind } from './types.ts';

export const RESULT_PREFIX = 'atelier://results/';

/** Access to results for a client that cannot follow links. The id is unguessable and grants access. */
export const results: ResourceKind = {
  prefix: RESULT_PREFIX,
  template: {
    uriTemplate: `${RESULT_PREFIX}{id}`,
    name: 'result',
    title: 'Result of a tool',
    description: 'The bytes behind result:<id>, kept for 24 hours.',
  },
  /** @throws AtelierError result_not_found; payload_too_large, which names the link to fetch instead; busy */
  async read(id, uri, { context: { services } }) {
    const options = { bytesMax: RESOURCE_BYTES_MAX, copies: BASE64_COPIES };
    const { bytes, contentType } = await services.results.open(id, options).catch((error: unknown) => {
      throw error instanceof AtelierError && error.code === 'payload_too_large'
        ? tooLarge(services.results.linkTo(id))
        : error;
    });
    return contentsOf(uri, contentType, bytes);
  },
};

const tooLarge = (link: string): AtelierError =>
  new AtelierError(
    'payload_too_large',
    `The result has more than ${RESOURCE_BYTES_MAX / 2 ** 20} MB, too large for a message. Download it from ${link}`,
    { members: { result_url: link } },
  );
