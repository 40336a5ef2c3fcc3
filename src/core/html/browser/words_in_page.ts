/** The message of an error page of this server or a proxy. */
export const wordsInPage = (page: Document): string =>
  [...page.querySelectorAll('main h1, main p:not(.quiet)')]
    .map(({ textContent }) => (/[.?!]$/.test(textContent) ? textContent : `${textContent}.`))
    .join(' ') || 'Invalid response from the server. Try again.';
