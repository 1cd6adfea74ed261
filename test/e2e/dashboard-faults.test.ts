import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause } from '../../src/testkit/waiting.js';
import type { Visitor } from './browser.js';
import { answeredCall, inbound, Visit } from './dashboard/visit.js';
import type { RunningSystem } from './running-system.js';

const answered = '+12025550161';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;
let callers: SipPeer;

beforeAll(async () => {
  visit = await Visit.alone();
  system = visit.system;
  await visit.attach(answered, inbound());
  callers = await visit.peer();
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

describe('a call, as the dashboard shows it', () => {
  it('continues at the other edge when its edge is killed, as the overview and its ladder say', async () => {
    const { page } = noc;
    const call = await answeredCall(callers, answered);
    const held = async () => (await system.ask('GET', '/v1/noc/calls/live')).data.calls[0];
    await expect.poll(async () => (await held())?.edge_id, { timeout: 30_000 }).toMatch(/^edge-[12]$/);
    const { edge_id: lost, call_id: id } = await held();
    const successor = lost === 'edge-1' ? 'edge-2' : 'edge-1';
    // Its document is in Redis.
    await pause(200);
    system.kill(lost);
    await noc.open('/');
    await page
      .getByRole('list', { name: 'Calls taken over' })
      .getByText(`${successor} took over 1 call from ${lost} at`)
      .waitFor();
    await noc.expectAccessible('overview-takeover');
    await noc.picture('overview-takeover');
    await call.hangUp();
    await expect
      .poll(async () => (await system.ask('GET', `/v1/sip/calls/${id}`)).data?.state, { timeout: 30_000 })
      .toBe('ended');
    await noc.open(`/calls/${id}`);
    await page.getByText(`${successor} took the call over from ${lost} at`).waitFor();
    await noc.expectAccessible('call-takeover');
    await noc.picture('call-takeover');
  });

  it('counts it in the overview, and says so when the connection is interrupted', async () => {
    const { page } = noc;
    await noc.open('/');
    await page.getByText('1 of 1, last hour').waitFor();
    await page.locator('.connection').getByText('Live').waitFor();
    // Both stand there only until control is back.
    const announced = Promise.all([
      page.locator('.connection').getByText('Reconnecting').waitFor(),
      page.getByText('Connection lost.').waitFor(),
    ]);
    system.kill('control');
    await announced;
    await page.locator('.connection').getByText('Live').waitFor();
  });
});
