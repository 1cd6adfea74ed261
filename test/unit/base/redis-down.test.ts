import { describe, expect, it } from 'vitest';
import { isRedisDown } from '../../../src/base/redis.js';

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
const coded = (code: string): Error => Object.assign(new Error('connect'), { code });

describe('a command of Redis that failed', () => {
  it.each([
    ['a silent server', new Error('Command timed out')],
    ['a closed connection', new Error('Connection is closed.')],
    ['too many retries', named('MaxRetriesPerRequestError', 'Reached the max retries')],
    ['a refused connection', coded('ECONNREFUSED')],
    ['a socket file that is not there', coded('ENOENT')],
    ['a full memory', named('ReplyError', "OOM command not allowed when used memory > 'maxmemory'.")],
    ['a server that loads', named('ReplyError', '-LOADING Redis is loading the dataset in memory')],
    ['every address of a name', new AggregateError([coded('ECONNREFUSED'), coded('EHOSTUNREACH')])],
    ['one address of a name', new AggregateError([new Error('no'), coded('ETIMEDOUT')])],
  ])('means that it is down: %s', (_what, error) => expect(isRedisDown(error)).toBe(true));

  it.each([
    ['a wrong command', named('ReplyError', "ERR unknown command 'FOO'")],
    ['another error of the system', coded('EACCES')],
    ['an error of the program', new Error('undefined is not a function')],
    ['errors of the program', new AggregateError([new Error('no')])],
    ['a word that only begins so', named('ReplyError', 'BUSYGROUP Consumer Group name already exists')],
    ['no error', 'Command timed out'],
  ])('does not mean that: %s', (_what, error) => expect(isRedisDown(error)).toBe(false));
});
