import { describe, expect, it } from 'vitest';
import type { TransferPolicy } from '../../../../src/contract/transfer.js';
import {
  destinationUri,
  judgeTarget,
  type TransferScope,
  uriOf,
} from '../../../../src/edge/transfer/policy.js';
import { parseUri, type SipUri } from '../../../../src/sip/uri.js';

const trunk = {
  ...{ host: 'pbx.example.com', port: 5070, transport: 'tls' as const, name: 'tls:pbx.example.com:5070' },
  ...{ isSecure: true, credential: undefined, mappings: [] },
} as const;
const scope = (policy: Partial<TransferPolicy> = {}, more: Partial<TransferScope> = {}): TransferScope => ({
  policy: { mode: 'bridge', fallback: false, ...policy },
  route: { servers: [trunk], triggers: new Set(), failback: 'auto' },
  isCalledByUs: true,
  ownHosts: ['edge.example.net'],
  callHosts: ['192.0.2.7'],
  ...more,
});
const judge = (uri: string, ...rest: Parameters<typeof scope>) =>
  judgeTarget(parseUri(uri) as SipUri, scope(...rest));

describe('the target of a transfer', () => {
  it.each([
    ['sip:+14155550100@pbx.example.com', '+14155550100'],
    ['sip:+14155550100@EDGE.example.net:5061;transport=tls', '+14155550100'],
    ['tel:+1-415-555-0100', '+14155550100'],
    ['sip:1001@192.0.2.7', '1001'],
    ['sip:alice@pbx.example.com.', 'alice'],
  ])('%s is called at the number’s own servers as %s', (uri, user) => {
    expect(judge(uri)).toEqual({ ok: true, destination: { user, servers: [trunk], isOwnTrunk: true } });
  });

  it.each(['sip:+14155550100@evil.example', 'sip:1001@203.0.113.9', 'sip:a@pbx.example.com.evil.example'])(
    '%s is a stranger’s server',
    (uri) => expect(judge(uri)).toMatchObject({ ok: false, status: 403 }),
  );

  it('needs a user, and a number with an outbound direction', () => {
    expect(judge('sip:pbx.example.com')).toMatchObject({ ok: false, status: 603 });
    expect(judge('sip:1001@pbx.example.com', {}, { route: undefined })).toMatchObject({
      ok: false,
      status: 603,
    });
  });

  it('must be listed where a list is given', () => {
    const policy = { allowed_targets: ['+4930', 'desk.example.org'] };
    expect(judge('sip:+4930123@pbx.example.com', policy)).toMatchObject({ ok: true });
    expect(judge('sip:+4989123@pbx.example.com', policy)).toMatchObject({ ok: false, status: 403 });
    // Digits without plus would otherwise be a way around the list.
    expect(judge('sip:4989123@pbx.example.com', policy)).toMatchObject({ ok: false, status: 403 });
    expect(judge('sip:anna@desk.example.org:5062', policy)).toMatchObject({
      ok: true,
      destination: {
        user: 'anna',
        servers: [{ host: 'desk.example.org', port: 5062, transport: 'tls', credential: undefined }],
        isOwnTrunk: false,
      },
    });
  });

  it('is written with what may not stand in a user escaped', () => {
    expect(destinationUri('a@b', trunk)).toBe('sip:a%40b@pbx.example.com:5070;transport=tls');
    expect(uriOf('a>;<b"', '192.0.2.1', undefined)).toBe('sip:a%3E;%3Cb%22@192.0.2.1');
    expect(destinationUri('+49', { host: '::1', port: undefined, transport: 'udp' })).toBe(
      'sip:+49@[::1];transport=udp',
    );
  });
});
