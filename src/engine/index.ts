/** `demarc/engine`: the SIP engine as a library, in the process that imports it. */
export { type EngineSettings, readEngineSettings } from '../config/engine-settings.js';
export { type EngineNotices, type EngineSnapshot, engineVersion } from './engine.js';
export { Engine, type EngineOptions } from './library.js';
