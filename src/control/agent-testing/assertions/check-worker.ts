import { type CheckedType, check } from './checks.js';
import type { Evidence, Verdict } from './evidence.js';

export interface CheckOrder {
  readonly type: CheckedType;
  readonly config: unknown;
  readonly evidence: Evidence;
}

export default ({ type, config, evidence }: CheckOrder): Verdict => check(type, config, evidence);
