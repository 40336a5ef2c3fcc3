/** Available printing conditions: shipped ones and those added by the operator. */
export interface PressProfiles {
  /** A profile by name. @throws AtelierError invalid_input naming `field` and the available names */
  find(name: string, field: string): Promise<PressProfileFile>;
  list(): Promise<readonly PressProfileFile[]>;
}

export interface PressProfileFile {
  readonly name: string;
  readonly path: string;
  /** Name in the ICC registry of characterisations; absent for profiles of the operator. */
  readonly registered?: string;
}
