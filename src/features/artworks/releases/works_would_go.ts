/** An import that would take too many works out, which nobody has allowed. */
export class WorksWouldGo extends Error {
  override readonly name = 'WorksWouldGo';

  constructor({ going, works, left }: { going: number; works: number; left: number }) {
    super(`${going} of the ${works} works of the museum are not in it and would go; it would have ${left}.`);
  }
}
