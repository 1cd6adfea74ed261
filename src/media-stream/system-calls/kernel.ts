import { isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import ipaddr from 'ipaddr.js';
import type { SystemCalls } from './system-calls.js';

/** Constants and layouts of 64-bit Linux on x64 and arm64. */
export const kernel = {
  AF_INET: 2,
  AF_INET6: 10,
  SOCK_STREAM: 1,
  SOCK_DGRAM: 2,
  SOCK_NONBLOCK: 0o4000,
  SOCK_CLOEXEC: 0o2000000,
  SOL_SOCKET: 1,
  SO_ERROR: 4,
  SO_TIMESTAMPNS: 35,
  IPPROTO_TCP: 6,
  TCP_NODELAY: 1,
  SHUT_WR: 1,
  MSG_TRUNC: 0x20,
  MSG_DONTWAIT: 0x40,
  CLOCK_REALTIME: 0,
  EPOLL_CLOEXEC: 0o2000000,
  EPOLL_CTL_ADD: 1,
  EPOLL_CTL_DEL: 2,
  EPOLL_CTL_MOD: 3,
  EPOLLIN: 1,
  EPOLLOUT: 4,
  EINPROGRESS: 115,
} as const;

/** The octets of `struct sockaddr_in` and `struct sockaddr_in6`. */
export const addressOctets = { 4: 16, 6: 28 } as const;

/** The octets of `struct epoll_event`, which is packed on x64 alone, and the place of its data. */
export const event = process.arch === 'x64' ? { octets: 12, data: 4 } : { octets: 16, data: 8 };

/** Throws an error as those of Node.js where a call has failed. */
export function checked(calls: SystemCalls, call: string, result: number, where = ''): number {
  if (result >= 0) return result;
  throw systemError(call, calls.errno(), where);
}

/** @param errno of the call that failed */
export function systemError(call: string, errno: number, where = ''): NodeJS.ErrnoException {
  const code = errno > 0 ? getSystemErrorName(-errno) : 'failed';
  return Object.assign(new Error(`${call} ${code} ${where}`.trimEnd()), { code, syscall: call });
}

/** `struct sockaddr_in` or `struct sockaddr_in6`; undefined: no IP address. */
export function socketAddress(address: string, port: number): Buffer | undefined {
  const family = isIP(address);
  if (family !== 4 && family !== 6) return undefined;
  const octets = Buffer.alloc(addressOctets[family]);
  octets.writeUInt16LE(family === 6 ? kernel.AF_INET6 : kernel.AF_INET, 0);
  octets.writeUInt16BE(port, 2);
  octets.set(ipaddr.parse(address).toByteArray(), family === 6 ? 8 : 4);
  return octets;
}

/** An `int` in memory. */
export function word(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeInt32LE(value, 0);
  return octets;
}
