/** A click on a colour searches at once. Arrow keys select, and Enter searches. */
const form = document.querySelector<HTMLFormElement>('form#search');

for (const input of document.querySelectorAll<HTMLInputElement>('.dots input'))
  input.addEventListener('click', ({ detail }) => {
    // Arrow keys produce clicks with count 0.
    if (detail > 0) form?.requestSubmit();
  });
