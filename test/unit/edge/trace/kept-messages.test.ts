import { describe, expect, it } from 'vitest';
import { type CapturedMessage, factsOf } from '../../../../src/edge/trace/captured-message.js';
import { KeptMessages } from '../../../../src/edge/trace/kept-messages.js';

const message = (number: number): CapturedMessage => {
  const bytes = Buffer.from(
    `INFO sip:bob@192.0.2.10 SIP/2.0\r\nVia: SIP/2.0/TLS 192.0.2.1:5061;branch=z9hG4bK${number}\r\n` +
      `From: "Älice\\n" <sip:alice@example.net>;tag=1\r\nCSeq: ${number} INFO\r\n\r\n{"fields":\n\0`,
  );
  return {
    bytes,
    packet: {
      ipProtocol: 6,
      sourceAddress: '192.0.2.1',
      sourcePort: 5061,
      destinationAddress: '2001:db8::1',
      destinationPort: 40_000,
      at: 1_700_000_000_000_000 + number,
      correlationId: 'ä\\"|call',
      payload: bytes,
    },
  };
};

describe('the messages of a call', () => {
  const all = [...Array(10).keys()].map(message);

  it('take a fraction of the memory once compressed, and are all there in their order', () => {
    const kept = new KeptMessages();
    for (const message of all.slice(0, 8)) kept.push(message);
    const before = kept.octets;
    kept.pack();
    expect(kept.octets).toBeLessThan(before / 5);
    kept.push(all[8]!);
    kept.pack();
    kept.push(all[9]!);
    expect(kept).toHaveLength(10);
    expect(kept.list).toEqual(all);
  });

  it('are all there where one call has more of them than most', () => {
    const many = [...Array(400).keys()].map(message);
    const [busy, second] = [new KeptMessages(), new KeptMessages()];
    for (const each of many) busy.push(each);
    for (const each of all) second.push(each);
    for (const kept of [busy, second]) kept.pack();
    expect(busy.list).toEqual(many);
    expect(second.list).toEqual(all);
  });

  it('hold nothing that was read from them once that is forgotten', () => {
    const kept = new KeptMessages();
    const [first, packed, later] = [message(1), message(2), message(3)];
    kept.push(packed);
    kept.pack();
    for (const each of [first, later]) kept.push(each);
    const facts = factsOf(first);
    expect(factsOf(first)).toBe(facts);
    kept.forgetRead();
    expect([first.facts, later.facts]).toEqual([undefined, undefined]);
    expect(kept.list.map(factsOf).map(({ summary }) => summary)).toEqual(['INFO', 'INFO', 'INFO']);
    expect(factsOf(first)).toEqual(facts);
  });

  it('are gone when they are dropped', () => {
    const kept = new KeptMessages();
    kept.push(all[0]!);
    kept.pack();
    kept.clear();
    expect(kept.list).toEqual([]);
    expect(kept.octets).toBe(0);
    kept.pack();
    expect(kept.octets).toBe(0);
  });
});
