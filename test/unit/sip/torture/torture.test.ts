import { describe, expect, it } from 'vitest';
import { parseAddress, tagOf } from '../../../../src/sip/address.js';
import { FramingError, StreamFramer } from '../../../../src/sip/framing.js';
import type { SipMessage, SipRequest } from '../../../../src/sip/message.js';
import { toText } from '../../../../src/sip/message.js';
import { parseMessage } from '../../../../src/sip/parse.js';
import { respondTo } from '../../../../src/sip/response.js';
import { serialize } from '../../../../src/sip/serialize.js';
import type { SipUri } from '../../../../src/sip/uri.js';
import { parseUri, userOf } from '../../../../src/sip/uri.js';
import { validateRequest, validateResponse } from '../../../../src/sip/validate.js';
import { parseVia, topVia } from '../../../../src/sip/via.js';
import { invalidMessages } from './rfc4475-invalid.js';
import { semanticMessages } from './rfc4475-semantics.js';
import { validMessages } from './rfc4475-valid.js';
import { ipv6Messages } from './rfc5118.js';
import type { Answer, TortureCase } from './torture-case.js';

const rfc4475 = [...validMessages, ...invalidMessages, ...semanticMessages];
const all = [...rfc4475, ...ipv6Messages];

function answerTo(text: string): Answer {
  const result = parseMessage(Buffer.from(text, 'latin1'));
  if (!result.ok) return result.salvage === undefined ? 'silence' : 400;
  const { message } = result;
  if (message.kind === 'response') return validateResponse(message) ? 'fine' : 'silence';
  return validateRequest(message)?.status ?? 'fine';
}

function parsed(name: string): SipMessage {
  const { message } = all.find((torture) => torture.name === name) as TortureCase;
  const result = parseMessage(Buffer.from(message, 'latin1'));
  if (!result.ok) throw new Error(`${name}: ${result.error}`);
  return result.message;
}

const header = (name: string, field: string): string => parsed(name).headers.get(field) as string;

describe('torture messages', () => {
  it('has all 49 messages of RFC 4475 and all 12 of RFC 5118', () => {
    expect(new Set(rfc4475.map((torture) => torture.name)).size).toBe(49);
    expect(new Set(ipv6Messages.map((message) => message.name)).size).toBe(12);
  });

  it.each(all.map((torture) => [`${torture.section} ${torture.name}`, torture] as const))(
    '%s',
    (_, torture) => {
      expect(answerTo(torture.message)).toBe(torture.answer);
    },
  );

  it.each(
    all.filter((torture) => torture.answer === 'fine').map((torture) => [torture.name, torture] as const),
  )('%s survives serialising', (_, torture) => {
    const first = parseMessage(Buffer.from(torture.message, 'latin1'));
    if (!first.ok) throw new Error(first.error);
    const again = parseMessage(Buffer.from(serialize(first.message), 'latin1'));
    if (!again.ok) throw new Error(again.error);
    const length = String(first.message.body.length);
    first.message.headers.set('Content-Length', length);
    expect(again.message).toEqual(first.message);
  });

  it.each(
    all
      .filter((torture) => typeof torture.answer === 'number')
      .map((torture) => [torture.name, torture] as const),
  )('%s can be answered', (_, torture) => {
    const result = parseMessage(Buffer.from(torture.message, 'latin1'));
    const request = result.ok ? result.message : result.salvage;
    const answer = respondTo(request as SipRequest, torture.answer as number, { toTag: 't1' });
    expect(answer.headers.lines('Via')).toEqual((request as SipRequest).headers.lines('Via'));
    expect(parseMessage(Buffer.from(serialize(answer), 'latin1')).ok).toBe(true);
  });
});

