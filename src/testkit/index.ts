/** `demarc/testkit`: what tests of SIP applications and of the engine need; independent of any test runner. */
export { seededRandom } from '../base/seeded-random.js';
export { type Faults, FaultyLink, type LinkEnd } from './faulty-link.js';
export { ManualClock } from './manual-clock.js';
export { MemoryTransport, type Reachability, received, type Sent } from './memory-transport.js';
export { type Arrival, type PeerOptions, type PeerProtocol, type Route, SipPeer } from './sip-peer.js';
