/** What the payment pages do in a browser. Nothing is inserted into these texts: they read the page they stand in. */

/** Sends the test card to the desk of simulated cards. */
export const SIMULATED_SCRIPT = `const form = document.querySelector('form');
const status = form.querySelector('[role=status]');
const button = form.querySelector('button');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = 'Asking the bank …';
  const { id, kind } = form.dataset;
  const isIntent = kind === 'intent';
  const path = isIntent ? '/api/dev/confirm-payment-intent' : '/api/dev/pay-checkout';
  const name = isIntent ? 'payment_intent_id' : 'session_id';
  try {
    const reply = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ [name]: id, card: form.card.value }),
    });
    const answer = await reply.json();
    if (!reply.ok) throw new Error(answer.detail);
    if (answer.redirect_url) location.assign(answer.redirect_url);
    else status.textContent = 'Paid. You can close this page; the program that sent you here can go on.';
  } catch (error) {
    status.textContent = error.message;
    button.disabled = false;
  }
});
`;

/** Shows Stripe's own card form; the client secret stands behind the # of the address. */
export const STRIPE_SCRIPT = `const form = document.querySelector('form');
const status = form.querySelector('[role=status]');
const button = form.querySelector('button');
const clientSecret = location.hash.slice(1);
const PAID = 'Paid. You can close this page; the program that sent you here can go on.';
function load() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'https://js.stripe.com/v3/';
    script.onload = resolve;
    script.onerror = () => reject(new Error('The card form could not be loaded. Please try again later.'));
    document.head.append(script);
  });
}
async function show() {
  if (!clientSecret) throw new Error('This address is not complete: open the whole pay_url, with what follows the #.');
  await load();
  const stripe = Stripe(form.dataset.key);
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
  if (error) throw new Error(error.message);
  if (paymentIntent.status !== 'requires_payment_method' && paymentIntent.status !== 'requires_action') {
    status.textContent = paymentIntent.status === 'canceled' ? 'This payment was canceled.' : PAID;
    return;
  }
  const elements = stripe.elements({ clientSecret });
  elements.create('payment').mount('#card');
  status.textContent = '';
  button.disabled = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const result = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: location.href },
    });
    status.textContent = result.error ? result.error.message : PAID;
    button.disabled = !result.error;
  });
}
show().catch((error) => {
  status.textContent = error.message;
});
`;

/** As Stripe documents them for its card form. */
export const STRIPE_SOURCES = {
  'script-src': 'https://js.stripe.com https://*.js.stripe.com',
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  'connect-src': 'https://api.stripe.com',
};
