import type { AssertionType, Config } from './assertion-fields.js';

/** An assertion while it is edited. */
export interface AssertionDraft {
  /** Stays the same while assertions before it are removed. */
  readonly key: string;
  readonly type: AssertionType;
  readonly name: string;
  readonly is_required: boolean;
  readonly weight: number;
  readonly config: Config;
}
