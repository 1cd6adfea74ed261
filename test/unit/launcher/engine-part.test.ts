import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readEngineSettings } from '../../../src/config/engine-settings.js';
import type { PartContext } from '../../../src/launcher/part.js';
import { enginePart } from '../../../src/launcher/parts/engine.js';
import { readLauncherSettings } from '../../../src/launcher/settings.js';

const certificates = { certificateFile: 'c', keyFile: 'k', caFile: 'a', renewed: false } as Parameters<
  typeof enginePart
>[1];

async function argumentsOf(environment: Record<string, string>): Promise<readonly string[]> {
  let next = 21_000;
  const context = {
    settings: readLauncherSettings(environment),
    facts: { port: () => Promise.resolve(next++), secret: () => 'secret' },
  } as unknown as PartContext;
  const { plan } = await enginePart(context, certificates);
  return plan.args;
}

async function listenersOf(environment: Record<string, string>): Promise<string[]> {
  const words = await argumentsOf(environment);
  return words.flatMap((word, at) => (/^--(udp|tcp|tls)$/.test(word) ? [`${word} ${words[at + 1]}`] : []));
}

describe('the engine of npm start', () => {
  it('reaches trunks on loopback by the listeners of the agent', async () => {
    const [tls, tcp, udp, ...rest] = await listenersOf({});
    expect(tls).toBe('--tls 127.0.0.1:5061');
    expect([tcp, udp].map((address) => address?.replace(/\d+$/, 'port'))).toEqual([
      '--tcp 127.0.0.1:port',
      '--udp 127.0.0.1:port',
    ]);
    expect(rest).toEqual([]);
  });

  it('takes calls of the agent runtime at the port that is asked for', async () => {
    const listeners = await listenersOf({ DEMARC_AGENT_PORT: '5070', DEMARC_BIND: '::1' });
    expect(listeners).toEqual(expect.arrayContaining(['--tcp [::1]:5070', '--udp [::1]:5070']));
  });

  it('trusts the CAs of DEMARC_TLS_CA, so that a PBX with a private CA can be called', async () => {
    const file = fileURLToPath(import.meta.url);
    const words = await argumentsOf({ DEMARC_TLS_CA: relative('.', file) });
    expect(words[words.indexOf('--ca') + 1]).toBe(file);
    expect(await argumentsOf({})).not.toContain('--ca');
    expect(() => readLauncherSettings({ DEMARC_TLS_CA: '/nowhere/ca.crt' })).toThrow(
      'DEMARC_TLS_CA: must be the path of an existing file',
    );
  });

  it('keeps scanners and OPTIONS pings from the edge where that is set', async () => {
    const words = await argumentsOf({
      DEMARC_SIP_SCANNERS: 'friendly-scanner, To=sipvicious',
      DEMARC_SIP_SCANNER_ACTION: 'ignore',
      DEMARC_SIP_ANSWER_OPTIONS: 'Pinger',
    });
    const { screening } = readEngineSettings(['--secret', 's', ...words.slice(words.indexOf('engine') + 1)]);
    expect(screening).toEqual({
      scanners: [
        { header: 'User-Agent', text: 'friendly-scanner' },
        { header: 'To', text: 'sipvicious' },
      ],
      action: 'ignore',
      streamAction: 'ignore',
      answeredOptions: ['Pinger'],
    });
  });

  it('listens for plain SIP only where configured, also on a network', async () => {
    const facing = await listenersOf({ DEMARC_BIND: '127.0.0.1', DEMARC_SIP_UDP_PORT: '5070' });
    expect(facing).toContain('--udp 127.0.0.1:5070');
    const open = await listenersOf({ DEMARC_BIND: '0.0.0.0', DEMARC_SIP_TCP_PORT: '5071' });
    expect(open).toContain('--tcp 0.0.0.0:5071');
    expect(open.filter((address) => address.includes('0.0.0.0'))).toEqual([
      '--tls 0.0.0.0:5061',
      '--tcp 0.0.0.0:5071',
    ]);
  });
});
