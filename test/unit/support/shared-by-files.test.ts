import { expect, it } from 'vitest';
import { leaveShared, readShared, type Stop, shareWithFiles } from '../../support/shared-by-files.js';
import { stays } from '../../support/stays.js';

/** @returns what has started, and what has ended, in order */
function share(users?: readonly string[]) {
  const starts: string[] = [];
  const ends: string[] = [];
  let file = '';
  const start = async (stops: Stop[]) => {
    starts.push('server');
    stops.push(
      () => ends.push('server'),
      () => ends.push('client'),
    );
    return { port: 1 };
  };
  const tearDown = shareWithFiles((path) => (file = path), start, users);
  return { starts, ends, tearDown, read: () => readShared<{ port: number }>(file, 5_000) };
}

it('ends what files share, the last part first, once each of its users has left', async () => {
  const { ends, tearDown, read } = share(['first.test.ts', 'second.test.ts']);
  expect(await read()).toEqual({ port: 1 });
  leaveShared('test/e2e/first.test.ts');
  // Another file, which uses nothing shared.
  leaveShared('test/e2e/second.test.ts');
  await read();
  expect(ends).toEqual([]);
  leaveShared('test/e2e/second.test.ts');
  await expect.poll(() => ends).toEqual(['client', 'server']);
  await tearDown();
  expect(ends).toEqual(['client', 'server']);
});

it('keeps what any file may use until the end of the run', async () => {
  const { ends, tearDown, read } = share();
  await read();
  leaveShared('test/e2e/first.test.ts');
  await stays(() => expect(ends).toEqual([]), 1_200);
  await tearDown();
  expect(ends).toEqual(['client', 'server']);
});

it('starts what files share once, when the first of them asks for it', async () => {
  const { starts, ends, tearDown, read } = share();
  await stays(() => expect(starts).toEqual([]), 600);
  await Promise.all([read(), read()]);
  await read();
  expect(starts).toEqual(['server']);
  await tearDown();
  expect(ends).toEqual(['client', 'server']);
});

it('neither starts nor ends what no file asks for', async () => {
  const { starts, ends, tearDown } = share(['first.test.ts']);
  await tearDown();
  expect([...starts, ...ends]).toEqual([]);
});
