/** The offer or answer of one side cannot be used: 488 with this Warning to the offerer. */
export class MediaRefused extends Error {
  readonly status = 488;

  constructor(
    readonly warning: string,
    readonly detail: string,
  ) {
    super(detail);
    this.name = 'MediaRefused';
  }
}
