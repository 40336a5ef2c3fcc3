/** Content that opens below its title. */
export function disclosure(title: string, ...content: Node[]): HTMLDetailsElement {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = title;
  details.append(summary, ...content);
  return details;
}
