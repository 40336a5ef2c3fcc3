/** A file that cannot be read (on): where, and what is wrong with it. Rows read before it are sound. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
}
