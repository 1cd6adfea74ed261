export * from './entries.js';
export * from './generated.js';
export { type CallOptions, DemarcError, type DemarcOptions, type Fault, queryText } from './requests.js';
