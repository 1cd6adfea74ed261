import { describe, expect, it } from 'vitest';
import { mapAgentFailure, mapInDialogFailure } from '../../../../src/edge/call/status-map.js';
import { hasForeignBody, sdpOf } from '../../../../src/edge/sip/message-reading.js';
import type { SipMessage } from '../../../../src/edge/sip/messages.js';
import { cleanPhrase, reasonOf, sipReason } from '../../../../src/edge/sip/reason.js';
import {
  reinviteHeaders,
  SessionProposal,
  sessionAgreedBy,
  sessionAgreedIn,
  sessionTimerHeaders,
} from '../../../../src/edge/sip/session-timer.js';
import { headerFields } from '../../../support/header-fields.js';

const message = (
  headers: Record<string, string>,
  body?: string,
  payload?: SipMessage['payload'],
): SipMessage => ({
  ...headerFields(headers),
  ...(body === undefined ? {} : { body }),
  ...(payload === undefined ? {} : { payload }),
});

describe('session timer', () => {
  it.each([
    [{}, {}],
    [
      { 'Session-Expires': '1800;refresher=uac', Supported: '100rel, timer' },
      { 'Session-Expires': '1800;refresher=uac', Require: 'timer' },
    ],
    // Asked for by a proxy: the caller itself would not refresh.
    [{ 'Session-Expires': '1800' }, { 'Session-Expires': '1800;refresher=uas' }],
    [{ Supported: 'replaces,timer' }, { 'Session-Expires': '1800;refresher=uas' }],
    [{ Supported: 'replaces' }, {}],
    [{ 'Session-Expires': '1800;refresher=uas' }, { 'Session-Expires': '1800;refresher=uas' }],
    [
      { 'Session-Expires': '600', Supported: 'timer' },
      { 'Session-Expires': '600;refresher=uac', Require: 'timer' },
    ],
    [{ x: '600 ; Refresher=UAS' }, { 'Session-Expires': '600;refresher=uas' }],
    [{ 'Session-Expires': '7200;refresher=uas' }, { 'Session-Expires': '1800;refresher=uas' }],
    [
      { 'Session-Expires': '7200;refresher=uas', 'Min-SE': '3600' },
      { 'Session-Expires': '3600;refresher=uas' },
    ],
    [{ 'Session-Expires': '30;refresher=uas' }, { 'Session-Expires': '90;refresher=uas' }],
    [{ 'Session-Expires': 'soon' }, {}],
  ])('%o is answered %o', (asked, answered) => {
    expect(sessionTimerHeaders(message(asked as Record<string, string>), 1_800)).toEqual(answered);
  });
});

describe('session proposal', () => {
  const answer = (status: number, minimum?: string) => ({
    status,
    get: (name: string) => (name === 'Min-SE' ? minimum : undefined),
  });
  it('is raised by a 422, which is repeated back as Min-SE', () => {
    const proposal = new SessionProposal(1_800);
    expect(proposal.headers()).toEqual({ 'Session-Expires': '1800' });
    expect(proposal.accept(answer(486))).toBe(false);
    expect(proposal.accept(answer(422, '3600'))).toBe(true);
    expect(proposal.headers()).toMatchObject({ 'Session-Expires': '3600', 'Min-SE': '3600' });
  });
  it('is not raised by what cannot help, nor without end', () => {
    for (const minimum of [undefined, '1800', 'x', '999999999']) {
      expect(new SessionProposal(1_800).accept(answer(422, minimum))).toBe(false);
    }
    const proposal = new SessionProposal(90);
    const rounds = [100, 200, 300, 400, 500].map((each) => proposal.accept(answer(422, String(each))));
    expect(rounds).toEqual([true, true, true, true, false]);
  });
  it('and its agreement is read from both roles', () => {
    expect(sessionAgreedBy(message({ 'Session-Expires': '600' }))).toEqual({ seconds: 600, isOurs: true });
    const refresher = (value: string) =>
      sessionAgreedBy(message({ 'Session-Expires': `90;${value}` }))?.isOurs;
    expect(refresher('refresher=uac')).toBe(true);
    expect(refresher('a=b; Refresher=UAS')).toBe(false);
    expect(sessionAgreedIn({ 'Session-Expires': '90;refresher=uas' })).toEqual({ seconds: 90, isOurs: true });
    expect(sessionAgreedIn({})).toBeUndefined();
    expect(reinviteHeaders({ seconds: 90, isOurs: false })).toMatchObject({
      'Session-Expires': '90;refresher=uas',
    });
  });
});

