import { describe, expect, it } from 'vitest';
import { capabilitiesOf } from '../../../../src/edge/discovery/analysis.js';
import type { ReceivedResponse } from '../../../../src/edge/sip/messages.js';

const response = (headers: Readonly<Record<string, string>>, ...media: string[]): ReceivedResponse =>
  ({
    get: (name: string) => headers[name],
    body: ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', ...media, ''].join(
      '\r\n',
    ),
  }) as unknown as ReceivedResponse;

describe('the capabilities in an answer to OPTIONS', () => {
  it('name the system and its methods', () => {
    const { detected_system, methods } = capabilitiesOf(
      response({ Server: 'FPBX-16.0 (Asterisk 20)', Allow: 'INVITE, ack, <b>, INVITE' }),
    );
    expect(detected_system).toBe('FreePBX');
    expect(methods).toEqual(['INVITE', 'ACK']);
  });

  it('list the audio codecs in order, each once, also those that Demarc does not know', () => {
    const { codecs } = capabilitiesOf(
      response(
        {},
        'm=video 4002 RTP/AVP 99',
        'a=rtpmap:99 H264/90000',
        'm=audio 4000/2 RTP/AVP 8 97 0 98 101 120',
        'a=rtpmap:97 iLBC/8000',
        'a=rtpmap:98 PCMA/8000',
        'a=rtpmap:101 telephone-event/8000',
        'a=rtpmap:120 <b>/8000',
      ),
    );
    expect(codecs).toEqual(['PCMA', 'iLBC', 'PCMU']);
  });

  it('list no codec when the SDP is malformed', () => {
    expect(capabilitiesOf(response({}, 'm=audio 99999 RTP/AVP 0')).codecs).toEqual([]);
  });
});
