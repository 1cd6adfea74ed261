import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentSignature } from '../../../../../src/contract/stream-signatures.js';
import {
  type DocumentRequest,
  fetchDocument,
} from '../../../../../src/control/calls/twilio/fetch-document.js';
import {
  ForbiddenEndpoint,
  type JsonPost,
  type JsonPoster,
  OversizedAnswer,
} from '../../../../../src/control/models/post-json.js';

let sent: JsonPost[];
let answer: () => Promise<{ status: number; text: string }>;
const poster = {
  post: (request: JsonPost) => {
    sent.push(request);
    return answer();
  },
} as unknown as JsonPoster;
beforeEach(() => {
  sent = [];
  answer = async () => ({ status: 200, text: '<Response/>' });
});
afterEach(() => void vi.restoreAllMocks());

const fetched = (wanted: Partial<DocumentRequest> = {}): Promise<string> =>
  fetchDocument(poster, {
    url: 'https://customer.example/voice?a=1',
    method: 'POST',
    fields: { CallSid: 'CA1', From: '+1415 555' },
    secret: 'secret',
    allowsHttp: false,
    ...wanted,
  });

describe('a TwiML document', () => {
  it('is asked for by POST with the fields of the call in the body', async () => {
    expect(await fetched()).toBe('<Response/>');
    expect(sent[0]).toMatchObject({
      url: 'https://customer.example/voice?a=1',
      method: 'POST',
      body: 'CallSid=CA1&From=%2B1415+555',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-Twilio-Signature': documentSignature('secret', 'https://customer.example/voice?a=1', {
          CallSid: 'CA1',
          From: '+1415 555',
        }),
      },
    });
  });

  it('is asked for by GET with them in the URL, which is signed alone', async () => {
    await fetched({ method: 'GET' });
    const url = 'https://customer.example/voice?a=1&CallSid=CA1&From=%2B1415+555';
    expect(sent[0]).toMatchObject({ url, method: 'GET', body: '' });
    expect(sent[0]!.headers).toEqual({
      Accept: 'text/xml, application/xml',
      'X-Twilio-Signature': documentSignature('secret', url, {}),
    });
  });

  it('is asked for without a signature where there is no secret', async () => {
    await fetched({ secret: undefined });
    expect(sent[0]!.headers).not.toHaveProperty('X-Twilio-Signature');
  });

  it('is asked for by https, without a user, and by http only where that is allowed', async () => {
    await expect(fetched({ url: 'http://customer.example/' })).rejects.toThrow('must begin with https://');
    for (const user of ['a@', ':b@'])
      await expect(fetched({ url: `https://${user}customer.example/` })).rejects.toThrow(
        'must not contain a user or password',
      );
    expect(sent).toEqual([]);
    expect(await fetched({ url: 'http://customer.example/', allowsHttp: true })).toBe('<Response/>');
  });

  it.each<[string, () => Promise<never> | Promise<{ status: number; text: string }>]>([
    ['the server answered 302', async () => ({ status: 302, text: '' })],
    ['an address that this service does not send to', () => Promise.reject(new ForbiddenEndpoint())],
    ['more than 65536 octets', () => Promise.reject(new OversizedAnswer(65_536))],
    [
      'the server is unreachable (ECONNREFUSED)',
      () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })),
    ],
    ['the server is unreachable (TypeError)', () => Promise.reject(new TypeError('x'))],
  ])('is missed: %s', async (why, reply) => {
    answer = reply;
    await expect(fetched()).rejects.toThrow('The document was not fetched: ');
    await expect(fetched()).rejects.toThrow(why);
  });

  it('is missed after five seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    answer = () => Promise.reject(new Error('aborted'));
    await expect(fetched()).rejects.toThrow('no answer within 5 s');
    expect(timeout).toHaveBeenCalledWith(5_000);
    expect(sent[0]!.signal?.aborted).toBe(true);
  });
});
