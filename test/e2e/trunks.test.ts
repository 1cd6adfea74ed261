import { afterAll, beforeAll } from 'vitest';
import { srtpSuites } from '../../src/sdp/srtp-key.js';
import { Stack } from './stack.js';
import { digestAtCarrier } from './trunks/carrier-digest.js';
import { callsOfLinphone } from './trunks/linphone.js';
import { behindPbx } from './trunks/pbx.js';
import { registeredAtPbx } from './trunks/registration.js';

/** Each group has its own PBX or phone on the same edge; the last one replaces the certificate of the engine. */
let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ plainTrunks: true, edge: { DEMARC_SRTP_SUITES: srtpSuites.join(',') } });
});
afterAll(() => stack?.finish());

const stage = (): Stack => stack;
behindPbx(stage);
registeredAtPbx(stage);
digestAtCarrier(stage);
callsOfLinphone(stage);
