import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import { type HeldCall, heldCallSchema, heldCallVersion } from '../../../../src/contract/held-call.js';
import { readHeldCall } from '../../../../src/contract/held-call-versions.js';
import type { Call, CallDeps } from '../../../../src/edge/call/call.js';
import { limitDuration } from '../../../../src/edge/call/established.js';
import { describeCall } from '../../../../src/edge/call/held-call.js';
import { tearDown } from '../../../../src/edge/call/tear-down.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { MediaSession } from '../../../../src/edge/media/media-session.js';
import { type MediaSide, otherSide } from '../../../../src/edge/media/rtp-statistics.js';
import type { RtpenginePool } from '../../../../src/edge/media/rtpengine-pool.js';
import { OutboundCall } from '../../../../src/edge/outbound/outbound-call.js';
import { rebuildDialog } from '../../../../src/edge/sip/rebuild-dialog.js';
import { authenticate, credentialOf } from '../../../../src/edge/sip/request-in-dialog.js';
import { RestoredCall } from '../../../../src/edge/survival/restored-call.js';
import { agentDescription, trunkDescription } from '../../../contract/media/descriptions.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

const library = { addDialog: () => {}, sender: { agent: {}, socket: {} as Socket } };
const key = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj\r\n';
const runs = 100;

/** Each asks for its packets twice a second until it is released, hundreds of them in all. */
const sessions: MediaSession[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((session) => session.release())));

/** rtpengine's part: addresses and transport are its own, the rest is as it got it. Notes the commands. */
class Node {
  readonly commands: object[] = [];
  readonly pool = {
    egress: undefined,
    unprovenMilliseconds: 1_000,
    nodeNamed: (name: string) => ({ name }),
    open: async (_id: string, parameters: Record<string, string>) => ({
      node: { name: '192.0.2.3:22222' },
      reply: this.reply('offer', parameters),
    }),
    command: async (_node: object, command: string, _id: string, parameters: Record<string, string>) =>
      this.reply(command, parameters),
    exchange: async (_node: object, command: string, _id: string, parameters: Record<string, string>) =>
      this.reply(command, parameters),
    delete: async () => undefined,
    isSymmetric: () => false,
  } as unknown as RtpenginePool;

  private reply(command: string, parameters: Record<string, string>) {
    this.commands.push({ command, ...structuredClone(parameters) });
    if (parameters.sdp === undefined) return { result: 'ok' };
    const protocol = parameters['transport-protocol']!;
    const sdp = parameters.sdp
      .replace(/c=IN IP4 \S+/, 'c=IN IP4 192.0.2.3')
      .replace(/m=audio \d+ RTP\/S?AVP/, `m=audio 30000 ${protocol}`)
      .replace(/a=crypto.*\r\n/g, '');
    const direction = /a=(sendrecv|sendonly|recvonly|inactive)\r\n/.test(sdp) ? '' : 'a=sendrecv\r\n';
    return { result: 'ok', sdp: `${sdp}${direction}${protocol === 'RTP/SAVP' ? key : ''}` };
  }
}

type Random = () => number;
const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)]!;

/** Number of the session in the `o=` line, and a direction, in a description of the side. */
function description(side: MediaSide, version: number, direction: string): string {
  const sdp = side === 'trunk' ? trunkDescription() : agentDescription();
  return `${sdp.replace(/^(o=\S+ \S+) \d+/m, `$1 ${version}`).replace(/a=sendrecv\r\n/, '')}a=${direction}\r\n`;
}

const leg = (
  side: MediaSide,
  role: 'uas' | 'uac',
  random: Random,
): NonNullable<HeldCall['legs']['trunk']> => ({
  role,
  sip_call_id: `${side}-${Math.floor(random() * 1e9)}@192.0.2.1`,
  dialog_id: `${side};from-tag=1`,
  local_tag: 'ours',
  remote_tag: 'theirs',
  local_party: `<sip:us@192.0.2.1>${role === 'uas' ? '' : ';tag=ours'}`,
  remote_party: '"Ünï, Ltd." <sip:peer@192.0.2.2>;tag=theirs',
  request_uri: 'sip:+4930123456@192.0.2.1:5061;transport=tls',
  local_contact: '<sip:demarc@192.0.2.1:5061;transport=tls>',
  remote_target: 'sip:peer@192.0.2.2:40000;transport=tls;ob',
  record_route: random() < 0.5 ? [] : ['<sip:192.0.2.8;lr>', '<sip:192.0.2.9;lr>'],
  sequence: Math.floor(random() * 2 ** 30),
  source: { address: '192.0.2.2', port: 40_000, protocol: oneOf(random, ['tls', 'tcp', 'udp']) },
  allow: random() < 0.3 ? null : 'INVITE, ACK, BYE, UPDATE',
  owes_ack: false,
  session_timer: null,
  remote_description: null,
  local_description: null,
  is_new_party: false,
  credential: null,
});

