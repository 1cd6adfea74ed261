import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../../src/edge/media/exchange.js';
import { MediaRefused } from '../../../../src/edge/media/media-refused.js';
import { type MediaSide, otherSide } from '../../../../src/edge/media/rtp-statistics.js';
import { Terms } from '../../../../src/edge/media/terms.js';
import { readSession } from '../../../../src/sdp/sdp.js';
import {
  agentDescription,
  keyLine,
  trunkDescription,
  trunkKey,
} from '../../../contract/media/descriptions.js';

const codecs = { order: ['PCMU' as const, 'PCMA' as const], transcode: false };

const termsOf = (): Terms =>
  new Terms({ trunk: { profile: 'RTP/SAVP' }, agent: { profile: 'RTP/AVP' } }, codecs, false, undefined);

/** What rtpengine would write for the other side of a command. */
function rewritten(command: Readonly<Record<string, unknown>>): string {
  const protocol = command['transport-protocol'] as string;
  const sdp = (command.sdp as string)
    .replace(/m=audio \d+ RTP\/S?AVP/, `m=audio 30000 ${protocol}`)
    .replace(/a=crypto.*\r\n/g, '');
  const direction = /a=(?:sendrecv|sendonly|recvonly|inactive)\r\n/.test(sdp) ? '' : 'a=sendrecv\r\n';
  const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${trunkKey}\r\n`;
  return `${sdp}${direction}${protocol === 'RTP/SAVP' ? key : ''}`;
}

function offered(from: MediaSide, sdp: string, terms = termsOf()) {
  const offer = terms.readOffer(from, sdp);
  const command = terms.offerCommand(from, offer);
  const local = terms.local[otherSide(from)];
  const written = local.writeOffer(rewritten(command.parameters));
  const texts = { received: sdp, written, index: local.audioIndex };
  return { exchange: new Exchange(terms, from, offer, texts, command), written, terms };
}

function answer(exchange: Exchange, sdp: string): string {
  const check = exchange.readAnswer(sdp);
  const command = exchange.answerCommand(check);
  const text = exchange.accept(sdp, check, command, rewritten(command));
  exchange.takeEffect();
  return text;
}

const flags = (command: Readonly<Record<string, unknown>> | undefined) => command?.flags as string[];

describe('an exchange', () => {
  it('agrees on codecs, direction and DTMF by its answer', () => {
    const { exchange } = offered('trunk', trunkDescription({ formats: '8 0 101' }));
    expect([exchange.isAnswered, exchange.isFlowing]).toEqual([false, false]);
    const text = answer(exchange, agentDescription({ formats: '8' }));
    expect(readSession(text)!.media[0]!.protocol).toBe('RTP/SAVP');
    expect(exchange.codecs).toEqual({ trunk: 'PCMA', agent: 'PCMA' });
    expect([exchange.isAnswered, exchange.isFlowing]).toEqual([true, true]);
    expect([exchange.takesEvents('trunk'), exchange.takesEvents('agent')]).toEqual([false, false]);
  });

  it('refuses an answer with no codec of the offer', () => {
    const { exchange } = offered('trunk', trunkDescription({ formats: '8' }));
    expect(() => exchange.readAnswer(agentDescription({ formats: '0' }))).toThrow(MediaRefused);
    expect(exchange.acceptedCommand).toBeUndefined();
  });

  it('gives a repeated answer the same text', () => {
    const { exchange } = offered('trunk', trunkDescription());
    const text = answer(exchange, agentDescription());
    expect(exchange.repeated(agentDescription())).toBe(text);
    expect(exchange.repeated(agentDescription({ port: 42_002 }))).toBeUndefined();
  });

  it('refuses what rtpengine wrote without a key', () => {
    const { exchange } = offered('trunk', trunkDescription());
    const check = exchange.readAnswer(agentDescription());
    const command = exchange.answerCommand(check);
    const withoutKey = rewritten(command).replace(/a=crypto.*\r\n/, '');
    expect(() => exchange.accept(agentDescription(), check, command, withoutKey)).toThrow('Our answer');
    expect(exchange.isAnswered).toBe(false);
  });

  it('holds an agent whose offer waits for the trunk with an inactive answer to its own lines', () => {
    const video = 'm=video 4000 RTP/AVP 96';
    const offer = agentDescription().replace('m=audio', `${video}\r\nm=audio`);
    const held = readSession(offered('agent', offer).exchange.heldAnswer())!;
    expect(held.media.map(({ kind, port }) => [kind, port])).toEqual([
      ['video', 0],
      ['audio', 9],
    ]);
    expect(held.media[1]!.lines).toContain('a=inactive');
  });

  it('takes a new offer of the offerer for the answer that it has', () => {
    const { exchange } = offered('trunk', trunkDescription());
    answer(exchange, agentDescription());
    const hold = trunkDescription({ version: 2, attributes: ['a=sendonly'] });
    const { exchange: next, check } = exchange.withOffer(hold);
    expect(flags(next.offerCommand)).toContain('port-latching');
    expect(next.acceptedCommand).toBe(exchange.acceptedCommand);
    const text = next.acceptKept(check, rewritten(next.acceptedCommand!));
    expect(text).toContain('a=recvonly');
    expect([exchange.isFlowing, next.isFlowing]).toEqual([true, false]);
  });

  it('refuses a new offer of the offerer without the codec of the answer', () => {
    const { exchange, written } = offered('agent', agentDescription({ formats: '8' }));
    answer(exchange, trunkDescription({ formats: '8', crypto: [keyLine(written)] }));
    const { exchange: next, check } = exchange.withOffer(agentDescription({ formats: '0', version: 2 }));
    expect(() => next.acceptKept(check, rewritten(next.acceptedCommand!))).toThrow(MediaRefused);
    expect(exchange.codecs).toEqual({ trunk: 'PCMA', agent: 'PCMA' });
  });

  it('reads an early offer of the answerer as a renewed answer, at the position of its audio line', () => {
    const { exchange, terms } = offered('trunk', trunkDescription());
    answer(exchange, agentDescription());
    const image = agentDescription({ version: 2, port: 42_010 }).replace(
      'm=audio',
      'm=image 0 udptl t38\r\nm=audio',
    );
    const reoffer = exchange.readEarlyReoffer(image);
    const command = exchange.renewedCommand(reoffer.check);
    expect(flags(command)).toContain('port-latching');
    exchange.renewAnswer(reoffer, command);
    expect(readSession(exchange.answerReoffer(reoffer))!.media.map(({ kind }) => kind)).toEqual([
      'image',
      'audio',
    ]);
    expect(terms.local.agent.audioIndex).toBe(1);
    // The final response still answers our offer, which had one line.
    expect(exchange.readAnswer(agentDescription({ port: 42_010 })).audio.port).toBe(42_010);
  });

  it('lets digits be inserted by both commands, once', () => {
    const { exchange } = offered('trunk', trunkDescription());
    answer(exchange, agentDescription());
    expect([exchange.allowInjection(), exchange.allowInjection()]).toEqual([true, false]);
    for (const command of [exchange.offerCommand, exchange.acceptedCommand])
      expect(flags(command).filter((flag) => flag === 'inject-DTMF')).toHaveLength(1);
  });

  it('checks the new description of an agent that a customer named against the egress policy', () => {
    const parties = {
      trunk: { profile: 'RTP/SAVP' as const },
      agent: { profile: 'RTP/AVP' as const, isForeign: true },
    };
    const egress = {
      problemOf: ({ address }: { address: string }) => (address === '127.0.0.1' ? undefined : 'private'),
    };
    const terms = new Terms(parties, codecs, false, egress);
    const { exchange, written } = offered('agent', agentDescription(), terms);
    answer(exchange, trunkDescription({ crypto: [keyLine(written)] }));
    exchange.redescribe(agentDescription({ port: 42_020 }));
    expect(exchange.offerCommand.sdp).toContain('m=audio 42020');
    expect(() => exchange.redescribe(agentDescription({ host: '10.0.0.1' }))).toThrow(MediaRefused);
  });
});

describe('an exchange of another process', () => {
  it('sends the same commands as the one that agreed', () => {
    const terms = termsOf();
    const { exchange, written } = offered('trunk', trunkDescription(), terms);
    const local = answer(exchange, agentDescription());
    const trunk = { remote: trunkDescription(), local };
    const agent = { remote: agentDescription(), local: written };
    const restored = Exchange.restored(terms, 'trunk', trunk, agent)!;
    expect(restored.offerCommand).toEqual(exchange.offerCommand);
    expect(restored.acceptedCommand).toEqual(exchange.acceptedCommand);
    expect(restored.codecs).toEqual(exchange.codecs);
  });

  it.each([
    ['an offer that is no description', { remote: 'v=0' }, {}],
    ['an answer that does not fit', {}, { remote: agentDescription({ formats: '18' }) }],
    ['no offer for the answerer', {}, { local: 'v=0' }],
    ['an answer written by the edge that does not fit', { local: agentDescription() }, {}],
  ])('does not exist with %s', (_name, offer, answered) => {
    const terms = termsOf();
    const { exchange, written } = offered('trunk', trunkDescription(), terms);
    const local = answer(exchange, agentDescription());
    const trunk = { remote: trunkDescription(), local, ...offer };
    const agent = { remote: agentDescription(), local: written, ...answered };
    expect(Exchange.restored(terms, 'trunk', trunk, agent)).toBeUndefined();
  });
});
