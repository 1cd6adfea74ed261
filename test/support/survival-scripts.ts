import type { MemoryRedis } from './memory-redis.js';

/** What the scripts of `src/edge/survival` do; the contract tests run the scripts. */
export function scriptSurvival(redis: MemoryRedis): void {
  const { strings, hashes, sets, lifetimes } = redis;
  const hashOf = (key: string): Map<string, string> => {
    const hash = hashes.get(key) ?? new Map<string, string>();
    hashes.set(key, hash);
    return hash;
  };
  const move = (field: string, from: string, to: string): void => {
    const value = hashes.get(from)?.get(field);
    if (value === undefined) return;
    hashes.get(from)!.delete(field);
    hashOf(to).set(field, value);
  };
  const has = (key: string): boolean => (hashes.get(key)?.size ?? 0) > 0;
  const own = (key: string, holder: string): void => {
    sets.set(key, new Set(sets.get(key)).add(holder));
  };

  redis.script('adoptCalls', (keys, [dead, adopter, isGone, facts, milliseconds, most]) => {
    const [lease, held, open, mark, leftOver, ownHeld, ownOpen, holders, openOwners] = keys as string[];
    if (strings.has(mark!)) {
      if (!has(leftOver!)) return null;
    } else {
      if (isGone !== '1' && strings.has(lease!)) return null;
      strings.set(mark!, adopter!);
      lifetimes.set(mark!, Number(milliseconds));
      strings.delete(lease!);
      if (has(held!)) hashes.set(leftOver!, hashes.get(held!)!);
      hashes.delete(held!);
    }
    const taken = [...(hashes.get(leftOver!) ?? [])].slice(0, Number(most));
    for (const [id] of taken) {
      move(id, leftOver!, ownHeld!);
      move(id, open!, ownOpen!);
    }
    hashOf(holders!).set(adopter!, facts!);
    if (taken.length > 0) own(openOwners!, adopter!);
    const left = hashes.get(leftOver!)?.size ?? 0;
    if (left === 0) hashes.get(holders!)!.delete(dead!);
    const unanswered = left > 0 ? [] : [...(hashes.get(open!)?.keys() ?? [])];
    const octets = (text: string): Buffer => Buffer.from(text, 'latin1');
    return [taken.flat().map(octets), left, unanswered.map(octets)];
  });

  redis.script('leaveCalls', ([lease, holders, ...leases], [holder, facts, ...names]) => {
    const stays = (name: string, index: number): boolean => {
      const candidate = hashes.get(holders!)?.get(name);
      return (
        candidate !== undefined && JSON.parse(candidate).is_leaving !== true && strings.has(leases[index]!)
      );
    };
    if (!names.some(stays)) return 0;
    strings.delete(lease!);
    hashOf(holders!).set(holder!, facts!);
    return 1;
  });

  redis.script('leaveCall', (keys, [holder, facts, left, itsFacts, id, document]) => {
    const [held, open, mark, leftHeld, leftOpen, leftMark, holders, openOwners] = keys as string[];
    if (strings.has(leftMark!) || hashes.get(holders!)?.has(left!) === true) return 1;
    if (strings.has(mark!)) return 0;
    hashes.get(held!)?.delete(id!);
    hashOf(leftHeld!).set(id!, document!);
    if (hashes.get(open!)?.has(id!) === true) own(openOwners!, left!);
    move(id!, open!, leftOpen!);
    hashOf(holders!).set(holder!, facts!).set(left!, itsFacts!);
    return 1;
  });
}
