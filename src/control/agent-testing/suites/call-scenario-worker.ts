import { type CallDraft, type RecordedCall, scenarioOfRecordedCall } from './call-scenario.js';

/** Patterns that backtrack read texts of strangers. */
export default (call: RecordedCall): CallDraft | undefined => scenarioOfRecordedCall(call);
