import { describe, expect, test } from 'vitest';
import type { RestoredDialog } from '../../../../src/engine/dialog/restored-dialog.js';
import { readRestoreDocument } from '../../../../src/engine/wire/restore-document.js';
import {
  expectNothingLeft,
  Fixture,
  peerAddress,
  peerRequest,
  peerResponse,
  RecordingApplication,
  sdp,
} from './fixture.js';

const document = {
  role: 'uas',
  call_id: 'call-1',
  local_party: '<sip:bob@192.0.2.10>;tag=bt1',
  remote_party: '<sip:alice@example.net>;tag=at1',
  route_set: [] as string[],
  remote_target: `sip:alice@${peerAddress}:5060`,
  local_contact: '<sip:192.0.2.10:5060>',
  local_sequence: 100,
  remote_sequence: 1 as number | null,
  flow: { protocol: 'udp', address: peerAddress, port: 5060 },
  next_hop: null as string | null,
  session_timer: null as { seconds: number; is_ours: boolean } | null,
  allows_update: true,
  local_description: sdp as string | null,
};

const dialogId = 'call-1;from-tag=at1';

function dialogOf(changes: Partial<typeof document> = {}): RestoredDialog {
  return readRestoreDocument(JSON.stringify([{ ...document, ...changes }]))[0]!;
}

const restore = (fixture: Fixture, changes: Partial<typeof document> = {}) =>
  fixture.core.restore(fixture.application, [dialogOf(changes)]);

describe('a dialog of an engine that is gone', () => {
  test('carries requests both ways after its restore', async () => {
    const fixture = new Fixture();
    expect(restore(fixture)).toEqual([{ id: dialogId, local_contact: document.local_contact }]);
    fixture.within(dialogId, 'INFO');
    const info = fixture.sentRequest('INFO');
    expect(info.headers.get('CSeq')).toBe('101 INFO');
    expect(info.headers.get('From')).toBe(document.local_party);
    expect(info.headers.get('To')).toBe(document.remote_party);
    fixture.deliver(peerResponse(info, '200 OK'));
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt1', cseq: 2 }));
    fixture.respond(fixture.application.lastRequest, '200 OK');
    expect(fixture.wire()).toEqual(['200']);
    await expectNothingLeft(fixture);
  });

  test('gets the listener for its peer in the place of localhost in its Contact', () => {
    const fixture = new Fixture();
    const local_contact = '<sip:demarc@localhost;transport=tcp>';
    const [outcome] = restore(fixture, {
      local_contact,
      flow: { protocol: 'tcp', address: peerAddress, port: 45_000 },
    });
    const { address, port } = fixture.transport.listenerFor('tcp', peerAddress)!;
    expect(outcome).toEqual({
      id: dialogId,
      local_contact: `<sip:demarc@${address}:${port};transport=tcp>`,
    });
  });

  test('is the same one when its application restores it again, as after a reply that was late', () => {
    const fixture = new Fixture();
    const first = restore(fixture);
    expect(restore(fixture)).toEqual(first);
    expect(fixture.core.counts.dialogs).toBe(1);
  });

  test('cannot take the name of one that the engine has', () => {
    const fixture = new Fixture();
    restore(fixture);
    fixture.application = new RecordingApplication();
    expect(restore(fixture)).toEqual([{ error: 'dialog exists' }]);
    expect(restore(fixture, { local_party: '<sip:bob@192.0.2.10>;tag=other' })).toEqual([
      { error: 'dialog exists' },
    ]);
  });

  test('over a lost connection reaches the peer by the given next hop, then by its new connection', () => {
    const fixture = new Fixture();
    restore(fixture, {
      flow: { protocol: 'tcp', address: peerAddress, port: 45_000 },
      remote_target: `sip:alice@10.0.0.7:5060;transport=tcp`,
      next_hop: `sip:${peerAddress}:5070;transport=tcp`,
    });
    fixture.within(dialogId, 'INFO');
    const [sent] = fixture.take();
    expect(sent!.flow).toMatchObject({ protocol: 'tcp', remotePort: 5070 });
    expect(sent!.message).toMatchObject({ uri: 'sip:alice@10.0.0.7:5060;transport=tcp' });
    const flow = fixture.flow('tcp', 46_000);
    const contact = '<sip:alice@10.0.0.7:5060;transport=tcp>';
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: 'bt1', cseq: 2, contact, body: sdp }), flow);
    fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    fixture.take();
    fixture.within(dialogId, 'INFO');
    expect(fixture.take()[0]!.flow.remotePort).toBe(46_000);
  });

  test('is refused where the engine has no listener for its transport, and others are restored', () => {
    const fixture = new Fixture();
    const flow = { protocol: 'tls', address: peerAddress, port: 45_000 };
    const listeners = fixture.transport.listeners.filter(({ protocol }) => protocol !== 'tls');
    Object.assign(fixture.transport, { listeners });
    expect(restore(fixture, { flow })).toEqual([{ error: 'no listener for its transport' }]);
    expect(restore(fixture)).toMatchObject([{ id: dialogId }]);
  });

  test('is refreshed by the engine before the peer ends it', async () => {
    const fixture = new Fixture();
    restore(fixture, { session_timer: { seconds: 90, is_ours: true } });
    await fixture.clock.advance(45_000);
    expect(fixture.sentRequest('UPDATE').headers.get('CSeq')).toBe('101 UPDATE');
  });

  test.each([
    ['a line break', { call_id: 'a\r\nVia: x' }, 'call_id must be one line of text'],
    ['another role', { role: 'both' }, 'role must be uas or uac'],
    ['a field that nothing reads', { surplus: 1 }, 'surplus is unknown'],
    ['a number beyond CSeq', { local_sequence: 2 ** 31 }, 'local_sequence must be a whole number'],
  ])('is refused with %s', (_what, changes, text) => {
    expect(() => readRestoreDocument(JSON.stringify([{ ...document, ...changes }]))).toThrow(text);
  });
});

