import { describeNoNumber, e164, readPhoneNumber } from '../../http/phone-number.js';
import { TwilioFailure, twilioCodes } from './failure.js';
import { parseXml, type XmlElement, XmlError } from './xml.js';

/** What a TwiML document has a call do, in order. The last step is always `dial` or `hangup`. */
export type Step =
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'dial'; readonly target: string }
  | { readonly kind: 'hangup' };

/** Of all pauses: the request is answered after them. */
const maximumPauseSeconds = 10;

const reasons: Readonly<Record<string, string>> = {
  Say: 'There is no speech synthesis: send the speech on the bot’s stream.',
  Play: 'Send the audio on the bot’s stream.',
  Gather: 'Digits arrive on the bot’s stream.',
  Connect: 'A call keeps the bot of its number; dial a number whose agent is another bot instead.',
  Start: 'A call has one stream, that of its agent.',
  Redirect: 'Documents are not fetched: send the document itself in Twiml.',
};

/** Attributes of Dial that need no support: the number's policy decides about them. */
const ignoredOfDial: ReadonlySet<string> = new Set(['answerOnBridge', 'callerId', 'sequential', 'timeout']);

/**
 * The steps of a document. Without Dial it ends the call, as the end of a document does. Throws `TwilioFailure`: 400 for what is no
 * TwiML, 501 for verbs that are not offered.
 */
export function readTwiml(text: string): readonly Step[] {
  const root = parse(text);
  if (root.name !== 'Response') throw unreadable('The root element must be Response');
  if (root.text !== '') throw unreadable('Response must not contain text');
  const steps: Step[] = [];
  let paused = 0;
  for (const [index, verb] of root.elements.entries()) {
    if (verb.name === 'Hangup') break;
    if (verb.name === 'Pause') {
      const seconds = pauseOf(verb);
      paused += seconds;
      if (paused > maximumPauseSeconds)
        throw notOffered(`Pauses have at most ${maximumPauseSeconds} seconds together`);
      steps.push({ kind: 'pause', seconds });
    } else if (verb.name === 'Dial') {
      const next = root.elements[index + 1];
      if (next !== undefined && next.name !== 'Hangup')
        throw notOffered('Only Hangup may follow Dial: the call ends when the dialled party has left it');
      return [...steps, { kind: 'dial', target: targetOf(verb) }];
    } else throw notOffered(`${verb.name} is not offered. ${reasons[verb.name] ?? ''}`.trim());
  }
  return [...steps, { kind: 'hangup' }];
}

function parse(text: string): XmlElement {
  try {
    return parseXml(text.trim());
  } catch (error) {
    if (error instanceof XmlError) throw unreadable(error.message);
    throw error;
  }
}

function pauseOf(verb: XmlElement): number {
  const length = verb.attributes.get('length') ?? '1';
  if (!/^[0-9]{1,4}$/.test(length)) throw unreadable('length of Pause must be a number of seconds');
  return Number(length);
}

/** The one number or SIP URI that is dialled, as the transfer of a call takes it. */
function targetOf(dial: XmlElement): string {
  for (const name of dial.attributes.keys())
    if (!ignoredOfDial.has(name)) throw notOffered(`${name} of Dial is not offered`);
  const [child, ...more] = dial.elements;
  if (more.length > 0 || (child !== undefined && dial.text !== ''))
    throw notOffered('Dial takes one number or SIP URI');
  if (child === undefined) return numberOf(dial.text);
  if (child.elements.length > 0) throw unreadable(`${child.name} must contain text only`);
  // Such as `url`, which would play a document to the dialled party, and credentials of Sip.
  for (const name of child.attributes.keys()) throw notOffered(`${name} of ${child.name} is not offered`);
  if (child.name === 'Number') return numberOf(child.text);
  if (child.name !== 'Sip') throw notOffered(`${child.name} in Dial is not offered`);
  if (!/^sips?:[^\s]+$/i.test(child.text)) throw unreadable('Sip must contain a SIP URI');
  return child.text;
}

function numberOf(text: string): string {
  const digits = readPhoneNumber(text);
  if (digits === undefined) throw new TwilioFailure(400, twilioCodes.numberInvalid, describeNoNumber(text));
  return e164(digits);
}

const unreadable = (message: string): TwilioFailure =>
  new TwilioFailure(400, twilioCodes.documentUnreadable, `Twiml: ${message}.`);

const notOffered = (message: string): TwilioFailure =>
  new TwilioFailure(
    501,
    twilioCodes.verbNotOffered,
    `Twiml: ${message.endsWith('.') ? message : `${message}.`}`,
  );