function inboundCall(deps: CallDeps): Call {
  const { request, response } = invitation();
  const call = new InboundCall(deps, request, response);
  call.identifyAgent({
    agentUri: 'sip:agent@192.0.2.9',
    agentSipCallId: 'sip-2',
    otherAgentSipCallIds: ['x'],
  });
  return call;
}

/** Ordered by the API; the second server took it. */
function outboundCall(deps: CallDeps, random: Random): Call {
  const command = { call_id: 'call-1', number: '12025550100', phone_number: '14155550100' };
  const call = new OutboundCall(deps, command, () => {}, {
    agentUri: 'sip:agent@192.0.2.9',
    agentSipCallId: 'sip-2',
    agentOffer: agentDescription(),
  });
  const source = { address: '192.0.2.7', port: 5061, protocol: 'tls' };
  if (random() < 0.5) {
    call.identifyTrunk({ trunkSipCallId: 'sip-0', source });
    call.noteAttempt({
      server: 'out',
      sip_call_id: 'sip-0',
      started_at: '2026-11-22T12:00:00.000Z',
      duration_milliseconds: 20,
      sip_status: 503,
      sip_reason: 'Service Unavailable',
      is_local: false,
      trigger: null,
    });
  }
  call.identifyTrunk({ trunkSipCallId: 'sip-1', source });
  return call;
}

/** A call in a random state that outlives its process, after random exchanges of descriptions. */
async function randomCall(random: Random, node: Node): Promise<Call> {
  const { deps } = new CallDoubles();
  const isOutbound = random() < 0.5;
  const call = isOutbound ? outboundCall(deps, random) : inboundCall(deps);
  const slot = { number: '12025550100', id: 'slot-1', key: 'policy 1' };
  call.admit({
    number: '12025550100',
    organization: 'acme',
    maximumSeconds: 600,
    release: () => {},
    shared: random() < 0.3 ? slot : undefined,
  });
  const codecs = {
    order: oneOf(random, [['PCMU' as const], ['PCMA' as const, 'PCMU' as const]]),
    transcode: random() < 0.3,
  };
  const playsDigits = random() < 0.3;
  const isSymmetric = random() < 0.5 ? random() < 0.5 : undefined;
  const media = new MediaSession(call.state.id, node.pool, {
    codecs,
    group: 'acme',
    playsDigits,
    parties: { agent: { profile: 'RTP/AVP', isSymmetric } },
  });
  sessions.push(media);
  call.useMedia(media);
  call.invite();
  if (random() < 0.7) call.ring();
  for (const side of ['trunk', 'agent'] as const) {
    const role = side === 'trunk' && !isOutbound ? 'uas' : 'uac';
    const dialog = rebuildDialog(library, leg(side, role, random));
    if (random() < 0.3) authenticate(dialog, { username: `user-${side}`, begin: () => ({}) as never });
    call.setDialog(side, dialog);
    if (random() < 0.5)
      call.setSession(side, { seconds: 90 + Math.floor(random() * 1_000), isOurs: random() < 0.5 });
  }
  const exchanges = 1 + Math.floor(random() * 3);
  for (let version = 1; version <= exchanges; version++) {
    const from = version === 1 ? 'trunk' : oneOf(random, ['trunk', 'agent'] as const);
    const to = otherSide(from);
    const directions = ['sendrecv', 'sendonly', 'inactive'];
    const offer = description(from, version, version === 1 ? 'sendrecv' : oneOf(random, directions));
    const offered = await media.offer(from, offer);
    const answer = description(to, version, 'sendrecv');
    const answered = await media.answer(answer);
    call.describeSide(from, { remote: offer, local: answered });
    call.describeSide(to, { remote: answer, local: offered });
  }
  call.answer();
  call.setDeadline('maximum_duration', 600, () => {});
  // Only a confirmed call has a document.
  call.acknowledge();
  call.confirm();
  if (random() < 0.3) call.replaceParty('agent', call.dialogs.agent!, undefined);
  if (random() < 0.3) call.noteAdoption('edge-0', 1_790_000_000_000);
  if (random() < 0.3) call.noteSipCallId('earlier');
  if (random() < 0.3) call.noteMediaMove('192.0.2.3:22222', '192.0.2.4:22222', 310);
  return call;
}

/** As a successor reads it from Redis. */
const written = (call: Call): HeldCall =>
  heldCallSchema.parse(JSON.parse(JSON.stringify(describeCall(call))));

function restore(held: HeldCall, pool: RtpenginePool): RestoredCall {
  const { deps } = new CallDoubles();
  const call = new RestoredCall(deps, held);
  const media = MediaSession.restored(held.media!, call.state.descriptions, pool, call);
  sessions.push(media);
  call.useMedia(media);
  for (const side of ['trunk', 'agent'] as const) {
    const leg = held.legs[side]!;
    const dialog = rebuildDialog(library, leg);
    if (leg.credential !== null)
      authenticate(dialog, { username: leg.credential, begin: () => ({}) as never });
    call.setDialog(side, dialog);
  }
  call.acknowledge();
  call.confirm();
  limitDuration(call, (held.deadline!.at - Date.now()) / 1_000);
  return call;
}