describe('torture messages on a stream', () => {
  const limits = { maximumHeaderBytes: 16384, maximumMessageBytes: 65536 };
  const lengthless = new Set(['inv2543']);
  const refused = new Set(['trws', 'bigcode', 'ncl', 'mcl01', ...lengthless]);

  it.each(
    all
      .filter((torture) => !['dblreq', 'clerr', 'multi01'].includes(torture.name))
      .map((torture) => [torture.name, torture] as const),
  )('%s', (_, torture) => {
    const framer = new StreamFramer(limits);
    const feed = () => framer.push(Buffer.from(torture.message, 'latin1'));
    if (refused.has(torture.name)) return void expect(feed).toThrow(FramingError);
    const datagram = parseMessage(Buffer.from(torture.message, 'latin1'));
    if (!datagram.ok) throw new Error(datagram.error);
    const [item, ...rest] = feed();
    expect(item?.kind === 'message' && item.message).toEqual(datagram.message);
    expect(rest.every(({ kind }) => kind !== 'message')).toBe(true);
  });

  it('takes dblreq as two messages, the second one complete', () => {
    const torture = all.find(({ name }) => name === 'dblreq') as TortureCase;
    // The RFC says 150 of a body of 155: the surplus is left out, on a stream it would be garbage.
    const whole = torture.message.slice(0, torture.message.lastIndexOf('v=0') + 150);
    const items = new StreamFramer(limits).push(Buffer.from(whole, 'latin1'));
    const methods = items.map((item) =>
      item.kind === 'message' ? (item.message as SipRequest).method : item.kind,
    );
    expect(methods).toEqual(['REGISTER', 'pong', 'INVITE']);
  });

  it('waits for the rest of clerr', () => {
    const torture = all.find(({ name }) => name === 'clerr') as TortureCase;
    const framer = new StreamFramer(limits);
    expect(framer.push(Buffer.from(torture.message, 'latin1'))).toEqual([]);
    expect(framer.isMidMessage).toBe(true);
  });
});

