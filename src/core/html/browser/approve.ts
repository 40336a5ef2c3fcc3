/** Approves or refuses one call. */
import { findElement } from './find_element.ts';
import { askToSign } from './sign.ts';

const { id, wallet = '' } = findElement('form', HTMLFormElement).dataset;

askToSign({
  address: `/api/wallet/approvals/${id}`,
  wallet: () => wallet,
  terms: () => ({}),
  granted: 'Approved. Return to your assistant: it can now send the call once.',
  refused: 'Refused. You were not charged.',
});