describe('requests within dialogs that a restarted engine does not know yet', () => {
  test('wait for the restore of their dialog, others get 481 when the time is over', async () => {
    const fixture = new Fixture();
    fixture.core.awaitRestore(3_000);
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: 'bt1', cseq: 2, body: sdp }));
    fixture.deliver(peerRequest(fixture, 'INFO', { toTag: 'zz9', callId: 'call-2', cseq: 2 }));
    await fixture.clock.advance(1_000);
    expect(fixture.wire()).toEqual([]);
    restore(fixture);
    expect(fixture.application.methods).toEqual(['INVITE']);
    fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    expect(fixture.wire()).toEqual(['200']);
    fixture.deliver(peerRequest(fixture, 'ACK', { toTag: 'bt1', cseq: 2 }));
    await fixture.clock.advance(2_100);
    expect(fixture.wire()).toEqual(['481']);
    fixture.deliver(peerRequest(fixture, 'INFO', { toTag: 'zz9', callId: 'call-3', cseq: 2 }));
    expect(fixture.wire()).toEqual(['481']);
  });

  test('wait longer while a connected application has not said that it is ready', async () => {
    const fixture = new Fixture();
    fixture.application.owner = 'edge-1';
    fixture.core.awaitRestore(3_000);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt1', cseq: 2 }));
    await fixture.clock.advance(4_000);
    expect(fixture.wire()).toEqual([]);
    fixture.core.isRestored(fixture.application);
    await fixture.clock.advance(200);
    expect(fixture.wire()).toEqual(['481']);
  });

  test('wait for an application that connects late, because it was killed together with the engine', async () => {
    const fixture = new Fixture([]);
    fixture.core.awaitRestore(3_000);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt1', cseq: 2 }));
    fixture.deliver(peerRequest(fixture, 'INFO', { toTag: 'zz9', callId: 'call-2', cseq: 2 }));
    await fixture.clock.advance(12_000);
    expect(fixture.wire()).toEqual([]);
    fixture.application.owner = 'edge-1';
    await fixture.clock.advance(1_000);
    restore(fixture);
    expect(fixture.application.methods).toEqual(['BYE']);
    fixture.respond(fixture.application.lastRequest, '200 OK');
    expect(fixture.wire()).toEqual(['200']);
    fixture.core.isRestored(fixture.application);
    await fixture.clock.advance(200);
    expect(fixture.wire()).toEqual(['481']);
    await expectNothingLeft(fixture);
  });

  test('get 481 before their peers give up when no application comes', async () => {
    const fixture = new Fixture([]);
    fixture.core.awaitRestore(3_000);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt1', cseq: 2 }));
    await fixture.clock.advance(19_500);
    expect(fixture.wire()).toEqual([]);
    await fixture.clock.advance(600);
    expect(fixture.wire()).toEqual(['481']);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt2', cseq: 2 }));
    expect(fixture.wire()).toEqual(['481']);
  });

  test('wait again when the next process of a succession begins to restore', async () => {
    const fixture = new Fixture();
    fixture.core.awaitRestore(3_000);
    await fixture.clock.advance(2_000);
    fixture.core.awaitRestore(3_000);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt1', cseq: 2 }));
    await fixture.clock.advance(2_500);
    expect(fixture.wire()).toEqual([]);
    await fixture.clock.advance(700);
    expect(fixture.wire()).toEqual(['481']);
  });

  test('wait for the application that a predecessor hands over, though others are ready', async () => {
    const fixture = new Fixture();
    fixture.application.owner = 'edge-1';
    fixture.core.isRestored(fixture.application);
    fixture.core.awaitRestore(3_000, 'edge-2');
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt1', cseq: 2 }));
    await fixture.clock.advance(6_000);
    expect(fixture.wire()).toEqual([]);
    fixture.application.owner = 'edge-2';
    fixture.core.isRestored(fixture.application);
    await fixture.clock.advance(200);
    expect(fixture.wire()).toEqual(['481']);
  });

  test('wait up to 8 MiB in all; further ones get 481', () => {
    const fixture = new Fixture([]);
    fixture.core.awaitRestore(3_000);
    const body = 'x'.repeat(3 * 1024 * 1024);
    for (const cseq of [2, 3, 4]) fixture.deliver(peerRequest(fixture, 'INFO', { toTag: 'bt1', cseq, body }));
    expect(fixture.wire()).toEqual(['481']);
  });

  test('get 481 at once where no restart is announced', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: 'bt1', cseq: 2 }));
    expect(fixture.wire()).toEqual(['481']);
  });
});
