import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTurn } from '../../../src/base/turns.js';

let now: number;

beforeEach(async () => {
  now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  // Until the turn of the last piece of an earlier test is over.
  await nextTurn();
  await nextTurn();
});
afterEach(() => void vi.restoreAllMocks());

describe('work in turn', () => {
  it('begins at once, and has one piece in each turn of the event loop', async () => {
    const ran: number[] = [];
    for (let piece = 0; piece < 4; piece++) inTurn(() => ran.push(piece));
    expect(ran).toEqual([0]);
    const seen: number[] = [];
    while (ran.length < 4) {
      await nextTurn();
      seen.push(ran.length);
    }
    expect(new Set(seen)).toEqual(new Set([2, 3, 4]));
    expect(ran).toEqual([0, 1, 2, 3]);
  });

  it('is not put off any longer where each turn takes long', async () => {
    const ran: number[] = [];
    for (let piece = 0; piece < 100; piece++) inTurn(() => ran.push(piece));
    now += 26;
    await nextTurn();
    await nextTurn();
    expect(ran).toEqual(Array.from({ length: 100 }, (_, piece) => piece));
  });

  it('continues after a piece that throws, whose error is uncaught', async () => {
    const caught: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => caught.push(error));
    const fault = new Error('the disk is full');
    const ran: string[] = [];
    try {
      inTurn(() => ran.push('before'));
      inTurn(() => {
        throw fault;
      });
      inTurn(() => ran.push('after'));
      while (!ran.includes('after')) await nextTurn();
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
    expect(ran).toEqual(['before', 'after']);
    expect(caught).toEqual([fault]);
  });

  it('is not held up by work of a clock that a test has left behind', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate'] });
    const left: string[] = [];
    inTurn(() => left.push('first'));
    inTurn(() => left.push('never'));
    vi.useRealTimers();
    const ran: string[] = [];
    inTurn(() => ran.push('first'));
    inTurn(() => ran.push('second'));
    expect(ran).toEqual(['first']);
    while (ran.length < 2) await nextTurn();
    expect(left).toEqual(['first']);
  });

  it('of the process continues while a test has another clock', async () => {
    const ran: string[] = [];
    for (const name of ['first', 'second', 'third']) inTurn(() => ran.push(name));
    vi.useFakeTimers({ toFake: ['setImmediate'] });
    try {
      while (ran.length < 3) await nextTurn();
    } finally {
      vi.useRealTimers();
    }
    expect(ran).toEqual(['first', 'second', 'third']);
  });

  it('takes work that a piece asks for in a later turn', async () => {
    const ran: string[] = [];
    inTurn(() => {
      ran.push('outer');
      inTurn(() => ran.push('inner'));
    });
    expect(ran).toEqual(['outer']);
    while (ran.length < 2) await nextTurn();
    expect(ran).toEqual(['outer', 'inner']);
  });
});
