import { loadFunctions, loadKoffi } from '../../base/native-functions.js';

/**
 * System calls by the npm package koffi, without `errno` where failures need no cause. Memory is passed as buffers, whose address does
 * not change; each call says how much of it the kernel may use.
 */
export interface SystemCalls {
  socket(domain: number, type: number, protocol: number): number;
  bind(descriptor: number, address: Buffer, length: number): number;
  connect(descriptor: number, address: Buffer, length: number): number;
  getsockname(descriptor: number, address: Buffer, length: Buffer): number;
  getsockopt(descriptor: number, level: number, name: number, value: Buffer, length: Buffer): number;
  setsockopt(descriptor: number, level: number, name: number, value: Buffer, length: number): number;
  send(descriptor: number, datagram: Buffer, length: number, flags: number): number;
  recvmmsg(descriptor: number, headers: Buffer, count: number, flags: number, timeout: null): number;
  clock_gettime(clock: number, time: Buffer): number;
  epoll_create1(flags: number): number;
  epoll_ctl(poll: number, operation: number, descriptor: number, event: Buffer): number;
  epoll_wait(poll: number, events: Buffer, count: number, milliseconds: number): number;
  shutdown(descriptor: number, how: number): number;
  close(descriptor: number): number;
  /** Of the last call that failed; only for texts. */
  errno(): number;
  addressOf(memory: Buffer): bigint;
}

const prototypes = {
  socket: 'int socket(int domain, int type, int protocol)',
  bind: 'int bind(int descriptor, const uint8_t *address, uint32_t length)',
  connect: 'int connect(int descriptor, const uint8_t *address, uint32_t length)',
  getsockname: 'int getsockname(int descriptor, uint8_t *address, uint8_t *length)',
  getsockopt: 'int getsockopt(int descriptor, int level, int name, uint8_t *value, uint8_t *length)',
  setsockopt: 'int setsockopt(int descriptor, int level, int name, const uint8_t *value, uint32_t length)',
  send: 'intptr_t send(int descriptor, const uint8_t *datagram, size_t length, int flags)',
  recvmmsg: 'int recvmmsg(int descriptor, uint8_t *headers, uint32_t count, int flags, void *timeout)',
  clock_gettime: 'int clock_gettime(int clock, uint8_t *time)',
  epoll_create1: 'int epoll_create1(int flags)',
  epoll_ctl: 'int epoll_ctl(int poll, int operation, int descriptor, uint8_t *event)',
  epoll_wait: 'int epoll_wait(int poll, uint8_t *events, int count, int milliseconds)',
  shutdown: 'int shutdown(int descriptor, int how)',
  close: 'int close(int descriptor)',
} as const;

/** Rejects where they cannot be had. */
export async function loadSystemCalls(): Promise<SystemCalls> {
  const koffi = loadKoffi();
  return {
    ...loadFunctions<typeof prototypes>(prototypes),
    errno: () => koffi.errno(),
    addressOf: (memory: Buffer) => koffi.address(memory),
  } as unknown as SystemCalls;
}
