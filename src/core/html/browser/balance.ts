/** Updates the balance in the page header. @param page as the server has just drawn it */
export function showBalance(page: Document): void {
  const [shown, fresh] = [document, page].map((one) => one.querySelector('.top .side a'));
  if (shown && fresh && shown.textContent !== fresh.textContent) shown.textContent = fresh.textContent;
}
