/** Sends the test card to the simulator. */
import { findElement } from './find_element.ts';
import { postToServer } from './post_to_server.ts';

const form = findElement('form', HTMLFormElement);
const card = findElement('#card', HTMLInputElement);
const button = findElement('form button', HTMLButtonElement);
const status = findElement('form [role=status]', HTMLElement);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = 'Processing the payment …';
  try {
    const address = await pay();
    if (address) location.assign(address);
    else status.textContent = 'Paid. You can close this page and return to the program that sent you here.';
  } catch (error) {
    status.textContent = (error as Error).message;
    button.disabled = false;
  }
});

/** @returns redirect target after the purchase of a pack */
async function pay(): Promise<string | null> {
  const { id, kind } = form.dataset;
  const [address, name] =
    kind === 'intent'
      ? ['/api/dev/confirm-payment-intent', 'payment_intent_id']
      : ['/api/dev/pay-checkout', 'session_id'];
  const sent = { [name]: id, card: card.value };
  return (await postToServer<{ redirect_url: string | null }>(address, sent)).redirect_url;
}
