/** A colour that is pointed at is searched for at once. Keys choose first, and search with Enter. */
const form = document.querySelector<HTMLFormElement>('form#search');

for (const input of document.querySelectorAll<HTMLInputElement>('.dots input'))
  input.addEventListener('click', ({ detail }) => {
    // What arrow keys choose counts no click.
    if (detail > 0) form?.requestSubmit();
  });