describe('statuses', () => {
  it('state which side was unreachable', () => {
    expect(mapAgentFailure(408, true)).toMatchObject({ status: 504, endReason: 'agent_unreachable' });
    expect(mapAgentFailure(503, true)).toMatchObject({ status: 503, endReason: 'agent_unreachable' });
    expect(mapAgentFailure(503, false)).toMatchObject({ status: 503, endReason: 'agent_refused' });
  });
  it('never lead the caller elsewhere, nor ask it for the agent’s password', () => {
    for (const status of [300, 301, 302, 305, 380]) expect(mapAgentFailure(status, false).status).toBe(502);
    expect(mapAgentFailure(401, false).status).toBe(500);
    expect(mapAgentFailure(407, false).status).toBe(500);
  });
  it.each([
    [[402, 403, 404, 410, 428, 433, 436, 437, 438, 440, 470, 480, 482, 483, 484, 485, 486, 488], undefined],
    [[502, 503, 504, 600, 603, 604, 606, 607, 608], undefined],
    [[406, 415], 488],
    [[408], 504],
    [[430, 487], 480],
    [[699], 600],
    [[400, 405, 413, 416, 420, 421, 422, 469, 481, 489, 491, 493, 494, 499, 501, 505, 513, 555, 580], 500],
  ])('%j of an agent reach the caller unchanged, or as %j', (statuses, mapped) => {
    for (const status of statuses) {
      expect(mapAgentFailure(status, false).status, String(status)).toBe(mapped ?? status);
    }
  });
  it('inside the call are those that speak of the request', () => {
    expect([488, 491, 415, 481, 408, 401, 302].map(mapInDialogFailure)).toEqual([
      488, 491, 415, 500, 500, 500, 500,
    ]);
  });
});

describe('reasons', () => {
  it('are quoted safely', () => {
    expect(sipReason(480, 'a "b"\r\nX: y')).toBe('SIP;cause=480;text="a  b   X: y"');
  });
  it('pass on when short and on one line', () => {
    expect(reasonOf(message({ Reason: 'Q.850;cause=16' }))).toBe('Q.850;cause=16');
    expect(reasonOf(message({ Reason: 'x'.repeat(201) }))).toBeUndefined();
    expect(reasonOf(message({ Reason: 'a\r\nb' }))).toBeUndefined();
    expect(reasonOf(message({}))).toBeUndefined();
  });
  it('as phrases lose control characters', () => {
    expect(cleanPhrase('Busy\r\nHere')).toBe('Busy  Here');
    expect(cleanPhrase(' \x00 ')).toBeUndefined();
  });
});

describe('bodies', () => {
  const sdp = 'v=0\r\n';
  it('are found alone and in multipart bodies', () => {
    expect(sdpOf(message({ 'Content-Type': 'application/sdp' }, sdp))).toBe(sdp);
    expect(sdpOf(message({ 'Content-Type': 'Application/SDP; charset=utf-8' }, sdp))).toBe(sdp);
    const parts = [
      { type: 'application/isup', content: 'x' },
      { type: 'application/sdp', content: sdp },
    ];
    expect(sdpOf(message({ 'Content-Type': 'multipart/mixed;boundary=b' }, '--b…', parts))).toBe(sdp);
    expect(sdpOf(message({}, ''))).toBeUndefined();
  });
  it('of another kind, or encoded, are foreign', () => {
    expect(hasForeignBody(message({ 'Content-Type': 'text/plain' }, 'hi'))).toBe(true);
    expect(
      hasForeignBody(message({ 'Content-Type': 'application/sdp', 'Content-Encoding': 'gzip' }, sdp)),
    ).toBe(true);
    expect(hasForeignBody(message({ 'Content-Type': 'application/sdp' }, sdp))).toBe(false);
    expect(hasForeignBody(message({}, ''))).toBe(false);
  });
});
