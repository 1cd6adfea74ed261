import { describe, expect, it } from 'vitest';
import { TwilioFailure } from '../../../../../src/control/calls/twilio/failure.js';
import { readTwiml } from '../../../../../src/control/calls/twilio/twiml.js';

const number = '+14155550100';
const response = (verbs: string): string => `<Response>${verbs}</Response>`;

describe('readTwiml', () => {
  it.each([
    ['<Hangup/>', [{ kind: 'hangup' }]],
    ['', [{ kind: 'hangup' }]],
    [`<Dial>${number}</Dial>`, [{ kind: 'dial', target: number }]],
    [
      `<Dial timeout="20"><Number>+1 415 555 0100</Number></Dial><Hangup/>`,
      [{ kind: 'dial', target: number }],
    ],
    ['<Dial><Sip>sip:desk@example.com</Sip></Dial>', [{ kind: 'dial', target: 'sip:desk@example.com' }]],
    [
      `<Pause length="2"/><Dial>${number}</Dial>`,
      [
        { kind: 'pause', seconds: 2 },
        { kind: 'dial', target: number },
      ],
    ],
    ['<Pause/>', [{ kind: 'pause', seconds: 1 }, { kind: 'hangup' }]],
    ['<Hangup/><Say>never said</Say>', [{ kind: 'hangup' }]],
    [
      '<Say voice="alice" language="en-GB">Goodbye &amp; thanks</Say><Hangup/>',
      [{ kind: 'say', text: 'Goodbye & thanks' }, { kind: 'hangup' }],
    ],
    [
      '<Play>https://example.com/hello.wav</Play><Play digits="1w2"/>',
      [
        { kind: 'play', url: 'https://example.com/hello.wav' },
        { kind: 'digits', digits: '1w2' },
        { kind: 'hangup' },
      ],
    ],
    [
      '<Redirect method="GET">https://example.com/next</Redirect><Fax/>',
      [{ kind: 'redirect', url: 'https://example.com/next', method: 'GET' }],
    ],
    [
      '<Connect><Stream url="wss://bot.example.com/" name="second" track="inbound_track" statusCallback="https://example.com/"><Parameter name="tenant" value="blue"/><Parameter name="step" value="2"/></Stream></Connect>',
      [{ kind: 'connect', url: 'wss://bot.example.com/', parameters: { tenant: 'blue', step: '2' } }],
    ],
  ])('reads %s', (verbs, steps) => {
    expect(readTwiml(response(verbs))).toEqual(steps);
  });

  it('resolves URLs against that of the document', () => {
    const verbs = '<Play>/hello.wav</Play><Redirect>next?step=2</Redirect>';
    expect(readTwiml(response(verbs), 'https://example.com/calls/first')).toEqual([
      { kind: 'play', url: 'https://example.com/hello.wav' },
      { kind: 'redirect', url: 'https://example.com/calls/next?step=2', method: 'POST' },
    ]);
  });

  it.each([
    ['<Gather/>', 501, /Gather is not offered. Digits arrive/],
    ['<Stream url="wss://bot.example.com/"/>', 501, /Stream is not offered/],
    ['<constructor/>', 501, /constructor is not offered/],
    ['<Say><break/>hello</Say>', 501, /break in Say/],
    ['<Say loop="3">hello</Say>', 501, /loop 3 is not offered/],
    ['<Say></Say>', 400, /must contain text/],
    ['<Play>hello.wav</Play>', 400, /URL that begins with https/],
    ['<Play digits="1" loop="1">https://example.com/</Play>', 400, /either digits or a URL/],
    ['<Redirect>ftp://example.com/</Redirect>', 400, /URL that begins with https/],
    ['<Redirect method="PUT">https://example.com/</Redirect>', 400, /GET or POST/],
    ['<Redirect timeout="3">https://example.com/</Redirect>', 501, /timeout of Redirect/],
    ['<Connect action="/next"><Stream url="wss://bot.example.com/"/></Connect>', 501, /action of Connect/],
    ['<Connect/>', 400, /one Stream/],
    ['<Connect><Room>lobby</Room></Connect>', 501, /Room in Connect/],
    ['<Connect><Stream url="wss://bot.example.com/?token=1"/></Connect>', 400, /must have no query/],
    ['<Connect><Stream url="https://bot.example.com/"/></Connect>', 400, /must be a wss/],
    [
      '<Connect><Stream url="wss://bot.example.com/" track="both_tracks"/></Connect>',
      501,
      /inbound track alone/,
    ],
    [
      '<Connect><Stream url="wss://bot.example.com/"><Parameter value="blue"/></Stream></Connect>',
      400,
      /Parameter/,
    ],
    ['<Connect><Stream url="wss://bot.example.com/"/></Connect><Pause/>', 501, /may follow Connect/],
    ['<Pause length="9"/><Pause length="2"/>', 501, /at most 10 seconds/],
    ['<Pause length="-1"/>', 400, /number of seconds/],
    [`<Dial record="record-from-answer">${number}</Dial>`, 501, /record of Dial/],
    [`<Dial>${number}</Dial><Pause/>`, 501, /Only Hangup may follow Dial/],
    [`<Dial><Number>${number}</Number><Number>${number}</Number></Dial>`, 501, /one number/],
    ['<Dial><Conference>room</Conference></Dial>', 501, /Conference in Dial/],
    [`<Dial><Number url="https://example.com/">${number}</Number></Dial>`, 501, /url of Number/],
    ['<Dial>4155550100</Dial>', 400, /Did you mean \+14155550100/],
    ['<Dial><Sip>https://example.com</Sip></Dial>', 400, /SIP URI/],
    ['hang up', 400, /must not contain text/],
  ])('refuses %s with %i', (verbs, status, message) => {
    const failure = refusalOf(response(verbs));
    expect(failure.status).toBe(status);
    expect(failure.message).toMatch(message);
  });

  it.each(['<Hangup/>', 'hang up', '<Response>'])('refuses the document %s', (document) => {
    expect(refusalOf(document)).toMatchObject({ status: 400, code: 12100 });
  });
});

function refusalOf(document: string): TwilioFailure {
  try {
    readTwiml(document);
  } catch (error) {
    if (error instanceof TwilioFailure) return error;
    throw error;
  }
  throw new Error('The document was read.');
}
