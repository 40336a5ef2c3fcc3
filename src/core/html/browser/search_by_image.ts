/** Searches by an image as soon as it is chosen, dropped or pasted. */
import './drop.ts';

document.addEventListener('sent', (event) => {
  const form = (event.target as Element).closest('#by-image');
  const handle = form?.querySelector<HTMLInputElement>('details input')?.value;
  if (handle) location.assign(`/collection?${new URLSearchParams({ like: handle })}`);
});
