import { streamParametersSchema, streamUrlProblem } from '../../../contract/agent-stream.js';
import { describeNoNumber, e164, readPhoneNumber } from '../../http/phone-number.js';
import { TwilioFailure, twilioCodes } from './failure.js';
import { parseXml, type XmlElement, XmlError } from './xml.js';

/** What a TwiML document has a call do, in order. The last step ends the call, hands it on, or names the next document. */
export type Step =
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'play'; readonly url: string }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'dial'; readonly target: string }
  | { readonly kind: 'connect'; readonly url: string; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'redirect'; readonly url: string; readonly method: 'GET' | 'POST' }
  | { readonly kind: 'hangup' };

/** Of all pauses: the request is answered after them. */
const maximumPauseSeconds = 10;
const maximumSpeech = 3_000;

const reasons: Readonly<Record<string, string>> = {
  Gather: 'Digits arrive on the bot’s stream.',
  Start: 'A call has one stream, that of its agent.',
  Record: 'Calls are recorded by the bot, which receives their audio.',
};

/** Verbs, each with the attributes that it reads, and those that need no support here. */
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  Hangup: [],
  Pause: ['length'],
  Say: ['voice', 'language', 'loop'],
  Play: ['loop', 'digits'],
  /** The number's policy decides about them. */
  Dial: ['answerOnBridge', 'callerId', 'sequential', 'timeout'],
  Connect: [],
  Redirect: ['method'],
  Stream: ['url', 'name', 'track', 'statusCallback', 'statusCallbackMethod'],
  Parameter: ['name', 'value'],
};

/**
 * The steps of a document. Without Dial, Connect or Redirect it ends the call, as the end of a document does. Throws `TwilioFailure`:
 * 400 for what is no TwiML, 501 for verbs and attributes that are not offered.
 * @param base where the document comes from; undefined: from the request itself
 */
export function readTwiml(text: string, base?: string): readonly Step[] {
  const root = parse(text);
  if (root.name !== 'Response') throw unreadable('The root element must be Response');
  if (root.text !== '') throw unreadable('Response must not contain text');
  const steps: Step[] = [];
  let paused = 0;
  for (const [index, verb] of root.elements.entries()) {
    const allowed = Object.hasOwn(attributesOf, verb.name) ? attributesOf[verb.name] : undefined;
    if (allowed === undefined || verb.name === 'Stream' || verb.name === 'Parameter')
      throw notOffered(`${verb.name} is not offered. ${reasons[verb.name] ?? ''}`.trim());
    checkAttributes(verb);
    if (verb.name === 'Hangup') break;
    const step = stepOf(verb, base);
    if (step.kind === 'pause') {
      paused += step.seconds;
      if (paused > maximumPauseSeconds)
        throw notOffered(`Pauses have at most ${maximumPauseSeconds} seconds together`);
    }
    steps.push(step);
    if (step.kind === 'redirect') return steps;
    if (step.kind === 'dial' || step.kind === 'connect') {
      const next = root.elements[index + 1];
      if (next !== undefined && next.name !== 'Hangup')
        throw notOffered(`Only Hangup may follow ${verb.name}: the call ends when its new party leaves it`);
      return steps;
    }
  }
  return [...steps, { kind: 'hangup' }];
}

function stepOf(verb: XmlElement, base: string | undefined): Step {
  switch (verb.name) {
    case 'Pause':
      return { kind: 'pause', seconds: pauseOf(verb) };
    case 'Say':
      return sayOf(verb);
    case 'Play':
      return playOf(verb, base);
    case 'Dial':
      return { kind: 'dial', target: targetOf(verb) };
    case 'Connect':
      return connectOf(verb);
    default:
      return redirectOf(verb, base);
  }
}

function parse(text: string): XmlElement {
  try {
    return parseXml(text.trim());
  } catch (error) {
    if (error instanceof XmlError) throw unreadable(error.message);
    throw error;
  }
}

