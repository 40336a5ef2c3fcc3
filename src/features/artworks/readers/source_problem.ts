/** A file that cannot be read, or not to its end. Rows read before are valid. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
}