describe('a held call', () => {
  it(`is the same after ${runs} random calls were described and restored`, async () => {
    for (let seed = 1; seed <= runs; seed++) {
      const random = seededRandom(seed);
      const node = new Node();
      const call = await randomCall(random, node);
      const before = written(call);
      const restored = restore(before, node.pool);
      const after = written(restored);
      expect(Math.abs(after.deadline!.at - before.deadline!.at), `seed ${seed}`).toBeLessThan(2_000);
      expect({ ...after, deadline: null }, `seed ${seed}`).toEqual({ ...before, deadline: null });
      expect(credentialOf(restored.dialogs.trunk!)).toBe(credentialOf(call.dialogs.trunk!));
      expect(restored.media!.summary, `seed ${seed}`).toEqual(call.media!.summary);
    }
  });

  it('tells rtpengine the same as the process that began it', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed);
      const node = new Node();
      const call = await randomCall(random, node);
      const restored = restore(written(call), node.pool);
      node.commands.length = 0;
      await call.media!.audio.playDigit('trunk', '5', 100);
      const expected = node.commands.splice(0);
      await restored.media!.audio.playDigit('trunk', '5', 100);
      expect(node.commands, `seed ${seed}`).toEqual(expected);
      // An unchanged description keeps its version (RFC 3264 §8).
      const again = call.state.descriptions.trunk.remote!;
      const offered = await call.media!.offer('trunk', again);
      expect(await restored.media!.offer('trunk', again), `seed ${seed}`).toBe(offered);
    }
  });
});

describe('a held call that ends before the engine has given its dialogs', () => {
  it('sends BYE to each side once it has them, but to one that has hung up', async () => {
    for (const leaving of [undefined, 'trunk', 'agent'] as const) {
      const { call, dialogs } = await begunWithDialogs();
      call.end({ reason: 'media_timeout', by: 'edge' });
      await setImmediate();
      expect([dialogs.trunk.byes, dialogs.agent.byes]).toEqual([[], []]);
      if (leaving !== undefined) dialogs[leaving].connected = false;
      call.acknowledge();
      await setImmediate();
      for (const side of ['trunk', 'agent'] as const)
        expect(dialogs[side].byes, `${side} where ${leaving} has left`).toHaveLength(
          side === leaving ? 0 : 1,
        );
    }
  });

  /** Restored from its document, before its dialogs are adopted. */
  async function begunWithDialogs() {
    const held = written(await randomCall(seededRandom(1), new Node()));
    const call = new RestoredCall(new CallDoubles().deps, held);
    call.observer = { ...call.observer, ended: (_call, options) => void tearDown(call, options) };
    const dialogs = { trunk: new DialogDouble('trunk'), agent: new DialogDouble('agent') };
    for (const side of ['trunk', 'agent'] as const) call.setDialog(side, dialogs[side].asDialog);
    return { call, dialogs };
  }
});

describe('the document of a held call', () => {
  /** As it was first written: fields that were added later are absent where they say nothing. */
  function asVersion1({ version: _version, ...held }: HeldCall): string {
    const { next_media_id: _next, open_transfer, shared_slots, media_moves, ...rest } = held;
    return JSON.stringify({
      version: 1,
      ...rest,
      ...(open_transfer !== null && { open_transfer }),
      ...(shared_slots.length > 0 && { shared_slots }),
      ...(media_moves.length > 0 && { media_moves }),
    });
  }

  it('is read in earlier versions, for any call', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const held = written(await randomCall(seededRandom(seed), new Node()));
      expect(readHeldCall(asVersion1(held)), `seed ${seed}`).toEqual(held);
      for (const version of [2, 3])
        expect(readHeldCall(JSON.stringify({ ...held, version })), `seed ${seed}`).toEqual(held);
    }
  });

  it('of a later version is refused with both versions', async () => {
    const held = written(await randomCall(seededRandom(1), new Node()));
    const later = JSON.stringify({ ...held, version: heldCallVersion + 1 });
    expect(() => readHeldCall(later)).toThrow(
      `has version ${heldCallVersion + 1}; this edge reads versions up to ${heldCallVersion}`,
    );
  });

  it('has a new version, and a way to read the one before, when a field changes', () => {
    const schema = JSON.stringify(z.toJSONSchema(heldCallSchema));
    // Edges of two releases read each other's documents. Raise the version, add an upgrade, and put the new digest here.
    expect([heldCallVersion, createHash('sha256').update(schema).digest('hex').slice(0, 16)]).toEqual([
      4,
      '47e0e7f00bf0d90d',
    ]);
  });
});
