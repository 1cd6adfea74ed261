/** `demarc/bot`: the server's side of an agent by WebSocket (docs/agent-websocket.md), for bots in Node.js. It depends on `ws` alone. */

export type { BotCallEvents, CallFacts, PlayedMark } from './bot-call.js';
export { BotCall } from './bot-call.js';
export type { CallServer, ServeOptions } from './serve-calls.js';
export { serveCalls } from './serve-calls.js';
export type { HandshakeFields, Signing } from './verify-signature.js';
export { isSigned } from './verify-signature.js';
