import type { DirectBlob, DirectTerms } from '../types.ts';
import { StoredBlob } from './stored_blob.ts';

/** Bytes of an object whose callers may be sent to the store. */
export class LinkedBlob extends StoredBlob implements DirectBlob {
  addressFor(terms: DirectTerms): Promise<string> {
    return this.bucket.client.addressOf(this.key, terms);
  }
}
