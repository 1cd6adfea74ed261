import { describe, expect, it } from 'vitest';
import { generateSecretKey, numberPlace, SecretBox, streamPlace } from '../../../../src/contract/secret.js';
import { type StoredStream, storedStream } from '../../../../src/control/numbers/agent-streams.js';
import {
  isOutdated,
  passwordColumns,
  resealedColumns,
} from '../../../../src/control/trunks/resealed-columns.js';

const [newKey, oldKey] = [generateSecretKey(), generateSecretKey()];
const [current, earlier] = [new SecretBox([newKey, oldKey]), new SecretBox([oldKey])];
const places = { place: numberPlace('org_1'), streams: streamPlace('org_1') };
const nothing = { register_password: null, pbx_password: null, sip_password: null, agent_streams: [] };
const stream = (box: SecretBox, headers: Record<string, string> = { a: 'b' }): StoredStream =>
  storedStream({ type: 'websocket', url: 'wss://bot.example.com', headers }, box, 'org_1');

describe('the sealed columns of a configuration', () => {
  it.each(passwordColumns)('are outdated when an earlier key sealed %s', (column) => {
    const old = { ...nothing, [column]: earlier.seal('secret', places.place) };
    expect(isOutdated(old, current, places)).toBe(true);
    const changed = resealedColumns(old, current, places);
    expect(Object.keys(changed)).toEqual([column]);
    expect(new SecretBox([newKey]).open(changed[column]!, places.place)).toBe('secret');
  });

  it('are outdated when an earlier key sealed the headers of an agent', () => {
    const fresh = stream(current);
    const old = { ...nothing, agent_streams: [fresh, stream(earlier, {}), stream(earlier)] };
    expect(isOutdated(old, current, places)).toBe(true);
    const streams = JSON.parse(resealedColumns(old, current, places).agent_streams!) as StoredStream[];
    expect(streams[0]).toEqual(fresh);
    expect(streams[1]!.headers).toBeUndefined();
    expect(new SecretBox([newKey]).open(streams[2]!.headers!, places.streams)).toBe('{"a":"b"}');
  });

  it('stay as they are when the current key sealed them, or there are none', () => {
    const row = {
      register_password: current.seal('1', places.place),
      pbx_password: current.seal('2', places.place),
      sip_password: current.seal('3', places.place),
      agent_streams: [stream(current), stream(current, {})],
    };
    for (const each of [row, nothing]) {
      expect(isOutdated(each, current, places)).toBe(false);
      expect(resealedColumns(each, current, places)).toEqual({});
    }
  });

  it('cannot be sealed again without the key that sealed them', () => {
    const foreign = {
      ...nothing,
      sip_password: new SecretBox([generateSecretKey()]).seal('x', places.place),
    };
    expect(isOutdated(foreign, current, places)).toBe(true);
    expect(() => resealedColumns(foreign, current, places)).toThrow(
      expect.objectContaining({ name: 'SecretError' }),
    );
  });
});
