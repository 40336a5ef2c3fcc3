/** The printing conditions a sheet can be made for: those that come with the service and those the operator adds. */
export interface PressProfiles {
  /** @throws AtelierError invalid_input naming `field` and the names there are */
  find(name: string, field: string): Promise<PressProfileFile>;
  list(): Promise<readonly PressProfileFile[]>;
}

export interface PressProfileFile {
  readonly name: string;
  readonly path: string;
  /** Its name in the ICC's registry of characterisations; absent for those of the operator. */
  readonly registered?: string;
}