describe('the meaning of the messages in RFC 4475', () => {
  it('wsinv', () => {
    const request = parsed('wsinv') as SipRequest;
    expect(tagOf(header('wsinv', 'To'))).toBe('1918181833n');
    expect(parseAddress(header('wsinv', 'From'))).toMatchObject({
      displayName: 'J Rosenberg \\"',
      uri: 'sip:jdrosen@example.com',
    });
    expect(tagOf(header('wsinv', 'From'))).toBe('98asjd8');
    expect(request.headers.get('Subject')).toBe('');
    expect(request.headers.get('NewFangledHeader')).toBe('newfangled value continued newfangled value');
    expect(request.headers.get('UnknownHeaderWithUnusualValue')).toBe(';;,,;;,;');
    expect(request.headers.list('Via').map((value) => parseVia(value)?.host)).toEqual([
      '192.0.2.2',
      'spindle.example.com',
      '192.168.255.111',
    ]);
    expect(topVia(request)?.branch).toBe('390skdjuw');
    expect(parseAddress(header('wsinv', 'Contact'))?.parameters).toEqual(
      new Map([
        ['newparam', 'newvalue'],
        ['secondparam', undefined],
        ['q', '0.33'],
      ]),
    );
    expect(request.body).toHaveLength(150);
  });

  it('intmeth', () => {
    const request = parsed('intmeth') as SipRequest;
    expect(request.method).toBe("!interesting-Method0123456789_*+`.%indeed'~");
    const uri = parseUri(request.uri) as SipUri;
    expect(uri.user).toBe("1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*");
    expect(uri.password).toBe("&it+has=1,weird!*pas$wo~d_too.(doesn't-it)");
    expect(parseAddress(header('intmeth', 'To'))?.displayName).toBe('BEL:\x07 NUL:\x00 DEL:\x7f');
    const from = parseAddress(header('intmeth', 'From'));
    expect(toText(from?.parameters.get("fromparam''~+*_!.-%") as string)).toBe('"работающий"');
    expect(from?.parameters.get('tag')).toBe("_token~1'+`*%!-.");
    expect(toText(header('intmeth', "extensionHeader-!.%*+_`'~"))).toBe('\ufeff大停電');
  });

  it('esc01, escnull, semiuri: the users', () => {
    const user = (text: string): string | undefined => userOf(parseUri(text) as SipUri);
    expect(user((parsed('esc01') as SipRequest).uri)).toBe('sips:user@example.com');
    expect(user(header('esc01', 'To'))).toBe('user');
    expect(user(parseAddress(header('esc01', 'From'))?.uri as string)).toBe('I have spaces');
    expect(user(parseAddress(header('escnull', 'To'))?.uri as string)).toBe('null-\0-null');
    expect(user((parsed('semiuri') as SipRequest).uri)).toBe('user;par=u@example.net');
  });

  it('esc02: percent signs outside URIs mean nothing', () => {
    const request = parsed('esc02') as SipRequest;
    expect(request.method).toBe('RE%47IST%45R');
    expect(parseAddress(header('esc02', 'To'))?.displayName).toBe('%Z%45');
    expect(request.headers.list('Contact')).toHaveLength(2);
  });

  it('lwsdisp, longreq, transports, mpart01, unreason, noreason', () => {
    expect(parseAddress(header('lwsdisp', 'From'))?.displayName).toBe('caller');
    expect(parsed('longreq').headers.list('Via')).toHaveLength(34);
    expect(
      parsed('longreq')
        .headers.list('Via')
        .every((value) => parseVia(value) !== undefined),
    ).toBe(true);
    expect(
      parsed('transports')
        .headers.list('Via')
        .map((value) => parseVia(value)?.transport),
    ).toEqual(['UDP', 'SCTP', 'TLS', 'UNKNOWN', 'TCP']);
    expect(parsed('mpart01').body).toHaveLength(553);
    expect(parsed('unreason')).toMatchObject({ status: 200 });
    expect(toText((parsed('unreason') as { reason: string } & SipMessage).reason)).toMatch(/простое$/);
    expect(parsed('noreason')).toMatchObject({ status: 100, reason: '' });
  });

  it('dblreq: only the first message of a datagram', () => {
    expect(parsed('dblreq')).toMatchObject({ method: 'REGISTER', body: '' });
  });

  it('cparam01 and cparam02: whose parameter it is', () => {
    const outside = parseAddress(header('cparam01', 'Contact'));
    expect(outside).toEqual({
      uri: 'sip:+19725552222@gw1.example.net',
      parameters: new Map([['unknownparam', undefined]]),
    });
    const inside = parseAddress(header('cparam02', 'Contact'));
    expect(inside).toEqual({ uri: 'sip:+19725552222@gw1.example.net;unknownparam', parameters: new Map() });
  });
});

describe('the meaning of the messages in RFC 5118', () => {
  const uriOf = (name: string): SipUri => parseUri((parsed(name) as SipRequest).uri) as SipUri;

  it('distinguishes port and address', () => {
    expect(uriOf('port-ambiguous')).toMatchObject({ host: '2001:db8::10:5070' });
    expect(uriOf('port-ambiguous').port).toBeUndefined();
    expect(uriOf('port-unambiguous')).toMatchObject({ host: '2001:db8::10', port: 5070 });
  });

  it('reads received with and without brackets', () => {
    expect(topVia(parsed('via-received-param-with-delim'))?.parameters.get('received')).toBe(
      '[2001:db8::9:255]',
    );
    expect(topVia(parsed('via-received-param-no-delim'))?.parameters.get('received')).toBe('2001:db8::9:255');
  });

  it('reads three colons as two', () => {
    expect(uriOf('ipv6-bug-abnf-3-colons').host).toBe(uriOf('ipv6-correct-abnf-2-colons').host);
  });

  it('reads mapped addresses and mixed families', () => {
    expect(topVia(parsed('ipv4-mapped-ipv6'))).toMatchObject({ host: '::ffff:192.0.2.10', port: 19823 });
    expect(
      parsed('mult-ip-in-header')
        .headers.list('Via')
        .map((value) => parseVia(value)?.host),
    ).toEqual(['2001:db8::9:1', '192.0.2.1', '2001:db8::9:255']);
  });
});
