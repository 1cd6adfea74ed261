import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readAgentSettings } from '../../../../dev/agent/agent-settings.js';
import { PathwayAgent } from '../../../../dev/agent/pathway/pathway-agent.js';
import { pathwayServices, signingOf } from '../../../../dev/agent/pathway/pathway-settings.js';
import { createLog } from '../../../../src/base/log.js';
import { handshakeHeaders } from '../../../../src/contract/stream-signatures.js';
import { decode, encode, samplesPerPacket } from '../../../../src/rtp/g711.js';
import { decodeTones, encodeTones } from '../../../../src/rtp/tone-code.js';
import { RuleModel } from '../../../../src/rule-model/rule-model.js';
import { until } from '../../../../src/testkit/waiting.js';

const log = createLog({ level: 'silent', role: 'agent' });
const boundMilliseconds = 20_000;
const signing = { url: 'wss://agent.example.com/', secrets: ['secret'] };
const silence = encode('PCMU', new Int16Array(samplesPerPacket));

const pathway = {
  start_node_id: 'greeting',
  nodes: [
    {
      id: 'greeting',
      name: 'Greeting',
      type: 'default',
      text: 'HI {{tenant}}.',
      extract: [{ name: 'day', type: 'string', description: 'The day.' }],
    },
    { id: 'book', name: 'Book', type: 'webhook', webhook: { url: '', body: { day: '{{day}}' } } },
    { id: 'booked', name: 'Booked', type: 'default', text: 'BOOKED {{day}}. ANYTHING ELSE?' },
    { id: 'person', name: 'Person', type: 'transfer', text: 'ONE MOMENT.', transfer_to: '+1{{ext}}' },
    { id: 'end', name: 'End', type: 'end', text: 'BYE.' },
  ],
  edges: [
    { id: 'day', source: 'greeting', target: 'book', label: 'The caller names a day' },
    { id: 'b', source: 'book', target: 'booked', label: 'booked' },
    { id: 'keys', source: 'booked', target: 'person', label: 'The caller presses 0' },
    { id: 'no', source: 'booked', target: 'end', label: 'The caller says no' },
  ],
  settings: { variables: [{ name: 'tenant' }, { name: 'ext', value: '202' }, { name: 'token' }] },
};

let services: Server;
let model: RuleModel;
let agent: PathwayAgent;
/** What the API and the webhook were asked. */
let asked: { readonly path: string; readonly token: unknown; readonly body: unknown }[];

beforeEach(async () => {
  asked = [];
  services = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = text === '' ? undefined : JSON.parse(text);
    asked.push({ path: request.url!, token: request.headers['x-demarc-token'], body });
    response.statusCode = request.url === '/v1/pathways/p/versions/3' || request.url === '/book' ? 200 : 404;
    response.end(JSON.stringify({ data: { document: document(url()) } }));
  });
  services.listen(0, '127.0.0.1');
  await once(services, 'listening');
  model = await RuleModel.start({
    rules: [
      { when: { last: '"text":"TUESDAY"\\}$' }, answer: decision('day', { day: 'TUESDAY' }) },
      { when: { last: '"text":"\\[keys pressed: 0#\\]"\\}$' }, answer: decision('keys') },
      { when: { last: '"text":"NO"\\}$' }, answer: decision('no') },
    ],
  });
  agent = await PathwayAgent.start(
    { listen: { host: '127.0.0.1', port: 0 }, signing },
    {
      ...(await pathwayServices(
        {
          DEMARC_LLM_URL: model.url,
          DEMARC_LLM_MODEL: 'rules',
          DEMARC_TEST_CALL_SPEECH: 'tones',
          DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
        },
        log,
      )),
      apiUrl: url(),
      language: 'en-US',
      endOfTurnMilliseconds: 200,
      log,
    },
  );
});
afterEach(async () => {
  await agent.stop();
  await model.stop();
  services.close();
});

const decision = (edge: string, extracted = {}) => ({ extracted, condition_met: true, edge });

const url = (): string => `http://127.0.0.1:${(services.address() as AddressInfo).port}`;

const document = (base: string) => ({
  ...pathway,
  nodes: pathway.nodes.map((node) =>
    node.type === 'webhook' ? { ...node, webhook: { ...node.webhook, url: `${base}/book` } } : node,
  ),
});

