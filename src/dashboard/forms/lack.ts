import { may, whyNot } from '../api/members.js';

/** Why the session cannot do something; undefined: it can. */
export const lackOf = (scope: Parameters<typeof may>[0]): string | undefined =>
  may(scope) ? undefined : whyNot.value;
