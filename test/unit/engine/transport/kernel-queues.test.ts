import { expect, it } from 'vitest';
import { addSendQueues, queueKey, type SendQueue } from '../../../../src/engine/transport/kernel-queues.js';

const heading =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

it('reads unacknowledged octets and retransmissions of established connections, IPv4 and IPv6', () => {
  const queues = new Map<string, SendQueue>();
  const rows4 = [
    '   0: 0100007F:13C4 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0',
    '   1: 0100007F:9C40 0A0012C6:13C5 01 00000004:00000000 01:00000191 00000006  1000        0 2 3 0 20 4',
    '   2: 0100007F:9C41 0A0012C6:13C5 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4',
  ];
  const row6 =
    '   0: 00000000000000000000000001000000:9C42 B80D0120000000000000000001000000:13C5 01 00000102:00000000 01:00000010 00000001 0 0 4';
  const mapped =
    '   1: 0000000000000000FFFF00000100007F:9C43 0000000000000000FFFF00000A0012C6:13C5 01 00000001:00000000 01:00000010 00000002 0 0 5';
  addSendQueues(queues, [heading, ...rows4, ''].join('\n'));
  addSendQueues(queues, [heading, row6, mapped, ''].join('\n'));
  const at = (localPort: number, remoteAddress: string): string =>
    queueKey({ localPort, remoteAddress, remotePort: 5061 });
  expect([...queues]).toEqual([
    [at(40_000, '198.18.0.10'), { unacknowledged: 4, retransmissions: 6 }],
    [at(40_002, '2001:db8::1'), { unacknowledged: 258, retransmissions: 1 }],
    [at(40_003, '198.18.0.10'), { unacknowledged: 1, retransmissions: 2 }],
  ]);
});
