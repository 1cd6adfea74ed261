import { describe, expect, it } from 'vitest';
import { ResponsePath } from '../../../../src/engine/transaction/response-path.js';
import { type Flow, type Transport, TransportError } from '../../../../src/engine/transport/flow.js';
import { parseMessage } from '../../../../src/sip/parse.js';

const parsed = parseMessage(
  Buffer.from(
    'INVITE sip:a@192.0.2.1 SIP/2.0\r\nVia: SIP/2.0/TCP pbx.example:5070;branch=z9hG4bK1;received=192.0.2.9\r\nContent-Length: 0\r\n\r\n',
  ),
);
if (!parsed.ok) throw new Error('The request cannot be parsed.');
const request = parsed.message;

const flowTo = (remotePort: number, isOpen = true): Flow =>
  ({ id: `${remotePort}`, protocol: 'tcp', remoteAddress: '192.0.2.9', remotePort, isOpen }) as Flow;

function path(connect: () => Promise<Flow>, first: Flow) {
  const sent: [port: number, bytes: string][] = [];
  let losses = 0;
  let target: unknown;
  const transport = {
    send: (flow: Flow, bytes: string) => sent.push([flow.remotePort, bytes]),
    connect: (to: unknown) => {
      target = to;
      return connect();
    },
  } as unknown as Transport;
  const owner = {
    received: { message: request, flow: first } as never,
    pathLost: () => {
      losses += 1;
    },
  };
  return {
    sent,
    path: new ResponsePath(transport, owner),
    losses: () => losses,
    target: () => target,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the path of responses', () => {
  it('sends the last response that waited for a reopened connection, to the port of the Via', async () => {
    const { path: responses, sent, target, losses } = path(async () => flowTo(5070), flowTo(40_000, false));
    responses.send('180');
    responses.send('200');
    expect(sent).toEqual([]);
    await settled();
    expect(sent).toEqual([[5070, '200']]);
    expect(target()).toMatchObject({ protocol: 'tcp', address: '192.0.2.9', port: 5070 });
    responses.send('200 again');
    expect(sent).toEqual([
      [5070, '200'],
      [5070, '200 again'],
    ]);
    expect(losses()).toBe(0);
  });

  it('sends it over the connection of a retransmission that comes first', async () => {
    let refuse!: (error: Error) => void;
    const connected = new Promise<Flow>((_resolve, reject) => {
      refuse = reject;
    });
    const { path: responses, sent, losses } = path(() => connected, flowTo(40_000, false));
    responses.send('200');
    responses.adopt(flowTo(41_000));
    expect(sent).toEqual([[41_000, '200']]);
    refuse(new TransportError('refused', 'no listener'));
    await settled();
    expect(losses()).toBe(0);
  });

  it('reports its loss once when the peer cannot be reached', async () => {
    const failed = async (): Promise<Flow> => {
      throw new TransportError('refused', 'no listener');
    };
    const { path: responses, sent, losses } = path(failed, flowTo(40_000, false));
    responses.send('200');
    await settled();
    responses.send('200');
    responses.closed();
    expect([losses(), sent]).toEqual([1, []]);
  });

  it('reports its loss where the transport cannot even begin to connect', () => {
    const refused = (): Promise<Flow> => {
      throw new TransportError('refused', 'no address');
    };
    const { path: responses, losses } = path(refused, flowTo(40_000, false));
    responses.send('200');
    expect(losses()).toBe(1);
  });

  it('hides no fault of the program', () => {
    const faulty = (): Promise<Flow> => {
      throw new TypeError('undefined is not a function');
    };
    const { path: responses, losses } = path(faulty, flowTo(40_000, false));
    expect(() => responses.send('200')).toThrow(TypeError);
    expect(losses()).toBe(0);
  });
});
