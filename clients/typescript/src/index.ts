export * from './entries.js';
export * from './errors.js';
export type { LiveEvent, LiveEventOptions } from './events.js';
export * from './generated.js';
export { type CallOptions, type DemarcOptions, queryText } from './requests.js';
export { Demarc } from './resources.js';
export { version } from './version.js';
export * from './webhooks.js';
