/** Why a signed request proves nothing; the message ends a sentence: "The signature of the request is not accepted: …" */
export class SignatureProblem extends Error {}