function checkAttributes({ name, attributes }: XmlElement): void {
  const allowed = attributesOf[name] ?? [];
  for (const attribute of attributes.keys())
    if (!allowed.includes(attribute)) throw notOffered(`${attribute} of ${name} is not offered`);
}

function pauseOf(verb: XmlElement): number {
  const length = verb.attributes.get('length') ?? '1';
  if (!/^[0-9]{1,4}$/.test(length)) throw unreadable('length of Pause must be a number of seconds');
  return Number(length);
}

function checkOnce({ name, attributes }: XmlElement): void {
  const loop = attributes.get('loop') ?? '1';
  if (loop !== '1') throw notOffered(`${name} is heard once: loop ${loop} is not offered`);
}

function sayOf(verb: XmlElement): Step {
  checkOnce(verb);
  if (verb.elements.length > 0) throw notOffered(`${verb.elements[0]!.name} in Say is not offered`);
  if (verb.text === '') throw unreadable('Say must contain text');
  if (verb.text.length > maximumSpeech) throw unreadable(`Say has at most ${maximumSpeech} characters`);
  return { kind: 'say', text: verb.text };
}

function playOf(verb: XmlElement, base: string | undefined): Step {
  const digits = verb.attributes.get('digits');
  if (digits !== undefined) {
    if (verb.text !== '') throw unreadable('Play takes either digits or a URL');
    if (!/^[0-9*#w]{1,64}$/.test(digits))
      throw unreadable('digits of Play must be 1 to 64 characters of 0-9, *, # and w');
    return { kind: 'digits', digits };
  }
  checkOnce(verb);
  return { kind: 'play', url: urlOf(verb, base) };
}

function redirectOf(verb: XmlElement, base: string | undefined): Step {
  const method = verb.attributes.get('method') ?? 'POST';
  if (method !== 'GET' && method !== 'POST') throw unreadable('method of Redirect must be GET or POST');
  return { kind: 'redirect', url: urlOf(verb, base), method };
}

/** Absolute, or relative to the document. */
function urlOf(verb: XmlElement, base: string | undefined): string {
  if (verb.elements.length > 0) throw unreadable(`${verb.name} must contain text only`);
  const url = URL.canParse(verb.text, base) ? new URL(verb.text, base) : undefined;
  if (verb.text === '' || url === undefined || !/^https?:$/.test(url.protocol) || url.href.length > 2_000)
    throw unreadable(`${verb.name} must contain a URL that begins with https://`);
  return url.href;
}

/** The one stream that the call gets in place of the one that it has. */
function connectOf(verb: XmlElement): Step {
  const [stream, ...more] = verb.elements;
  if (stream === undefined || more.length > 0 || verb.text !== '')
    throw unreadable('Connect must contain one Stream');
  if (stream.name !== 'Stream') throw notOffered(`${stream.name} in Connect is not offered`);
  checkAttributes(stream);
  const track = stream.attributes.get('track') ?? 'inbound_track';
  if (track !== 'inbound_track') throw notOffered('A stream of Connect has the inbound track alone');
  const url = stream.attributes.get('url') ?? '';
  const problem = streamUrlProblem(url);
  if (problem !== undefined) throw unreadable(`url of Stream ${problem}`);
  const parameters: Record<string, string> = {};
  for (const parameter of stream.elements) {
    if (parameter.name !== 'Parameter') throw notOffered(`${parameter.name} in Stream is not offered`);
    checkAttributes(parameter);
    parameters[parameter.attributes.get('name') ?? ''] = parameter.attributes.get('value') ?? '';
  }
  const read = streamParametersSchema.safeParse(parameters);
  if (!read.success) {
    const [{ path, message }] = read.error.issues as [(typeof read.error.issues)[number]];
    throw unreadable(`Parameter ${path.join('.')}: ${message}`);
  }
  return { kind: 'connect', url, parameters: read.data };
}

/** The one number or SIP URI that is dialled, as the transfer of a call takes it. */
function targetOf(dial: XmlElement): string {
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
