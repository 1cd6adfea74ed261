import type { Evidence, Verdict } from '../conversation/evidence.js';
import { type CheckedType, check } from './checks.js';

export interface CheckOrder {
  readonly type: CheckedType;
  readonly config: unknown;
  readonly evidence: Evidence;
}

export default ({ type, config, evidence }: CheckOrder): Verdict => check(type, config, evidence);
