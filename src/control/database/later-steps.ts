/** The step that a release before this one cannot run beside: operators take it by `demarc control --partition-calls`, and no start does. */
export const partitionStep = '0250-contract-call-partitions';

/** Steps that `migrate` never takes, and that this release works with, taken or not. */
export const stepsOfOperators: readonly string[] = [partitionStep];
