import { describe, expect, it } from 'vitest';
import {
  reinviteHeaders,
  SessionProposal,
  sessionAgreedBy,
  sessionAgreedIn,
  sessionTimerHeaders,
} from '../../../../src/edge/sip/session-timer.js';
import { headerFields } from '../../../support/header-fields.js';

const message = (headers: Readonly<Record<string, string>>) => headerFields(headers) as never;

describe('the session timer of our 200', () => {
  const agreed = (headers: Readonly<Record<string, string>>) => sessionTimerHeaders(message(headers), 1_800);

  it('is ours to refresh where the peer knows the extension but asks for none', () => {
    for (const headers of [{ Supported: 'timer' }, { Supported: '100rel, TIMER' }, { Require: 'timer' }])
      expect(agreed(headers as never)).toEqual({ 'Session-Expires': '1800;refresher=uas' });
  });

  it('is absent where the peer does not know it, or asks for nonsense', () => {
    expect(agreed({})).toEqual({});
    expect(agreed({ Supported: '100rel' })).toEqual({});
    expect(agreed({ Supported: 'timer', 'Session-Expires': 'soon' })).toEqual({});
    expect(agreed({ Supported: 'timer', 'Session-Expires': '0' })).toEqual({});
  });

  it.each([
    ['the shorter of both intervals', { 'Session-Expires': '900;refresher=uac' }, '900'],
    ['ours where the peer asks for a longer one', { 'Session-Expires': '7200;refresher=uac' }, '1800'],
    ['at least 90 s', { 'Session-Expires': '30;refresher=uac' }, '90'],
    ['at least the Min-SE', { 'Session-Expires': '900;refresher=uac', 'Min-SE': '2400' }, '2400'],
  ])('is %s', (_what, headers, seconds) => {
    expect(agreed(headers)).toEqual({
      'Session-Expires': `${seconds};refresher=uac`,
      Require: 'timer',
    });
  });

  it('is refreshed by whom the peer names, else by the peer if it can', () => {
    expect(agreed({ 'Session-Expires': '900;refresher=uas', Supported: 'timer' })).toEqual({
      'Session-Expires': '900;refresher=uas',
    });
    expect(agreed({ x: '900', Supported: 'timer' })).toMatchObject({
      'Session-Expires': '900;refresher=uac',
    });
    expect(agreed({ 'Session-Expires': '900' })).toEqual({ 'Session-Expires': '900;refresher=uas' });
  });
});

describe('an agreed session', () => {
  it('is ours to refresh as the 200 says, and ours without a word of it', () => {
    expect(sessionAgreedBy(message({ 'Session-Expires': '900;refresher=uac' }))).toEqual({
      seconds: 900,
      isOurs: true,
    });
    expect(sessionAgreedBy(message({ x: '900;refresher=uas' }))).toEqual({ seconds: 900, isOurs: false });
    expect(sessionAgreedBy(message({ 'Session-Expires': '900' }))?.isOurs).toBe(true);
    expect(sessionAgreedBy(message({}))).toBeUndefined();
  });

  it('is read from our own 200 from the other side', () => {
    expect(sessionAgreedIn({ 'Session-Expires': '900;refresher=uas' })?.isOurs).toBe(true);
    expect(sessionAgreedIn({ 'Session-Expires': '900;refresher=uac' })?.isOurs).toBe(false);
    expect(sessionAgreedIn({})).toBeUndefined();
  });

  it('continues with a re-INVITE', () => {
    expect(reinviteHeaders({ seconds: 900, isOurs: true })['Session-Expires']).toBe('900;refresher=uac');
    expect(reinviteHeaders({ seconds: 900, isOurs: false })['Session-Expires']).toBe('900;refresher=uas');
    expect(reinviteHeaders(undefined)).not.toHaveProperty('Session-Expires');
  });
});

describe('the interval that our INVITE proposes', () => {
  const refusal = (minimum: string, status = 422) => ({ status, get: () => minimum }) as never;

  it('is raised by a 422, with the minimum that it names', () => {
    const proposal = new SessionProposal(1_800);
    expect(proposal.headers()).toEqual({ 'Session-Expires': '1800' });
    expect(proposal.accept(refusal('3600'))).toBe(true);
    expect(proposal.headers()).toEqual({ 'Session-Expires': '3600', 'Min-SE': '3600' });
  });

  it.each([
    ['another status', refusal('3600', 423)],
    ['a minimum that was met', refusal('1800')],
    ['a lower minimum', refusal('90')],
    ['no number', refusal('long')],
    ['more than a day', refusal('999999999')],
  ])('is not raised by %s', (_what, response) => {
    const proposal = new SessionProposal(1_800);
    expect(proposal.accept(response)).toBe(false);
    expect(proposal.headers()).toEqual({ 'Session-Expires': '1800' });
  });

  it('is raised only so often', () => {
    const proposal = new SessionProposal(100);
    const raised = [200, 300, 400, 500, 600].map((minimum) => proposal.accept(refusal(String(minimum))));
    expect(raised[0]).toBe(true);
    expect(raised.at(-1)).toBe(false);
  });
});
