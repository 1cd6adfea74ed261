import { describe, expect, it } from 'vitest';
import { chooseSockets } from '../../../../src/media-stream/rtp-sockets/choose-sockets.js';
import { loadSystemCalls } from '../../../../src/media-stream/system-calls/system-calls.js';

const missing = (): Promise<never> =>
  Promise.reject(new Error("Cannot find module 'koffi'\nRequire stack:\n- here"));

describe('the sockets of a process', () => {
  const warnings: unknown[] = [];
  const log = { warn: (...words: unknown[]) => void warnings.push(words) };

  it('are those of node:dgram, with one warning, where koffi cannot be loaded', async () => {
    warnings.length = 0;
    expect((await chooseSockets('auto', log, missing)).kind).toBe('dgram');
    expect(warnings).toEqual([[{ error: "Cannot find module 'koffi'" }, expect.any(String)]]);
  });

  it('are required by the setting, which the error names', async () => {
    await expect(chooseSockets('native', log, missing)).rejects.toThrow(
      "DEMARC_STREAM_SOCKETS: native sockets are unavailable: Cannot find module 'koffi'",
    );
  });

  it('are those of node:dgram by the setting, without a warning and without loading koffi', async () => {
    warnings.length = 0;
    const load = (): Promise<never> => {
      throw new Error('koffi was loaded');
    };
    expect((await chooseSockets('dgram', log, load)).kind).toBe('dgram');
    expect(warnings).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('are native where koffi is installed', async () => {
    warnings.length = 0;
    expect((await chooseSockets('auto', log, loadSystemCalls)).kind).toBe('native');
    expect(warnings).toEqual([]);
  });
});
