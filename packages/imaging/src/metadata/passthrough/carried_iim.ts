import { readIim } from '../iim/read_iim.ts';
import { encodeIim } from '../iim/write_iim.ts';
import { type Account, type Keep, NOT_RIGHTS } from './carried.ts';

/** Version, character set, By-line and its title, Credit, Source, Copyright Notice. IIM 4.2, chapter 6. */
const RIGHTS = new Set(['1:90', '2:0', '2:80', '2:85', '2:110', '2:115', '2:116']);

/** The IPTC-IIM datasets that go over, as they are. */
export function carriedIim(iim: Uint8Array, keep: Keep, account: Account): Buffer | undefined {
  const datasets = readIim(iim);
  const kept =
    keep === 'all' ? datasets : datasets.filter(({ record, number }) => RIGHTS.has(`${record}:${number}`));
  if (kept.length < datasets.length)
    account.dropped.set('iptc_iim', `${NOT_RIGHTS}: ${datasets.length - kept.length} other datasets went`);
  if (!kept.some(({ record, number }) => record === 2 && number > 0)) return undefined;
  account.kept.add('iptc_iim');
  return encodeIim(kept);
}
