/** Shows the card form of Stripe. The client secret is in the URL fragment, which is not sent to servers. */
import { findElement } from './find_element.ts';

/** The used part of https://docs.stripe.com/js. */
interface StripeApi {
  retrievePaymentIntent(clientSecret: string): Promise<{ paymentIntent?: { status: string }; error?: Error }>;
  elements(options: { clientSecret: string }): StripeElements;
  confirmPayment(options: {
    elements: StripeElements;
    redirect: 'if_required';
    confirmParams: { return_url: string };
  }): Promise<{ error?: Error }>;
}
interface StripeElements {
  create(kind: 'payment'): { mount(selector: string): void };
}
declare const Stripe: (publishableKey: string) => StripeApi;

const PAID = 'Paid. You can close this page and return to the program that sent you here.';
const form = findElement('form', HTMLFormElement);
const button = findElement('form button', HTMLButtonElement);
const status = findElement('form [role=status]', HTMLElement);

showCardForm().catch((error: Error) => {
  status.textContent = error.message;
});

async function showCardForm(): Promise<void> {
  const clientSecret = location.hash.slice(1);
  if (!clientSecret)
    throw new Error('Incomplete URL. Open the full pay_url, including the part after the #.');
  await loadStripe();
  const stripe = Stripe(form.dataset.key!);
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
  if (!paymentIntent) throw error;
  if (!['requires_payment_method', 'requires_action'].includes(paymentIntent.status)) {
    status.textContent = paymentIntent.status === 'canceled' ? 'This payment was cancelled.' : PAID;
    return;
  }
  const elements = stripe.elements({ clientSecret });
  elements.create('payment').mount('#card');
  status.textContent = '';
  button.disabled = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void pay(stripe, elements);
  });
}

function loadStripe(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'https://js.stripe.com/v3/';
    script.onload = () => resolve();
    script.onerror = () => reject(new Error('Failed to load the card form. Try again later.'));
    document.head.append(script);
  });
}

async function pay(stripe: StripeApi, elements: StripeElements): Promise<void> {
  button.disabled = true;
  const { error } = await stripe.confirmPayment({
    elements,
    redirect: 'if_required',
    confirmParams: { return_url: location.href },
  });
  status.textContent = error ? error.message : PAID;
  button.disabled = !error;
}
