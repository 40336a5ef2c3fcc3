/** Why an engine works on something not at all. Each code says what would help: another picture, format, size or profile. */
export type EngineErrorCode =
  /** The picture is one, but not one for this work. */
  | 'unsuitable_image'
  /** It shows no subject that can be told from the rest. */
  | 'subject_unclear'
  /** It is broken or cut off. */
  | 'undecodable_image'
  /** Its format is none that is read, or written, here. */
  | 'unsupported_image'
  | 'image_too_large'
  /** An argument that is no picture, such as a colour profile. */
  | 'invalid_input';

/** One argument that would have to be another. */
export interface ArgumentProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  readonly got?: unknown;
}

export interface EngineErrorDetails {
  readonly errors?: ArgumentProblem[];
  readonly members?: Record<string, unknown>;
  readonly try?: Record<string, unknown>;
  readonly cause?: unknown;
}

/** What an engine refuses, in words for the caller. Anything else it throws is a bug. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly details: EngineErrorDetails;

  constructor(code: EngineErrorCode, message: string, details: EngineErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'EngineError';
    this.code = code;
    this.details = details;
  }
}