/** Demarc's side of a call. Its frames are sent faster than in time: the clock of the agent is theirs. */
class Caller {
  readonly orders: { readonly event: string; readonly [name: string]: unknown }[] = [];
  /** Of the agent, since the last line that was heard. */
  private audio: Buffer[] = [];

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (text) => {
      const order = JSON.parse(String(text));
      if (order.event === 'media') this.audio.push(Buffer.from(order.media.payload, 'base64'));
      else this.orders.push(order);
    });
  }

  static async open(
    parameters: Record<string, string> = {
      pathway_id: 'p',
      pathway_version: '3',
      token: 'T',
      tenant: 'BLUE',
    },
    { secrets = signing.secrets, isReconnected = false } = {},
  ): Promise<Caller> {
    const headers = handshakeHeaders(
      secrets,
      { url: signing.url, accountSid: 'AC1', callSid: 'CA1' },
      Math.floor(Date.now() / 1_000),
    );
    const socket = new WebSocket(`ws://127.0.0.1:${agent.port}/`, { headers });
    const caller = new Caller(socket);
    await once(socket, 'open');
    const start = {
      accountSid: 'AC1',
      callSid: 'CA1',
      customParameters: parameters,
      reconnected: isReconnected,
    };
    socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
    socket.send(JSON.stringify({ event: 'start', streamSid: 'MZ1', start }));
    return caller;
  }

  /** Hears the agent until it has said these words. */
  async hears(words: string): Promise<void> {
    const heard = () => decodeTones(decode('PCMU', Buffer.concat(this.audio)));
    await this.silentUntil(
      () => heard() === words,
      () => `${words}; heard ${heard()}, orders ${JSON.stringify(this.orders)}`,
    );
    this.audio = [];
  }

  async ordered(event: string) {
    const found = () => this.orders.find((order) => order.event === event);
    await this.silentUntil(
      () => found() !== undefined,
      () => event,
    );
    return found()!;
  }

  say(words: string): void {
    const samples = encodeTones(words);
    for (let at = 0; at < samples.length; at += samplesPerPacket)
      this.frame(encode('PCMU', samples.slice(at, at + samplesPerPacket)));
  }

  press(digit: string): void {
    this.send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { digit } });
  }

  silentFrames(count: number): void {
    for (let frame = 0; frame < count; frame++) this.frame(silence);
  }

  private frame(octets: Buffer): void {
    this.send({ event: 'media', media: { payload: octets.toString('base64') } });
  }

  private send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  private async silentUntil(condition: () => boolean, what: () => string): Promise<void> {
    await until(
      () => {
        this.silentFrames(1);
        return condition();
      },
      boundMilliseconds,
      what,
    );
  }
}

describe('the reference agent for pathways', () => {
  it('follows the version of its call: variables, webhook, keys and a transfer', async () => {
    const caller = await Caller.open();
    await caller.hears('HI BLUE.');
    caller.silentFrames(500);
    caller.say('TUESDAY');
    await caller.hears('BOOKED TUESDAY. ANYTHING ELSE?');
    caller.silentFrames(500);
    caller.press('0');
    caller.press('#');
    await caller.hears('ONE MOMENT.');
    expect(await caller.ordered('transfer')).toMatchObject({ to: '+1202' });
    expect(caller.orders.flatMap(({ event, values }) => (event === 'metadata' ? [values] : []))).toEqual([
      { pathway_node: 'greeting' },
      { pathway_node: 'booked' },
      { 'tool_call.1': '{"name":"book","turn":1,"status":200,"arguments":{"day":"TUESDAY"}}' },
      { pathway_node: 'person' },
    ]);
    expect(asked).toEqual([
      { path: '/v1/pathways/p/versions/3', token: 'T', body: undefined },
      { path: '/book', token: undefined, body: { day: 'TUESDAY' } },
    ]);
    // The token is none of the variables that a model sees, though the pathway declares one of its name.
    expect(JSON.stringify(model.requests)).not.toContain('"T"');
  });

  it('is silent when it is interrupted, goes on from what was heard, and ends the call', async () => {
    const caller = await Caller.open();
    await caller.hears('HI BLUE.');
    caller.silentFrames(500);
    caller.say('TUESDAY');
    await caller.hears('BOOKED TUESDAY. ANYTHING ELSE?');
    // 120 ms a character: within the second sentence.
    caller.silentFrames((20 * 120) / 20);
    caller.say('NO');
    await caller.ordered('clear');
    await caller.hears('BYE.');
    await caller.ordered('hangup');
    const question = model.requests.at(-1)!.body.messages.at(-1).content;
    expect(question).toContain('"BOOKED TUESDAY. [interrupted by the caller]"');
    expect(question).not.toContain('ANYTHING ELSE');
  });

  it('continues a call whose connection was lost', async () => {
    const first = await Caller.open();
    await first.hears('HI BLUE.');
    first.socket.terminate();
    await once(first.socket, 'close');
    const second = await Caller.open({ token: 'T' }, { isReconnected: true });
    second.silentFrames(500);
    second.say('TUESDAY');
    await second.hears('BOOKED TUESDAY. ANYTHING ELSE?');
    second.socket.close(1_000);
  });

  it('hangs up a call without a pathway, and one whose pathway it may not read', async () => {
    for (const parameters of [{ token: 'T' }, { pathway_id: 'p', pathway_version: '4', token: 'T' }]) {
      const caller = await Caller.open(parameters);
      await caller.ordered('hangup');
      caller.socket.close(1_000);
      await once(caller.socket, 'close');
    }
  });

  it('takes its options beside those of the demo agent', () => {
    expect(readAgentSettings(['--pathway', '--language', 'de-DE'])).toMatchObject({
      listen: { host: '127.0.0.1', port: 8090 },
      pathway: { apiUrl: 'http://127.0.0.1:8080', language: 'de-DE' },
    });
    expect(readAgentSettings([])).toMatchObject({ listen: { port: 5080 }, pathway: undefined });
    expect(() => signingOf('wss://agent.example.com/', {})).toThrow('AGENT_SIGNING_SECRETS');
  });

  it('refuses a handshake that is signed with another secret', async () => {
    await expect(Caller.open(undefined, { secrets: ['other'] })).rejects.toThrow('403');
  });
});
