/** Approves or refuses one call. */
import { findElement } from './find_element.ts';
import { askToSign } from './sign.ts';

const { id, wallet = '' } = findElement('form', HTMLFormElement).dataset;

askToSign({
  address: `/api/wallet/approvals/${id}`,
  wallet: () => wallet,
  terms: () => ({}),
  granted: 'Approved. Go back to your assistant: it can send the call now, once.',
  refused: 'Refused. Nothing was spent.',
});
