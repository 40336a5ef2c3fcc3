/** The first element that matches a selector. @throws Error if the page has none, because page and script do not match */
export function findElement<E extends Element>(selector: string, kind: new () => E): E {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} at ${selector}.`);
}
