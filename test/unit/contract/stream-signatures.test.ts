import { createHmac } from 'node:crypto';
import twilio from 'twilio';
import { describe, expect, it } from 'vitest';
import {
  compatibleSignature,
  handshakeHeaders,
  timedSignature,
} from '../../../src/contract/stream-signatures.js';

const facts = {
  url: 'wss://Bot.Example.com/stream/a?b',
  accountSid: `AC${'1'.repeat(32)}`,
  callSid: `CA${'2'.repeat(32)}`,
};

describe('the signature of a handshake', () => {
  it.each(['wss://bot.example.com/stream', 'wss://bot.example.com:8443/a/b', 'wss://BOT.example.com/Path'])(
    'satisfies the validator of the SDK that bots use: %s',
    (url) => {
      const signature = compatibleSignature('secret', url);
      const asRead = url.replace('BOT.', 'bot.');
      expect(twilio.validateRequest('secret', signature, asRead, {})).toBe(true);
      expect(twilio.validateRequest('another', signature, asRead, {})).toBe(false);
      expect(twilio.validateRequest('secret', signature, asRead.replace('wss', 'https'), {})).toBe(false);
    },
  );

  it('binds time, URL, account and call, with each secret while one replaces the other', () => {
    const text = `1700000000.${facts.url}.${facts.accountSid}.${facts.callSid}`;
    const hex = (secret: string): string => createHmac('sha256', secret).update(text).digest('hex');
    expect(timedSignature(['new', 'old'], facts, 1_700_000_000)).toBe(
      `t=1700000000,v1=${hex('new')},v1=${hex('old')}`,
    );
    const ofSecondCall = timedSignature(['new'], { ...facts, callSid: `CA${'3'.repeat(32)}` }, 1_700_000_000);
    expect(ofSecondCall).not.toContain(hex('new'));
  });

  it('is absent without a secret; the call is named all the same', () => {
    expect(handshakeHeaders([], facts, 0)).toEqual({
      'X-Demarc-Account-ID': facts.accountSid,
      'X-Demarc-Call-ID': facts.callSid,
    });
    expect(Object.keys(handshakeHeaders(['s'], facts, 0))).toEqual([
      'X-Demarc-Account-ID',
      'X-Demarc-Call-ID',
      'X-Demarc-Signature',
      'X-Twilio-Signature',
    ]);
  });
});
