/** Names of fields whose values are secrets, as snake case. */
export const secretName =
  /(^|[_\-.\s])(api|access|auth|private|secret|signing)?[_-]?(key|token|secret|password|passwd|pwd|credential|credentials|authorization|bearer|cookie)s?($|[_\-.\s])|apikey|accesstoken|authtoken/i;

/** Keys of providers, and long random strings. */
export const keyText =
  /\b(sk|pk|rk|whsec|ghp|gho|xox[abp]|AKIA|AIza|eyJ)[-_A-Za-z0-9.]{12,}|\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{32,}\b/g;
