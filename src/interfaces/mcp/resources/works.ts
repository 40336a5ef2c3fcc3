import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { searchArtworks, searchResultOf } from '../../../features/artworks/tools/search_artworks.ts';
import { identify } from '../../../pipeline/authenticate.ts';
import { limitRate, limitsOfTool } from '../../../pipeline/rate_limit.ts';
import { choicesOf } from '../choices_of.ts';
import { jsonContents } from './contents_of.ts';
import type { ResourceKind } from './types.ts';

const PREFIX = 'atelier://works/';

/**
 * The search result of one work. Free, and counted as a search, so that requests for single works do not
 * bypass that limit.
 */
export const works: ResourceKind = {
  prefix: PREFIX,
  template: {
    uriTemplate: `${PREFIX}{museum}/{number}`,
    name: 'work',
    title: 'Work of a museum',
    description:
      'One work as search_artworks returns it: rijks/SK-C-5 is rijks_SK-C-5. get_artwork returns the full record and the image.',
    mimeType: 'application/json',
  },
  values: (variable) => (variable === 'museum' ? choicesOf(searchArtworks, 'museum') : []),
  async read(path, uri, { context, caller }) {
    const [museum, ...number] = path.split('/');
    if (!museum || number.length === 0) {
      throw new AtelierError(
        'artwork_not_found',
        `The URI of a work is ${PREFIX}<museum>/<number>, such as ${PREFIX}rijks/SK-C-5.`,
      );
    }
    const who = { client: caller, principal: await identify(context, caller, { mustPay: false }) };
    const { record } = await limitRate(context, limitsOfTool(context, searchArtworks), who, async () => ({
      headers: {},
      ...(await context.services.artworks.find(`${museum}_${number.join('/')}`)),
    }));
    return jsonContents(uri, searchResultOf(record));
  },
};
