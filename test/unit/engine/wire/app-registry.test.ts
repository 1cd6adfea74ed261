import { beforeEach, describe, expect, it } from 'vitest';
import type { AppConnection } from '../../../../src/engine/wire/app-connection.js';
import { AppRegistry } from '../../../../src/engine/wire/app-registry.js';

class Connection {
  readonly verbs = new Set<string>();
  isOpen = true;
  isSilent = false;
  owner: string | undefined;
  changes = 0;

  routesChanged(): void {
    this.changes += 1;
  }

  get asConnection(): AppConnection {
    return this as unknown as AppConnection;
  }
}

let registry: AppRegistry;
let a: Connection;
let b: Connection;
let c: Connection;
beforeEach(() => {
  registry = new AppRegistry();
  [a, b, c] = [new Connection(), new Connection(), new Connection()];
  for (const each of [a, b, c]) {
    registry.add(each.asConnection);
    registry.route(each.asConnection, 'invite');
  }
});

const chosen = (count: number, verb = 'invite', preferred?: Connection): string =>
  Array.from({ length: count }, () => {
    const found = registry.choose(verb, preferred?.asConnection) as unknown as Connection | undefined;
    return found === undefined ? '-' : 'abc'[[a, b, c].indexOf(found)];
  }).join('');

describe('applications that take a method', () => {
  it('have turns, each verb its own', () => {
    registry.route(b.asConnection, 'options');
    registry.route(c.asConnection, 'options');
    expect(chosen(4)).toBe('abca');
    expect(chosen(3, 'options')).toBe('bcb');
    expect(chosen(1)).toBe('b');
    expect(chosen(1, 'message')).toBe('-');
    expect([registry.hasTaker('options'), registry.hasTaker('message')]).toEqual([true, false]);
  });

  it('have one share each, however often they ask, and none after they withdraw', () => {
    registry.route(a.asConnection, 'invite');
    expect([a.changes, chosen(3)]).toEqual([1, 'abc']);
    registry.removeRoute(b.asConnection, 'invite');
    registry.removeRoute(b.asConnection, 'invite');
    expect([b.changes, chosen(4)]).toEqual([2, 'caca']);
  });

  it('are passed over while they are closed or silent', () => {
    b.isOpen = false;
    c.isSilent = true;
    expect(chosen(3)).toBe('aaa');
    a.isOpen = false;
    // All that are open are silent.
    expect(chosen(2)).toBe('cc');
    expect(registry.hasTaker('invite')).toBe(true);
    c.isOpen = false;
    expect([chosen(1), registry.hasTaker('invite')]).toEqual(['-', false]);
  });

  it('are preferred by name only while they are open and react', () => {
    expect(chosen(2, 'invite', c)).toBe('cc');
    c.isSilent = true;
    expect(chosen(2, 'invite', c)).toBe('ab');
    c.isSilent = false;
    c.isOpen = false;
    expect(chosen(2, 'invite', c)).toBe('ab');
    registry.removeRoute(c.asConnection, 'invite');
    c.isOpen = true;
    expect(chosen(2, 'invite', c)).toBe('ab');
  });

  it('are none once the last one has left, and begin again with the first', () => {
    expect(chosen(1)).toBe('a');
    for (const each of [a, b, c]) registry.remove(each.asConnection);
    expect([registry.size, chosen(1), registry.hasTaker('invite'), a.verbs.size]).toEqual([0, '-', false, 0]);
    for (const each of [b, c]) registry.route(each.asConnection, 'invite');
    expect(chosen(2)).toBe('bc');
  });
});

it('names the open applications that are silent, and those that own dialogs', () => {
  a.isSilent = true;
  b.isSilent = true;
  b.isOpen = false;
  b.owner = 'one';
  c.owner = 'two';
  expect(registry.silent()).toEqual([a]);
  expect(registry.owners()).toEqual([c]);
  expect(registry.all()).toEqual([a, b, c]);
});
