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
  ])('reads %s', (verbs, steps) => {
    expect(readTwiml(response(verbs))).toEqual(steps);
  });

  it.each([
    ['<Say>hello</Say>', 501, /Say is not offered. There is no speech synthesis/],
    ['<Redirect>https://example.com/</Redirect>', 501, /Redirect is not offered/],
    ['<Connect><Stream url="wss://bot.example.com/"/></Connect>', 501, /Connect is not offered/],
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
